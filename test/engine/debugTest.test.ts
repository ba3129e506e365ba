// Tests under a real debugger in a real container: debugpy of the image, debugpy brought along, and none.
import assert from 'node:assert/strict';
import { pythonFilesBelow } from '../../src/editor/debug/pythonDebugger.ts';
import { OWNER_LABEL } from '../../src/runtime/docker/container/container.ts';
import type { RunResult } from '../../src/runtime/runtime.ts';
import type { Task } from '../../src/task/task.ts';
import { type DebugpyFiles, planDebugTrial } from '../../src/verifier/trial/debugTrial.ts';
import { trialResult, type TrialResult, type TrialTarget } from '../../src/verifier/trial/trial.ts';
import { starterOf } from '../../src/verifier/plan/solution.ts';
import type { Gate } from '../../src/verifier/verdict/verdict.ts';
import { verify } from '../../src/verifier/verify.ts';
import { BASE_IMAGES, DEBUGPY_IMAGE, ensureDebugpyFolder, ensureDebugpyImage } from '../host/baseImage.ts';
import { DebugClient } from '../host/debugClient.ts';
import { verifyOptions } from '../host/sampleTasks.ts';
import { tinyTask } from '../host/tinyTask.ts';
import { containersWith, dockerRuntime, type DockerUnderTest, readyEngine } from './dockerUnderTest.ts';
import { SECOND } from './testPlan.ts';

