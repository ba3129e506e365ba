// Debug Test inside VS Code: breakpoints in the solution and in a hidden test, in a container with debugpy.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DEBUGPY_IMAGE } from '../host/baseImage.ts';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answeringMessages } from './support/dialogs.ts';
import { closeAllEditors, replaceText } from './support/editing.ts';
import { openFirstRow } from './support/openTask.ts';
import { configure, DOCKER, putBackSettings, SANDBOX } from './support/settings.ts';
import { endedTestRun, lastTestRun, runTestAt, testRunEnded } from './support/testRuns.ts';
import { until } from './support/until.ts';
import { verifyTask } from './support/verifyTask.ts';
import { taskWithScript, writeDataset } from './support/writeDataset.ts';

const SCRIPT = [
  '#!/bin/bash',
  'mkdir -p /logs/verifier',
  'echo 0 > /logs/verifier/reward.txt',
  'export PYTHONPATH=/app',
  'if timeout 30 python3 -m pytest /tests/test_solution.py -p no:cacheprovider; then',
  '  echo 1 > /logs/verifier/reward.txt',
  'fi',
  '',
].join('\n');
const FILES = {
  ...taskWithScript(SCRIPT),
  'environment/solution.py': 'def answer():\n    value = 40\n    value += 1\n    return value\n',
  'tests/test_solution.py': [
    'import solution',
    '',
    '',
    'def test_answer():',
    '    got = solution.answer()',
    '    assert got == 42',
    '',
  ].join('\n'),
};
const IMAGES = { ...DOCKER.images, 'python:3.10-slim': DEBUGPY_IMAGE };

describe('Debug Test', function () {
  this.timeout(180_000);
  let api: ShownExtension;
  let solution: vscode.TextEditor;
  const lastRun = (): string => lastTestRun(api);
  /** Opens the task and verifies it, so that it is known how its tests are started. */
  const open = async (name: string, settings: Readonly<Record<string, unknown>>): Promise<void> => {
    await configure(settings);
    solution = await openFirstRow(api, await writeDataset(name, FILES));
    await endedTestRun(api, verifyTask);
  };

  /** Debugs the test, as its menu in the gutter does. */
  const debugTest = async (): Promise<void> => {
    const tests = await until('the test is in an editor', () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.path.endsWith('test_solution.py')),
    );
    await until('the test has its line', () =>
      / {4}test_answer \(.*\) test_solution\.py:4$/m.test(api.testingView()),
    );
    await runTestAt(api, 'testing.debugAtCursor', tests, 3);
  };

  const showTests = async (): Promise<vscode.Uri> => {
    const place = { in: 'task', path: 'tests/test_solution.py', line: 4 };
    await answeringMessages(['Show Tests'], () =>
      vscode.commands.executeCommand('repairBench.openTaskFile', api.state()?.folder, place),
    );
    const editor = await until('the test is in an editor', () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.path.endsWith('test_solution.py')),
    );
    return editor.document.uri;
  };

  const breakAt = (uri: vscode.Uri, line: number): void =>
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line - 1, 0))),
    ]);

  /** What an expression is in the frame that VS Code shows; undefined while it shows none that stands still. */
  const evaluated = async (expression: string): Promise<string | undefined> => {
    const frame = vscode.debug.activeStackItem;
    if (!frame || !('frameId' in frame)) return undefined;
    const { session, frameId } = frame;
    const answer: unknown = await session
      .customRequest('evaluate', { expression, frameId })
      .then(undefined, () => undefined);
    return typeof answer === 'object' && answer !== null && 'result' in answer
      ? String(answer.result)
      : undefined;
  };

  const stoppedWhere = (expression: string, value: string): Promise<boolean> =>
    until(
      `it has stopped where ${expression} is ${value}`,
      async () => (await evaluated(expression)) === value,
    );

  const shownAt = (ending: string, line: number): Promise<boolean> =>
    until(`line ${line} of ${ending} is shown`, () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.path.endsWith(ending) === true && editor.selection.active.line === line - 1;
    });

  before(async () => {
    api = await activateExtension();
  });
  afterEach(async () => {
    await vscode.debug.stopDebugging();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await putBackSettings();
    await closeAllEditors();
  });

  it('stops in the solution and in the test, and says how the test ended', async () => {
    await open('debugged', { ...DOCKER, images: IMAGES });
    const tests = await showTests();
    breakAt(solution.document.uri, 3);
    breakAt(tests, 6);
    await debugTest();
    await stoppedWhere('value', '40');
    await shownAt('/solution.py', 3);
    await vscode.commands.executeCommand('workbench.action.debug.continue');
    await stoppedWhere('got', '41');
    await shownAt('/test_solution.py', 6);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), tests.toString());
    await vscode.commands.executeCommand('workbench.action.debug.continue');
    await testRunEnded(api);
    assertIncludes(lastRun(), '| Debugging test_answer: no reward, and only a part of what Verify runs.');
    assert.match(lastRun(), /\nfailed test_answer: .*assert 41 == 42.* @ repair-bench:test_solution\.py:6\n/);
    assertIncludes(lastRun(), '| 1 of 1 failed. This was a debug session, not a verdict.');
    assertIncludes(api.testingView(), 'test_answer (debugged, no reward)');
  });

  it('starts again with the solution as it is by then, ends with its session, and what was known stays', async () => {
    await open('debug-stopped', { ...DOCKER, images: IMAGES });
    await showTests();
    breakAt(solution.document.uri, 3);
    await debugTest();
    await stoppedWhere('value', '40');
    await replaceText(await vscode.window.showTextDocument(solution.document), '40', '50');
    await vscode.commands.executeCommand('workbench.action.debug.restart');
    await stoppedWhere('value', '50');
    await vscode.debug.stopDebugging(vscode.debug.activeDebugSession);
    await testRunEnded(api);
    assertIncludes(lastRun(), '| Debugging stopped.');
    assert.equal(api.liveState(), 'outdated');
    await until('the session has ended', () => vscode.debug.activeDebugSession === undefined);
  });

  it('says what to do where there is no debugpy', async () => {
    await open('debug-without', DOCKER);
    await showTests();
    await debugTest();
    await testRunEnded(api);
    assertIncludes(
      lastRun(),
      "The image of debug-without has no debugpy that runs: ModuleNotFoundError: No module named 'debugpy'. Install the extension Python Debugger, which brings one, or add `RUN pip install debugpy` to environment/Dockerfile.",
    );
  });

  it('says that the sandbox cannot run a debugger, and what to do', async () => {
    await open('debug-sandbox', SANDBOX);
    await showTests();
    const offered = await answeringMessages([], async (said) => {
      await debugTest();
      await until('a button is offered', () => said.length > 0);
    });
    assertIncludes(offered.join(), 'The sandbox cannot run a debugger.');
    await testRunEnded(api);
    assertIncludes(
      lastRun(),
      'The sandbox cannot run a debugger. Start Docker or Podman, choose Docker as the runtime, and debug the test again.',
    );
  });
});
