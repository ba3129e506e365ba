// Test runs of the Testing view.
import * as vscode from 'vscode';
import type { ShownExtension } from './activateExtension.ts';
import { until } from './until.ts';

/** The last test run as text, with what was said and found in it so far. */
export function lastTestRun(api: ShownExtension): string {
  return api.testRuns().at(-1) ?? '';
}

export async function testRunEnded(api: ShownExtension): Promise<void> {
  await until('the test run has ended', () => lastTestRun(api).endsWith('\nended'));
}

/** Does what starts a test run, and gives it as text once it has ended. */
export async function endedTestRun(api: ShownExtension, start: () => Thenable<unknown>): Promise<string> {
  const before = lastTestRun(api);
  await start();
  await until('there is another test run', () => lastTestRun(api) !== before);
  await testRunEnded(api);
  return lastTestRun(api);
}

/** Runs or debugs the test at a 0-based line, as its menu in the gutter does, and waits until there is a test run of it. */
export async function runTestAt(
  api: ShownExtension,
  command: 'testing.runAtCursor' | 'testing.debugAtCursor',
  { document, viewColumn }: vscode.TextEditor,
  line: number,
): Promise<void> {
  const before = lastTestRun(api);
  const hasStarted = (): boolean => lastTestRun(api) !== before;
  await until('there is another test run', async () => {
    const editor = await vscode.window.showTextDocument(document, viewColumn);
    editor.selection = new vscode.Selection(line, 0, line, 0);
    // It ends with the run, or at once and without a word where VS Code does not know the test at this line yet.
    let ended = false;
    const end = (): void => {
      ended = true;
    };
    vscode.commands.executeCommand(command).then(end, end);
    await until('the test run starts or cannot', () => hasStarted() || ended);
    return hasStarted();
  });
}
