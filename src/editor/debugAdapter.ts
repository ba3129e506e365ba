/** Stands between VS Code and a debugger in a container: what may pass is decided in `debugMessages.ts`. */
import type * as vscode from 'vscode';
import {
  type DebugMessage,
  type DebugPaths,
  fromDebugger,
  fromEditor,
  type Passed,
  printed,
  terminated,
} from './debugMessages.ts';
import { debugFrame } from './debugReader.ts';

/** What is shown of the tests' output, in bytes; the Testing view has its first and last part. */
const MOST_PRINTED = 4 * 1024 * 1024;

export class DebugAdapter implements vscode.DebugAdapter {
  readonly #paths: DebugPaths;
  readonly #write: (bytes: Uint8Array) => void;
  /** The person has had enough before the tests ended. */
  readonly #left: () => void;
  readonly #sent: vscode.EventEmitter<vscode.DebugProtocolMessage>;
  readonly #decoder = new TextDecoder();
  #ended = false;
  #printed = 0;
  readonly onDidSendMessage: vscode.Event<vscode.DebugProtocolMessage>;

  constructor(api: typeof vscode, paths: DebugPaths, write: (bytes: Uint8Array) => void, left: () => void) {
    this.#paths = paths;
    this.#write = write;
    this.#left = left;
    this.#sent = new api.EventEmitter();
    this.onDidSendMessage = this.#sent.event;
  }

  handleMessage(message: DebugMessage): void {
    this.#pass(fromEditor(message, this.#paths));
    const { command } = message;
    if ((command === 'disconnect' || command === 'terminate') && !this.#ended) this.#left();
  }

  /** Takes one message of the debugger. */
  take(value: unknown): void {
    this.#pass(fromDebugger(value, this.#paths));
  }

  /** Takes what the tests print. */
  print(bytes: Uint8Array): void {
    this.#printed += bytes.length;
    if (this.#printed > MOST_PRINTED) return;
    this.#sent.fire(printed(this.#decoder.decode(bytes, { stream: true })));
  }

  /** Nothing more will come. */
  end(): void {
    if (!this.#ended) this.#pass({ to: 'editor', message: terminated() });
  }

  dispose(): void {
    this.#sent.dispose();
  }

  #pass(passed: Passed): void {
    if (passed.to === 'debugger') this.#write(debugFrame(passed.message));
    if (passed.to !== 'editor') return;
    if (passed.message['event'] === 'terminated') this.#ended = true;
    this.#sent.fire(passed.message);
  }
}
