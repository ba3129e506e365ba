// One case, one file, and a case that is gone, looked at quickly: on Docker and in the sandbox, as the verifier ran them.
import assert from 'node:assert/strict';
import type { Runtime } from '../../src/runtime/runtime.ts';
import {
  type TrialReport,
  trialResult,
  type TrialTarget,
  planTrial,
} from '../../src/verifier/trial/trial.ts';
import { starterOf } from '../../src/verifier/plan/solution.ts';
import type { Gate } from '../../src/verifier/verdict/verdict.ts';
import { verify } from '../../src/verifier/verify.ts';
import { verifyOptions } from '../host/sampleTasks.ts';
import { tinyTask } from '../host/tinyTask.ts';
import { dockerRuntime, readyEngine } from './dockerUnderTest.ts';
import { sandboxUnderTest } from './sandboxUnderTest.ts';
import { SECOND } from './testPlan.ts';

/** The tests pass only where and with what the script runs them. */
const TASK = tinyTask({
  testScript: [
    '#!/bin/bash',
    'echo 0 > /logs/verifier/reward.txt',
    '( cd /app && ls ) > /dev/null',
    'cd',
    'cd ../../../tests/data || exit 1',
    'export PYTHONPATH=/app',
    'if MODE="as run" python3 -m pytest ../test_solution.py -x -p no:cacheprovider; then',
    '  echo 1 > /logs/verifier/reward.txt',
    'fi',
    '',
  ].join('\n'),
  tests: {
    'data/answer.txt': '42\n',
    'test_solution.py': [
      'import os',
      'import solution',
      '',
      '',
      'def test_place():',
      '    assert os.environ["MODE"] == "as run"',
      '    assert open("answer.txt").read() == "42\\n"',
      '',
      '',
      'def test_answer():',
      '    assert solution.answer() == 42',
      '',
    ].join('\n'),
  },
});

const RUNTIMES: Readonly<Record<string, () => Promise<Runtime>>> = {
  docker: async () => dockerRuntime(await readyEngine()).runtime,
  sandbox: async () => (await sandboxUnderTest()).runtime,
};

for (const [kind, make] of Object.entries(RUNTIMES))
  describe(`a trial on ${kind}`, function () {
    this.timeout(120 * SECOND);
    let runtime: Runtime;
    let gate: Gate;
    const signal = new AbortController().signal;

    before(async () => {
      runtime = await make();
      const subject = { kind: 'solution', solution: starterOf(TASK) } as const;
      const request = { task: TASK, subject, options: await verifyOptions() };
      const verdict = await verify(request, { runtime, sinks: {}, signal });
      assert.equal(verdict.outcome, 'scored');
      const tests = verdict.gates.find((one) => one.kind === 'tests');
      assert.ok(tests);
      gate = tests;
    });
    after(async () => {
      await runtime.dispose();
    });

    const trial = async (target: TrialTarget): Promise<TrialReport> => {
      const options = { allowNetwork: false, allowedHostNames: new Set<string>(), hostEnv: {} };
      const planned = planTrial({ task: TASK, solution: starterOf(TASK), target, options });
      assert.ok(planned.kind === 'planned', JSON.stringify(planned));
      const result = trialResult(TASK, target, await runtime.run(planned.plan, {}, signal));
      assert.equal(result.kind, 'ended', JSON.stringify(result));
      return result;
    };

    it('runs one case in the folder and with the variables of the run', async () => {
      const { state, cases, output } = await trial({ kind: 'case', gate, name: 'test_solution.test_place' });
      assert.equal(state, 'passed', output);
      assert.deepEqual(
        cases.map((one) => [one.name, one.state]),
        [['test_solution.test_place', 'passed']],
      );
    });

    it('shows why a case fails', async () => {
      const { state, message, cases } = await trial({
        kind: 'case',
        gate,
        name: 'test_solution.test_answer',
      });
      assert.equal(state, 'failed');
      assert.equal(message, '1 of 1 failed.');
      assert.match(cases[0]?.message ?? '', /assert 41 == 42/);
      assert.deepEqual(cases[0]?.at, { path: '/tests/test_solution.py', line: 11 });
    });

    it('runs all tests of a gate', async () => {
      const { state, message, output } = await trial({ kind: 'file', gate });
      assert.equal(state, 'failed');
      assert.equal(message, '1 of 2 failed.');
      assert.match(output, /1 failed, 1 passed/);
    });

    it('says that a case is not there', async () => {
      const { state, message, cases } = await trial({ kind: 'case', gate, name: 'test_solution.test_gone' });
      assert.equal(state, 'errored');
      assert.equal(message, 'pytest no longer finds the test test_solution.test_gone.');
      assert.deepEqual(cases, []);
    });
  });
