// The tools for language models, called as VS Code calls them; no model is needed for that.
import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { listRuns } from '../host/listRuns.ts';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { closeAllEditors } from './support/editing.ts';
import { openFixture, openTaskWithScript } from './support/openTask.ts';
import { configure, SANDBOX, withSettings } from './support/settings.ts';
import { FIXTURES } from './support/sources.ts';
import { until } from './support/until.ts';
import { verifyTask } from './support/verifyTask.ts';

const GET_TASK = 'repair_bench_get_task';
const RUN_VERIFIER = 'repair_bench_run_verifier';

async function call(
  tool: string,
  input: object,
  token?: vscode.CancellationToken,
): Promise<Record<string, unknown>> {
  const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined }, token);
  const text = content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

describe('tools for language models', function () {
  this.timeout(120_000);
  let api: ShownExtension;

  before(async () => {
    api = await activateExtension();
  });
  withSettings(SANDBOX);
  afterEach(closeAllEditors);

  const workspaceOf = (answer: Record<string, unknown>): string => z.string().parse(answer['workspace']);

  it('are known to VS Code, with what they take', () => {
    const tools = vscode.lm.tools.filter(({ name }) => name.startsWith('repair_bench_'));
    assert.deepEqual(tools.map(({ name }) => name).sort(), [GET_TASK, RUN_VERIFIER]);
    for (const { description, inputSchema } of tools) assert.ok(description.length > 100 && inputSchema);
  });

  it('open a row, verify what was edited, and mark the run as started by an agent', async () => {
    const told = await call(GET_TASK, { dataset: FIXTURES, row: 'bugsinpy-0001' });
    assert.match(String(told['instruction']), /\S/);
    assert.ok(Number(told['hiddenFiles']) > 0);
    assert.ok(!JSON.stringify(told).includes('test_solution.py'));
    const folder = workspaceOf(told);

    const starter = await call(RUN_VERIFIER, { workspace: folder });
    assert.deepEqual([starter['outcome'], starter['reward']], ['scored', 0]);
    // The task that was opened is the current one, so it need not be named.
    const again = await call(RUN_VERIFIER, {});
    assert.equal(again['reward'], 0);
    const { runs } = await listRuns({ folder });
    assert.deepEqual(
      runs.slice(0, 2).map(({ record }) => record.startedBy),
      ['agent', 'agent'],
    );
    assert.equal(api.state()?.run?.outdated, false);
  });

  it("keep a person's run marked as a person's", async () => {
    await openFixture(api, 'bugsinpy-0001');
    await verifyTask();
    const { runs } = await listRuns({ folder: api.state()?.folder ?? '' });
    assert.equal(runs[0]?.record.startedBy, 'person');
  });

  it('say what was wrong and what to pass instead', async () => {
    for (const [tool, input, says] of [
      [GET_TASK, { dataset: FIXTURES }, /"dataset" and "row" belong together/],
      [GET_TASK, { dataset: FIXTURES, row: 'nope' }, /no row "nope"\. Pass a path .*"#0" to "#\d+"/],
      [GET_TASK, { dataset: FIXTURES, row: '#99999' }, /no row "#99999"/],
      [GET_TASK, { dataset: join(FIXTURES, 'nothing'), row: '#0' }, /nothing/],
      [
        GET_TASK,
        { workspace: tmpdir() },
        /is no workspace of a task, and lies in none\. Pass the absolute path/,
      ],
      [RUN_VERIFIER, { workspace: tmpdir() }, /is no workspace of a task/],
      [RUN_VERIFIER, { path: '/x' }, /The input of repair_bench_run_verifier is wrong/],
    ] as const)
      await assert.rejects(call(tool, input), says, JSON.stringify(input));
  });

  it('do nothing while they are prepared', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repair-bench-agents-'));
    await configure({ workspaceFolder: folder });
    const source = new vscode.CancellationTokenSource();
    // Prepared and then given up: VS Code asks for the words of the confirmation first.
    source.cancel();
    await assert.rejects(call(GET_TASK, { dataset: FIXTURES, row: 'bugsinpy-0002' }, source.token));
    await assert.rejects(call(RUN_VERIFIER, {}, source.token));
    assert.deepEqual(await readdir(folder), []);
    await configure({ workspaceFolder: undefined });
  });

  it('stop when they are cancelled, and leave no run behind', async () => {
    await openTaskWithScript(api, 'slow', '#!/bin/bash\nsleep 600\n');
    const source = new vscode.CancellationTokenSource();
    const running = call(RUN_VERIFIER, {}, source.token);
    await until('the script runs', () => {
      const activity = api.state()?.activity;
      return activity?.kind === 'running' && activity.phase === 'verify';
    });
    await assert.rejects(call(RUN_VERIFIER, {}), /under way already\. Wait until it has ended/);
    source.cancel();
    await assert.rejects(running);
    await until('nothing runs', () => api.state()?.activity.kind === 'idle');
    assert.deepEqual((await listRuns({ folder: api.state()?.folder ?? '' })).runs, []);
  });

  it('do nothing when the setting is off', async () => {
    await configure({ languageModelTools: false });
    // Where VS Code still offers them, the extension refuses.
    await assert.rejects(call(GET_TASK, {}));
    await assert.rejects(call(RUN_VERIFIER, {}));
    await configure({ languageModelTools: undefined });
    await until('they are back', () => vscode.lm.tools.some(({ name }) => name === RUN_VERIFIER));
    assertIncludes(JSON.stringify(await call(GET_TASK, {})), '"instruction"');
  });
});
