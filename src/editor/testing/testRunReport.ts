/** One test run: gives VS Code results, with their output and messages. */
import type * as vscode from 'vscode';
import { plainOutput } from '../platform/text/plainText.ts';
import type { TestNode, TestNote, TestResult } from './testTree.ts';

/** An item and the node that it shows. */
export interface ShownTest {
  readonly item: vscode.TestItem;
  readonly node: TestNode;
}

export type LocationOf = (note: TestNote) => vscode.Location | undefined;

export class TestRunReport {
  readonly #api: typeof vscode;
  readonly #run: vscode.TestRun;
  readonly token: vscode.CancellationToken;

  constructor(api: typeof vscode, run: vscode.TestRun) {
    this.#api = api;
    this.#run = run;
    this.token = run.token;
  }

  enqueued(item: vscode.TestItem): void {
    this.#run.enqueued(item);
  }

  started(item: vscode.TestItem): void {
    this.#run.started(item);
  }

  /** Appends output; lines end in CRLF, as the terminal that shows them wants it. */
  print(text: string): void {
    this.#run.appendOutput(`${plainOutput(text).replaceAll('\n', '\r\n')}\r\n`);
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
  }

  end(): void {
    this.#run.end();
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
