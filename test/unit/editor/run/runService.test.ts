import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { Failures } from '../../../../src/editor/platform/failureMessage.ts';
import { SettingsWatch } from '../../../../src/editor/platform/settings.ts';
import type { RunContext } from '../../../../src/editor/run/runContext.ts';
import { RunService } from '../../../../src/editor/run/runService.ts';
import { type ChooseRuntime, Runtimes } from '../../../../src/editor/run/runtimes.ts';
import { Snapshots } from '../../../../src/editor/task/snapshots.ts';
import { inWords } from '../../../../src/fault/remedy.ts';
import { RunQueue } from '../../../../src/runtime/runQueue.ts';
import { runNames, runsFolderOf } from '../../../../src/workspace/runs/runFiles.ts';
import { bashGrammar } from '../../../host/sampleTasks.ts';
import { evidenceOf } from '../../verifier/helpers/scriptedEvidence.ts';
import { openedTasks, until } from '../helpers/openedTasks.ts';

const NO_ENGINE: ChooseRuntime = async () => ({
  kind: 'failed',
  failure: { reason: 'no-engine', message: 'No engine answers.', remedies: [inWords('Start it.')] },
});
/** A machine that thinks until it is told to stop. */
const NEVER: ChooseRuntime = (_wish, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }), { once: true });
  });

/** A machine whose verifier always writes the same. */
const SCORES: ChooseRuntime = async () => {
  const unused = (): never => assert.fail('Only runs are asked for here.');
  return {
    kind: 'chosen',
    probe: { available: true, name: 'made by hand', where: '', platform: 'linux' },
    runtime: {
      ...{ kind: 'docker', probe: unused, prepare: unused, dispose: async () => undefined },
      run: async () => ({ kind: 'ended', evidence: evidenceOf({ trace: '', reward: '0.5' }) }),
    },
  };
};

describe('the run service', () => {
  const opened = openedTasks();

  /** A service on such a machine, what it tells in order, and what it logs at debug level. */
  const serviceWith = (choose: ChooseRuntime) => {
    const { fake, tasks, current, owned } = opened();
    const { api } = fake;
    const said: string[] = [];
    const decisions: string[] = [];
    const nothing = (): void => undefined;
    const log = {
      ...{ trace: nothing, info: nothing, warn: nothing, error: nothing, show: nothing },
      debug: (line: string) => decisions.push(line),
    } as unknown as vscode.LogOutputChannel;
    const context: RunContext = {
      ...{ api, log, tasks, current },
      extension: {} as vscode.ExtensionContext,
      failures: new Failures(api, log),
      settings: new SettingsWatch(api),
      runtimes: new Runtimes('test', choose),
      parseBash: bashGrammar,
      queue: new RunQueue(1),
      snapshots: new Snapshots(api),
      explain: () => assert.fail('Nothing is explained here.'),
    };
    const runs = owned.add(new RunService(context));
    runs.onRunProgress(({ kind, run }) => said.push(`${run.id} ${kind}`));
    runs.onDidEndRun((ending) => {
      const shown = ending.run.task.state.run?.id;
      said.push(`${ending.run.id} ${ending.kind}, shown: ${shown ?? 'none'}`);
    });
    return { runs, said, decisions };
  };

  it('tells once how a run ended, when its verdict is shown', async () => {
    const { runs, said, decisions } = serviceWith(NO_ENGINE);
    const task = await opened().open('bugsinpy-0001');
    const verdict = await runs.verify(task);
    assert.equal(verdict?.outcome, 'engine-error');
    assert.deepEqual(said, ['run 1 asked', 'run 1 started', 'run 1 judged, shown: run 1']);
    assert.deepEqual(task.state.activity, { kind: 'idle' });
    assert.deepEqual(decisions, [
      'bugsinpy-0001: run 1 was asked for by a person',
      'bugsinpy-0001: run 1 is not saved: nothing ran, so it says nothing about the solution',
    ]);
  });

  it('tells it after the run was saved, and shows what was saved here no second time', async () => {
    const { runs, said } = serviceWith(SCORES);
    const task = await opened().open('bugsinpy-0001');
    const files: (readonly string[])[] = [];
    runs.onDidEndRun(() => void runNames(task.workspace).then((names) => files.push(names)));
    const verdict = await runs.verify(task);
    assert.equal(verdict?.outcome, 'scored');
    await until('the runs were listed', () => files.length > 0);
    assert.equal(files[0]?.length, 1);
    // The history was read again by now.
    task.noteRuns();
    await until('the newest run on disk is known', async () => {
      const [name = ''] = await runNames(task.workspace);
      return !task.isNews(join(runsFolderOf(task.workspace), name));
    });
    assert.equal(task.state.run?.id, 'run 1');
    assert.equal(said.at(-1), 'run 1 judged, shown: run 1');
  });

  it('lets a newer run replace the one under way, and says so', async () => {
    const { runs, said, decisions } = serviceWith(NEVER);
    const task = await opened().open('bugsinpy-0001');
    const first = runs.verify(task);
    await until('the first run has started', () => said.includes('run 1 started'));
    const second = runs.verify(task, { startedBy: 'agent' });
    assert.equal(await first, undefined);
    await until('the second run has started', () => said.includes('run 2 started'));
    await runs.cancel(task);
    assert.equal(await second, undefined);
    assert.deepEqual(said, [
      ...['run 1 asked', 'run 1 started', 'run 2 asked', 'run 1 stopped, shown: none'],
      ...['run 2 started', 'run 2 stopped, shown: none'],
    ]);
    assert.deepEqual(decisions, [
      'bugsinpy-0001: run 1 was asked for by a person',
      'bugsinpy-0001: run 2 was asked for by an agent and replaces the one under way',
      'bugsinpy-0001: run 1 ended without a verdict: stopped',
      'bugsinpy-0001: cancelling the run',
      'bugsinpy-0001: run 2 ended without a verdict: stopped',
    ]);
  });

  it('tells why a run could not begin, and throws it', async () => {
    const { runs, said } = serviceWith(NO_ENGINE);
    const task = await opened().open('bugsinpy-0001');
    await rm(task.folder, { recursive: true });
    await assert.rejects(runs.verify(task), /is gone: it was moved or deleted/);
    assert.deepEqual(said, ['run 1 asked', 'run 1 failed, shown: none']);
    assert.deepEqual(task.state.activity, { kind: 'idle' });
  });
});
