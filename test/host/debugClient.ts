// A debugger's user without an editor: speaks the Debug Adapter Protocol with a run, through all that stands between.
import assert from 'node:assert/strict';
import {
  type DebugPaths,
  fromDebugger,
  fromEditor,
  type DebugMessage,
} from '../../src/editor/debug/debugMessages.ts';
import { debugFrame, DebugReader } from '../../src/editor/debug/debugReader.ts';
import type { AttachedInput, AttachedSinks } from '../../src/runtime/runtime.ts';

export class DebugClient {
  readonly #paths: DebugPaths;
  readonly #reader: DebugReader;
  readonly #messages: DebugMessage[] = [];
  readonly #waiting = new Set<() => void>();
  #input: AttachedInput | undefined;
  #seq = 0;
  /** `ready`, or why there is no debugger. */
  state: string | undefined;
  /** What the tests printed. */
  printed = '';

  constructor(mark: string, paths: DebugPaths) {
    this.#paths = paths;
    const tell = (words: string): void => {
      this.state = words;
      this.#wake();
    };
    this.#reader = new DebugReader(mark, {
      ready: () => tell('ready'),
      failed: tell,
      broken: tell,
      message: (value) => {
        const passed = fromDebugger(value, paths);
        if (passed.to === 'editor') this.#messages.push(passed.message);
        if (passed.to === 'debugger') this.#input?.write(debugFrame(passed.message));
        this.#wake();
      },
    });
  }

  get sinks(): AttachedSinks {
    return {
      ready: (input) => {
        this.#input = input;
      },
      output: (bytes) => this.#reader.push(bytes),
      errors: (bytes) => {
        this.printed += Buffer.from(bytes).toString();
      },
    };
  }

  async started(): Promise<string> {
    return this.#until(() => this.state);
  }

  /** Sends a request and gives the body of its answer. */
  async ask(command: string, args: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const seq = this.#send(command, args);
    const answer = await this.#until(() =>
      this.#messages.find((one) => one['type'] === 'response' && one['request_seq'] === seq),
    );
    assert.equal(answer['success'], true, JSON.stringify(answer));
    return record(answer['body'] ?? {});
  }

  /** The body of the next event of this name that was not waited for yet. */
  async event(name: string): Promise<Readonly<Record<string, unknown>>> {
    const found = await this.#until(() => this.#messages.find((one) => one['event'] === name));
    this.#messages.splice(this.#messages.indexOf(found), 1);
    return record(found['body'] ?? {});
  }

  /** Attaches, with breakpoints by file as the editor shows it. */
  async attach(breakpoints: Readonly<Record<string, readonly number[]>>): Promise<void> {
    await this.ask('initialize', { adapterID: 'repairBench', linesStartAt1: true, pathFormat: 'path' });
    this.#send('attach', {});
    await this.event('initialized');
    for (const [path, lines] of Object.entries(breakpoints))
      await this.ask('setBreakpoints', { source: { path }, breakpoints: lines.map((line) => ({ line })) });
    await this.ask('configurationDone');
  }

  /** Where the first thread stands, from the inside out: `file:line`. */
  async stack(threadId: unknown): Promise<readonly string[]> {
    const { stackFrames } = await this.ask('stackTrace', { threadId });
    assert.ok(Array.isArray(stackFrames));
    return stackFrames.map((frame: unknown) => {
      const { source, line } = record(frame);
      return `${String(record(source)['path'])}:${String(line)}`;
    });
  }

  /** The local variables of the innermost frame. */
  async locals(threadId: unknown): Promise<Readonly<Record<string, unknown>>> {
    const { stackFrames } = await this.ask('stackTrace', { threadId });
    const frameId = record(first(stackFrames))['id'];
    const { scopes } = await this.ask('scopes', { frameId });
    const { variablesReference } = record(first(scopes));
    const { variables } = await this.ask('variables', { variablesReference });
    assert.ok(Array.isArray(variables));
    return Object.fromEntries(
      variables.map((one: unknown) => [String(record(one)['name']), record(one)['value']]),
    );
  }

  #send(command: string, args: object): number {
    this.#seq += 1;
    const message = { seq: this.#seq, type: 'request', command, arguments: args };
    const passed = fromEditor(message, this.#paths);
    if (passed.to === 'editor') this.#messages.push(passed.message);
    if (passed.to === 'debugger') this.#input?.write(debugFrame(passed.message));
    return this.#seq;
  }

  async #until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  assert.ok(typeof value === 'object' && value !== null, `Expected an object: ${JSON.stringify(value)}`);
  return Object.fromEntries(Object.entries(value));
}
