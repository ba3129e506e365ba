/** One test run: hands results to VS Code and keeps the same as text, for tests. */
import type * as vscode from 'vscode';
import { plainOutput } from '../platform/text/plainText.ts';
import type { TestNode, TestNote, TestResult } from './testTree.ts';

/** An item and what it stands for. */
export interface ShownTest {
  readonly item: vscode.TestItem;
  readonly node: TestNode;
}

/** Of each run as text: a verifier may print without end. */
const MOST_LINES = 2000;

export type LocationOf = (note: TestNote) => vscode.Location | undefined;

export class TestRunReport {
  readonly #api: typeof vscode;
  readonly #run: vscode.TestRun;
  readonly #lines: string[];
  readonly token: vscode.CancellationToken;

  constructor(api: typeof vscode, run: vscode.TestRun, title: string) {
    this.#api = api;
    this.#run = run;
    this.token = run.token;
    this.#lines = [title];
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  enqueued(item: vscode.TestItem): void {
    this.#run.enqueued(item);
  }

  started(item: vscode.TestItem): void {
    this.#run.started(item);
    this.note(`started ${item.label}`);
  }

  /** Appends output; lines end in CRLF, as the terminal that shows them wants it. */
  print(text: string): void {
    const lines = plainOutput(text).split('\n');
    this.#run.appendOutput(`${lines.join('\r\n')}\r\n`);
    this.#keep(lines.slice(-MOST_LINES).map((line) => `| ${line}`));
  }

  result(item: vscode.TestItem, result: TestResult, locationOf: LocationOf): void {
    const messages = result.notes.map((note) => this.#message(note, locationOf(note)));
    switch (result.state) {
      case 'passed':
        this.#run.passed(item, result.durationMs);
        break;
      case 'failed':
        this.#run.failed(item, messages, result.durationMs);
        break;
      case 'errored':
        this.#run.errored(item, messages, result.durationMs);
        break;
      case 'skipped':
        this.#run.skipped(item);
        break;
    }
    const said = messages.map(messageLine).join('; ');
    this.note(`${result.state} ${item.label}${said === '' ? '' : `: ${said}`}`);
  }

  /** Adds a line for tests only. */
  note(line: string): void {
    this.#keep([line]);
  }

  end(): void {
    this.#run.end();
    this.note('ended');
  }

  /** The title stays; of the rest the oldest goes. */
  #keep(lines: readonly string[]): void {
    this.#lines.push(...lines);
    const over = this.#lines.length - 1 - MOST_LINES;
    if (over > 0) this.#lines.splice(1, over);
  }

  #message({ text, compared }: TestNote, location: vscode.Location | undefined): vscode.TestMessage {
    const plain = plainOutput(text);
    const message = compared
      ? this.#api.TestMessage.diff(plain, plainOutput(compared.expected), plainOutput(compared.actual))
      : new this.#api.TestMessage(plain);
    if (location) message.location = location;
    return message;
  }
}

function messageLine({ message, location, expectedOutput, actualOutput }: vscode.TestMessage): string {
  const [first = ''] = (typeof message === 'string' ? message : message.value).split('\n');
  const compared =
    expectedOutput === undefined ? '' : ` [expected ${expectedOutput}, actual ${actualOutput ?? ''}]`;
  const place = location
    ? ` @ ${location.uri.scheme}:${location.uri.path.slice(location.uri.path.lastIndexOf('/') + 1)}:${location.range.start.line + 1}`
    : '';
  return `${first}${compared}${place}`;
}
