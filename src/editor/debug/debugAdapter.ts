/** Stands between VS Code and a debugger in a container: what may pass is decided in `debugMessages.ts`. */
import type * as vscode from 'vscode';
import {
  type DebugMessage,
  type DebugPaths,
  fromDebugger,
  fromEditor,
  isFarewell,
  type Passed,
  printed,
  terminated,
} from './debugMessages.ts';
import { debugFrame } from './debugReader.ts';
import { plainOutput } from '../platform/text/plainText.ts';

/** Characters of output that the debug console shows; the Testing view has the first and last part of all output. */
const MOST_PRINTED = 4 * 1024 * 1024;
/** Milliseconds that tests may take to end once the debugger has said that they end. */
const END_MS = 30_000;

export interface AdapterOutlets {
  /** To the debugger. */
  readonly write: (bytes: Uint8Array) => void;
  /** The session is over; the run may take that many milliseconds more. */
  readonly left: (afterMs: number) => void;
}

export class DebugAdapter implements vscode.DebugAdapter {
  readonly #paths: DebugPaths;
  readonly #outlets: AdapterOutlets;
  readonly #sent: vscode.EventEmitter<vscode.DebugProtocolMessage>;
  readonly #decoder = new TextDecoder();
  #terminated = false;
  #printed = 0;
  readonly onDidSendMessage: vscode.Event<vscode.DebugProtocolMessage>;

  constructor(api: typeof vscode, paths: DebugPaths, outlets: AdapterOutlets) {
    this.#paths = paths;
    this.#outlets = outlets;
    this.#sent = new api.EventEmitter();
    this.onDidSendMessage = this.#sent.event;
  }

  handleMessage(message: DebugMessage): void {
    this.#pass(fromEditor(message, this.#paths));
    if (isFarewell(message)) this.#leave();
  }

  /** Receives one message of the debugger. */
  receive(value: unknown): void {
    this.#pass(fromDebugger(value, this.#paths));
  }

  /** Receives what the tests print. */
  print(bytes: Uint8Array): void {
    const text = plainOutput(this.#decoder.decode(bytes, { stream: true }));
    this.#pass({ to: 'editor', message: printed(text) });
  }

  /** Nothing more will come. */
  end(): void {
    if (!this.#terminated) this.#pass({ to: 'editor', message: terminated() });
  }

  dispose(): void {
    this.#leave();
    this.#sent.dispose();
  }

  #leave(): void {
    this.#outlets.left(this.#terminated ? END_MS : 0);
  }

  #pass(passed: Passed): void {
    if (passed.to === 'debugger') this.#outlets.write(debugFrame(passed.message));
    if (passed.to !== 'editor') return;
    const { event, body } = passed.message;
    if (event === 'output' && this.#isTooMuch(body)) return;
    if (event === 'terminated') this.#terminated = true;
    this.#sent.fire(passed.message);
  }

  #isTooMuch(body: unknown): boolean {
    const output = typeof body === 'object' && body !== null && 'output' in body ? body.output : '';
    this.#printed += typeof output === 'string' ? output.length : 0;
    return this.#printed > MOST_PRINTED;
  }
}
