// The Testing view inside VS Code: every run is a test run; one test alone is a trial and no verdict.
import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answeringMessages } from './support/dialogs.ts';
import { closeAllEditors, replaceWholeText, undoIn } from './support/editing.ts';
import { openFixture, openTaskWithScript } from './support/openTask.ts';
import { problemsText } from './support/problems.ts';
import { SANDBOX, withSettings } from './support/settings.ts';
import { FIXTURES } from './support/sources.ts';
import { endedTestRun, lastTestRun, runTestAt, testRunEnded } from './support/testRuns.ts';
import { until } from './support/until.ts';
import { untilLive } from './support/untilLive.ts';
import { verifyTask } from './support/verifyTask.ts';

const TASK = 'bugsinpy-0014';

describe('the Testing view', () => {
  let api: ShownExtension;
  let editor: vscode.TextEditor;
  const lastRun = (): string => lastTestRun(api);
  const verify = (): Promise<string> => endedTestRun(api, verifyTask);
  /** Runs the test at a 1-based line as its menu in the gutter does. */
  const lookAt = async (line: number): Promise<void> => {
    const document = await until('the tests are open', () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(`/${TASK}/tests/test_solution.py`)),
    );
    const tests = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await runTestAt(api, 'testing.runAtCursor', tests, line - 1);
  };
  /** The items of our task: others may be open too. */
  const ofTask = (): string => {
    const items = api.testingView().split(/\n(?! )/);
    return items.find((item) => item.startsWith(`${TASK} `)) ?? '';
  };

  withSettings(SANDBOX);
  before(async () => {
    api = await activateExtension();
    editor = await openFixture(api, TASK);
    await replaceWholeText(
      editor,
      await readFile(join(FIXTURES, '../solutions', TASK, 'wrong-edit/app/solution.py'), 'utf8'),
    );
  });
  after(closeAllEditors);

  it('shows a run that a command started, gate by gate and case by case, in order', async () => {
    await until('there is an item', () => ofTask().startsWith(`${TASK} (not verified) solution.py:1`));
    const run = await verify();
    assert.match(run, new RegExp(`^${TASK}\nstarted ${TASK}\n`));
    assert.match(run, /\npassed solution.py exists\n/);
    assert.match(
      run,
      /\nfailed test_hash_inside_a_value_is_kept: .* \[expected \{'channel': 'dev#general', .*\}, actual \{'channel': 'dev', .*\}\]\n/,
    );
    assert.match(run, /\n\| Reward 0: 4 of 5 gates passed\. .*\nended$/);
    assert.ok(run.indexOf('| FAILED') < run.indexOf('\nfailed '), run);
    assert.match(ofTask(), new RegExp(`^${TASK} \\(reward 0 · 4/5 gates\\) solution.py:1\n`));
    // Lines of files that are hidden are not given away.
    assert.match(
      ofTask(),
      /\n {2}test_solution.py passes \(decided · line \d+\) test\.sh\n {4}test_\w+ \(\) test_solution\.py\n/,
    );
  });

  it('marks results as outdated when the solution is edited', async () => {
    assert.doesNotMatch(lastRun(), /outdated/);
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '# edited\n'));
    await until('the results are outdated', () => lastRun().endsWith(`\noutdated ${TASK}`));
    assert.match(ofTask(), new RegExp(`^${TASK} \\(reward 0 · 4/5 gates · outdated\\)`));
    await undoIn(editor.document);
    await untilLive('the verdict holds again', api, 'verified');
  });

  it('verifies when a task is run from it', async () => {
    await runTestAt(api, 'testing.runAtCursor', editor, 0);
    await testRunEnded(api);
    assertIncludes(lastRun(), '| Reward 0: 4 of 5 gates passed.');
  });

  it('runs one case as a trial: no reward, no history, Problems and status as they were', async () => {
    const place = { in: 'task', path: 'tests/test_solution.py', line: 1 };
    await answeringMessages(['Show Tests'], () =>
      vscode.commands.executeCommand('repairBench.openTaskFile', api.state()?.folder, place),
    );
    await until('the failure is at its line of the test', () =>
      /\nfailed test_hash_inside_a_value_is_kept: .* @ repair-bench:test_solution\.py:\d+\n/.test(lastRun()),
    );
    await until('cases have lines', () => /\n {4}test_\w+ \(\) test_solution\.py:\d+/.test(ofTask()));
    const name = /\nfailed (test_\w+): /.exec(lastRun())?.[1] ?? '';
    const line = new RegExp(`${name} \\(\\) test_solution\\.py:(\\d+)`).exec(ofTask())?.[1];
    const problems = problemsText(editor.document.uri);
    const status = api.statusText();
    const history = await readdir(join(api.state()?.folder ?? '', 'runs'));
    await lookAt(Number(line));
    await testRunEnded(api);
    const run = lastRun();
    assertIncludes(run, `| Trial of ${name}: it gives no reward and runs only a part of what Verify runs.`);
    assert.match(run, new RegExp(`\nfailed ${name}: `));
    assertIncludes(run, '| 1 of 1 failed. This was a trial, not a verdict.');
    assertIncludes(ofTask(), `${name} (trial, no reward)`);
    assert.equal(problemsText(editor.document.uri), problems);
    assert.equal(api.statusText(), status);
    assert.deepEqual(await readdir(join(api.state()?.folder ?? '', 'runs')), history);
  });

  it('marks a trial of a solution that was outdated already, when it is edited again', async () => {
    const line = Number(/\n {4}test_\w+ \(.*\) test_solution\.py:(\d+)/.exec(ofTask())?.[1]);
    editor = await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
    const editOnce = (): Thenable<boolean> =>
      editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '# edited\n'));
    await editOnce();
    await until('the results are outdated', () => lastRun().endsWith(`\noutdated ${TASK}`));
    await lookAt(line);
    await testRunEnded(api);
    assertIncludes(lastRun(), 'This was a trial, not a verdict.');
    editor = await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
    await editOnce();
    await until('its results are outdated', () => lastRun().endsWith(`\nended\noutdated ${TASK}`));
  });

  it('puts a failure at its line of the solution', async () => {
    editor = await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
    // The last line is empty: the file ends with a newline.
    const line = editor.document.lineCount;
    const end = new vscode.Position(line - 1, 0);
    assert.ok(await editor.edit((builder) => builder.insert(end, 'x = = 1\n')));
    const place = new RegExp(`\nfailed solution.py compiles: SyntaxError: .* @ file:solution\\.py:${line}\n`);
    assert.match(await verify(), place);
  });

  it('says that a run was cancelled, when its container is gone', async () => {
    const script = '#!/bin/bash\nsleep 4713\necho 1 > /logs/verifier/reward.txt\n';
    await openTaskWithScript(api, 'tested-endless', script);
    const verifying = vscode.commands.executeCommand('repairBench.verify');
    await until('test.sh runs', () => api.statusText().endsWith('running test.sh'));
    await until('the run is cancelled', async () => {
      // VS Code hears of a run a moment after it has begun, and does not cancel it before.
      await vscode.commands.executeCommand('testing.cancelRun');
      return api.liveState() !== 'running';
    });
    assert.equal(await verifying, undefined);
    await testRunEnded(api);
    assert.match(lastRun(), /\n\| The run was cancelled\.\nended$/);
    assert.equal(api.liveState(), 'unchanged');
  });

  it('has an error, and no failure, for a verifier without a reward', async () => {
    await openTaskWithScript(api, 'tested-silent', '#!/bin/bash\necho hello\n');
    const run = await verify();
    assert.match(run, /\n\| hello\n/);
    assert.match(run, /\nerrored tested-silent: No reward: the verifier is at fault, not the solution\. /);
    assert.match(api.testingView(), /^tested-silent \(no reward\) solution\.py:1$/m);
  });

  it('drops a task whose workspace was deleted', async () => {
    await rm(api.state()?.folder ?? '', { recursive: true });
    await until('the item is gone', () => !/^tested-silent /m.test(api.testingView()));
  });
});
