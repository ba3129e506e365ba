// Cancel, replace, and workspaces that go away: what is shown is never a lie, and nothing is left behind.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answeringMessages } from './support/dialogs.ts';
import { closeAllEditors, inFront } from './support/editing.ts';
import { openTaskWithScript } from './support/openTask.ts';
import { problemsText } from './support/problems.ts';
import { configure, DOCKER, SANDBOX, withSettings } from './support/settings.ts';
import { until } from './support/until.ts';
import { untilLive } from './support/untilLive.ts';
import { verifyTask } from './support/verifyTask.ts';

const run = promisify(execFile);
/** No other test sleeps for so long, nor does another run of these tests on this machine. */
const SLEEP = `sleep ${4_000_000 + process.pid}`;
const ENDLESS = `#!/bin/bash\necho started\n${SLEEP}\necho 1 > /logs/verifier/reward.txt\n`;

describe('a run', () => {
  let api: ShownExtension;
  before(async () => {
    api = await activateExtension();
  });
  withSettings(SANDBOX);
  after(closeAllEditors);

  for (const [name, settings] of Object.entries({ sandbox: SANDBOX, docker: DOCKER }))
    it(`is cancelled in ${name}: the container is gone when the spinner stops`, async () => {
      await configure(settings);
      const editor = await openTaskWithScript(api, `endless-${name}`, ENDLESS);
      const verifying = vscode.commands.executeCommand('repairBench.verify');
      await until('test.sh runs', async () => (await sleepers()) > 0);
      assert.equal(api.liveState(), 'running');
      assertIncludes(await api.runView(), '[loading~spin] Running');
      const cancelling = vscode.commands.executeCommand('repairBench.cancelRun');
      await until('the spinner stops', () => !['running', 'cancelling'].includes(api.liveState() ?? ''));
      assert.equal(await sleepers(), 0);
      await Promise.all([cancelling, verifying]);
      assert.equal(api.liveState(), 'unchanged');
      assert.equal(problemsText(editor.document.uri), '');
    });

  it('is cancelled and replaced by a second Verify', async () => {
    await configure(SANDBOX);
    const first = vscode.commands.executeCommand('repairBench.verify');
    await until('test.sh runs', async () => (await sleepers()) > 0);
    const second = vscode.commands.executeCommand('repairBench.verify');
    assert.equal(await first, undefined);
    await until(
      'the second runs alone',
      async () => (await sleepers()) === 1 && api.liveState() === 'running',
    );
    await vscode.commands.executeCommand('repairBench.cancelRun');
    await second;
    assert.equal(await sleepers(), 0);
  });

  it('is started by saving when the setting asks for it', async () => {
    await configure({ ...SANDBOX, verifyOnSave: true });
    try {
      const script = '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n';
      const editor = await openTaskWithScript(api, 'on-save', script);
      await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '# edited\n'));
      await editor.document.save();
      await untilLive('it was verified', api, 'verified');
      assertIncludes(api.statusText(), 'reward 1');
    } finally {
      await configure({ verifyOnSave: undefined });
    }
  });

  it('without a reward says so, and does not show 0', async () => {
    await configure(SANDBOX);
    const editor = await openTaskWithScript(api, 'silent', '#!/bin/bash\necho hello\n');
    await verifyTask();
    assert.equal(api.statusText(), '$(beaker) silent · no reward');
    assert.match(
      problemsText(editor.document.uri),
      /^Error 1:1 \[Repair Bench unscored\] No reward: the verifier is at fault, not the solution\. /,
    );
    await vscode.commands.executeCommand('repairBench.showOutput');
    const output = await inFront('the output is shown', ({ uri }) => uri.scheme === 'repair-bench-output');
    assert.equal(output.getText().trim(), 'hello');
  });

  it('that no engine can do says what failed and offers the next step', async () => {
    await configure({ runtime: 'docker', dockerEndpoint: 'unix:///nowhere/docker.sock' });
    try {
      const script = '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n';
      const editor = await openTaskWithScript(api, 'no-engine', script);
      const said = await answeringMessages([], () => vscode.commands.executeCommand('repairBench.verify'));
      assert.equal(said.length, 1);
      assert.equal(api.statusText(), '$(beaker) no-engine · could not run');
      assert.match(
        problemsText(editor.document.uri),
        /^Error 1:1 \[Repair Bench engine-error\] Could not run: neither solution nor verifier is at fault\. /,
      );
    } finally {
      await configure({ ...SANDBOX, dockerEndpoint: undefined });
    }
  });
});

describe('a workspace that was deleted under our feet', () => {
  withSettings(SANDBOX);
  after(closeAllEditors);

  it('is told with one clear message, and the task can be opened again', async () => {
    const api = await activateExtension();
    await openTaskWithScript(api, 'deleted', '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n');
    const folder = api.state()?.folder ?? '';
    await rm(folder, { recursive: true });
    await answeringMessages(['Open Task Again'], async (said) => {
      await vscode.commands.executeCommand('repairBench.verify');
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', /^The workspace .* is gone: it was moved or deleted\./);
      await until('there is a new workspace', () => existsSync(folder) && api.liveState() === 'unchanged');
      await verifyTask();
      assert.equal(api.statusText(), '$(beaker) deleted · reward 1');
    });
  });
});

/** How many verifiers of ours sleep, in whatever container. */
async function sleepers(): Promise<number> {
  const { stdout } = await run('ps', ['-eo', 'args']);
  return stdout.split('\n').filter((line) => line === SLEEP).length;
}