const MARK = 'the-mark';
const NONE: DebugpyFiles = new Map();
const STARTER = ['def answer():', '    value = 40', '    value += 1', '    return value', ''].join('\n');
/** As an editor shows the files that it has. */
const PATHS = {
  shared: ['/app/solution.py', '/tests/test_solution.py'],
  toContainer: (shown: string) => shown.replace(/^\/host/, ''),
  toShown: (path: string) => (/^\/(app|tests)\//.test(path) ? `/host${path}` : undefined),
};

function taskOf(image: string, runner: string, more: readonly string[] = []): Task {
  return tinyTask({
    image,
    starter: STARTER,
    testScript: [
      '#!/bin/bash',
      'echo 0 > /logs/verifier/reward.txt',
      'cd /tests || exit 1',
      'export PYTHONPATH=/app',
      `if ${runner}; then`,
      '  echo 1 > /logs/verifier/reward.txt',
      'fi',
      '',
    ].join('\n'),
    tests: {
      'test_solution.py': [
        'import unittest',
        'import solution',
        '',
        '',
        'class TestAnswer(unittest.TestCase):',
        '    def test_answer(self):',
        '        got = solution.answer()',
        '        print("printed by the test")',
        '        self.assertEqual(got, 42)',
        '',
        ...more,
      ].join('\n'),
    },
  });
}

const PYTEST = 'timeout 20 python3 -m pytest -p no:cacheprovider test_solution.py';

describe('a test under the debugger', function () {
  this.timeout(120 * SECOND);
  const signal = new AbortController().signal;
  let under: DockerUnderTest;

  before(async () => {
    const engine = await readyEngine();
    await ensureDebugpyImage(engine);
    under = dockerRuntime(engine, { imageMap: { ...BASE_IMAGES, 'python:3.9-slim': DEBUGPY_IMAGE } });
  });
  after(async () => under.runtime.dispose());

  const gateOf = async (task: Task): Promise<Gate> => {
    const subject = { kind: 'solution', solution: starterOf(task) } as const;
    const request = { task, subject, options: await verifyOptions() };
    const verdict = await verify(request, { runtime: under.runtime, sinks: {}, signal });
    assert.equal(verdict.outcome, 'scored');
    const gate = verdict.gates.find((one) => one.kind === 'tests');
    assert.ok(gate);
    return gate;
  };

  interface Debugged {
    readonly client: DebugClient;
    readonly running: Promise<RunResult>;
    readonly trial: () => Promise<TrialResult>;
  }

  const debug = (task: Task, target: TrialTarget, debugpy: DebugpyFiles, ending = signal): Debugged => {
    const options = { allowNetwork: false, allowedHostNames: new Set<string>(), hostEnv: {} };
    const planned = planDebugTrial(
      { task, solution: starterOf(task), target, options },
      { debugpy, mark: MARK },
    );
    assert.equal(planned.kind, 'planned');
    const client = new DebugClient(MARK, PATHS);
    const running = under.runtime.runAttached?.(planned.plan, client.sinks, ending);
    assert.ok(running);
    return { client, running, trial: async () => trialResult(task, target, await running) };
  };

  /** Stops in the solution, looks round, and goes on to the end. */
  const walkThrough = async ({ client, trial }: Debugged): Promise<TrialResult> => {
    assert.equal(await client.started(), 'ready');
    await client.attach({ '/host/app/solution.py': [3], '/host/tests/test_solution.py': [9] });
    const { threadId, reason } = await client.event('stopped');
    assert.equal(reason, 'breakpoint');
    assert.deepEqual(await client.stack(threadId), [
      '/host/app/solution.py:3',
      '/host/tests/test_solution.py:7',
    ]);
    assert.deepEqual(await client.locals(threadId), { value: '40' });
    await client.ask('next', { threadId });
    await client.event('stopped');
    assert.deepEqual(await client.locals(threadId), { value: '41' });
    await client.ask('continue', { threadId });
    await client.event('stopped');
    assert.equal((await client.locals(threadId))['got'], '41');
    await client.ask('continue', { threadId });
    await client.event('terminated');
    return trial();
  };

  it('stops where it should with the debugpy of the image, and ends as the test does', async () => {
    const task = taskOf('python:3.9-slim', PYTEST);
    const target = {
      kind: 'case',
      gate: await gateOf(task),
      name: 'test_solution.TestAnswer.test_answer',
    } as const;
    const trial = await walkThrough(debug(task, target, NONE));
    assert.equal(trial.kind, 'ended');
    assert.equal(trial.state, 'failed');
    assert.equal(trial.message, '1 of 1 failed.');
    assert.match(trial.output, /printed by the test/);
    assert.deepEqual(trial.cases[0]?.at, { path: '/tests/test_solution.py', line: 9 });
  });

  it('brings debugpy along for an image that has none, for unittest too', async () => {
    const task = taskOf('python:3.10-slim', 'python3 -m unittest -v test_solution');
    const debugpy = await pythonFilesBelow(await ensureDebugpyFolder());
    const trial = await walkThrough(debug(task, { kind: 'file', gate: await gateOf(task) }, debugpy));
    assert.equal(trial.kind, 'ended');
    assert.equal(trial.message, 'unittest reported failures.');
  });

  it('lets the test start processes of its own, with no limit of pytest-timeout', async () => {
    const task = taskOf('python:3.9-slim', 'python3 -m unittest test_solution.TestChild', [
      'import multiprocessing',
      'import os',
      '',
      '',
      'class TestChild(unittest.TestCase):',
      '    def test_child(self):',
      '        child = multiprocessing.get_context("spawn").Process(target=solution.answer)',
      '        child.start()',
      '        child.join()',
      '        self.assertEqual(child.exitcode, 0)',
      '        self.assertEqual(os.environ["PYTEST_TIMEOUT"], "0")',
      '',
    ]);
    const debugged = debug(task, { kind: 'file', gate: await gateOf(task) }, NONE);
    assert.equal(await debugged.client.started(), 'ready');
    await debugged.client.attach({});
    const trial = await debugged.trial();
    assert.equal(trial.kind, 'ended');
    assert.equal(trial.state, 'passed', trial.output);
  });

  it('never listens where the script keeps its folder away from Python', async () => {
    const task = taskOf('python:3.9-slim', `env PYTHONPATH=/app ${PYTEST}`);
    const { client, trial } = debug(task, { kind: 'file', gate: await gateOf(task) }, NONE);
    const notes = await trial();
    assert.equal(client.state, undefined);
    assert.equal(notes.kind, 'ended');
    assert.match(notes.output, /repair_bench_debug/);
  });

  it('says what Python said when there is no debugpy at all', async () => {
    const task = taskOf('python:3.10-slim', PYTEST);
    const { client, running } = debug(task, { kind: 'file', gate: await gateOf(task) }, NONE);
    assert.equal(await client.started(), "ModuleNotFoundError: No module named 'debugpy'");
    assert.equal((await running).kind, 'ended');
  });

  it('leaves no container when the person stops at a breakpoint', async () => {
    const task = taskOf('python:3.9-slim', PYTEST);
    const stop = new AbortController();
    const { client, running } = debug(task, { kind: 'file', gate: await gateOf(task) }, NONE, stop.signal);
    await client.started();
    await client.attach({ '/host/app/solution.py': [3] });
    await client.event('stopped');
    stop.abort();
    assert.equal((await running).kind, 'cancelled');
    assert.deepEqual(await containersWith(under.engine, `${OWNER_LABEL}=${under.owner}`), []);
  });
});
