// What an extension tells VS Code of its test runs, written down as it is told: one line for each thing, one text for each run.
import type * as vscode from 'vscode';

/** One test run; its first line is its name. */
type Lines = string[];

/** The test files of VS Code's suite are bundled one by one, and each records the runs of the one controller. */
const RECORDED = Symbol.for('repair-bench.recorded-test-runs');

/** Writes down every run that starts from now on. The result gives the runs so far as text, oldest first. */
export function recordTestRuns(controller: vscode.TestController): () => readonly string[] {
  const runs = recordedBefore(controller) ?? record(controller);
  return () => runs.map((lines) => lines.join('\n'));
}

function recordedBefore(controller: vscode.TestController): readonly Lines[] | undefined {
  const runs: readonly Lines[] | undefined = Reflect.get(controller, RECORDED);
  return runs;
}

function record(controller: vscode.TestController): readonly Lines[] {
  const runs: Lines[] = [];
  const createTestRun = controller.createTestRun.bind(controller);
  const invalidate = controller.invalidateTestResults.bind(controller);
  controller.createTestRun = (request, name, persist) => {
    const run = createTestRun(request, name, persist);
    const lines = [name ?? ''];
    runs.push(lines);
    listen(run, lines);
    return run;
  };
  controller.invalidateTestResults = (items) => {
    invalidate(items);
    for (const item of items ? [items].flat() : []) runs.at(-1)?.push(`outdated ${item.label}`);
  };
  Reflect.set(controller, RECORDED, runs);
  return runs;
}

/** The run itself stays, and only hears more: VS Code knows runs by identity. */
function listen(run: vscode.TestRun, lines: Lines): void {
  const { started, passed, failed, errored, skipped, appendOutput, end } = run;
  const note = (what: string, item: vscode.TestItem, messages: Messages = []): void => {
    const said = [messages].flat().map(messageLine).join('; ');
    lines.push(`${what} ${item.label}${said === '' ? '' : `: ${said}`}`);
  };
  const heard: Partial<vscode.TestRun> = {
    started: (item) => {
      started.call(run, item);
      note('started', item);
    },
    passed: (item, duration) => {
      passed.call(run, item, duration);
      note('passed', item);
    },
    failed: (item, messages, duration) => {
      failed.call(run, item, messages, duration);
      note('failed', item, messages);
    },
    errored: (item, messages, duration) => {
      errored.call(run, item, messages, duration);
      note('errored', item, messages);
    },
    skipped: (item) => {
      skipped.call(run, item);
      note('skipped', item);
    },
    appendOutput: (output, location, item) => {
      appendOutput.call(run, output, location, item);
      lines.push(
        ...output
          .replace(/\r\n$/, '')
          .split('\r\n')
          .map((line) => `| ${line}`),
      );
    },
    end: () => {
      end.call(run);
      lines.push('ended');
    },
  };
  Object.assign(run, heard);
}

type Messages = vscode.TestMessage | readonly vscode.TestMessage[];

/** The first line of a message, what was compared, and where it stands. */
function messageLine({ message, location, expectedOutput, actualOutput }: vscode.TestMessage): string {
  const [first = ''] = (typeof message === 'string' ? message : message.value).split('\n');
  const compared =
    expectedOutput === undefined ? '' : ` [expected ${expectedOutput}, actual ${actualOutput ?? ''}]`;
  const place = location
    ? ` @ ${location.uri.scheme}:${location.uri.path.slice(location.uri.path.lastIndexOf('/') + 1)}:${location.range.start.line + 1}`
    : '';
  return `${first}${compared}${place}`;
}
