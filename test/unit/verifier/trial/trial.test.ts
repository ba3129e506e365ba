import assert from 'node:assert/strict';
import { judgeTrial, type TrialTarget, planTrial } from '../../../../src/verifier/trial/trial.ts';
import { starterOf } from '../../../../src/verifier/plan/solution.ts';
import type { Gate, Launch } from '../../../../src/verifier/verdict/verdict.ts';
import { remedyText } from '../../../host/remedyText.ts';
import { tinyTask } from '../../../host/tinyTask.ts';
import { evidenceOf } from '../helpers/scriptedEvidence.ts';
import { testsGate } from '../helpers/smallVerdicts.ts';

const OPTIONS = { allowNetwork: false, allowedHostNames: new Set<string>(), hostEnv: {} };

const LAUNCH: Launch = {
  words: ['python3', '-m', 'pytest', '-x', '/tests/test_solution.py', '-q'],
  folder: '/tests',
  env: { PYTHONPATH: '/app' },
};

/** A gate whose tests are known to have been started. */
const gateWith = (part: Partial<Gate> = {}): Gate => testsGate({ launch: LAUNCH, ...part });

const TASK = tinyTask({
  testScript: '#!/bin/bash\n',
  tests: { 'test_solution.py': 'def test_answer():\n    pass\n', 'unit/test_solution.py': '' },
});

const planFor = (target: TrialTarget) =>
  planTrial({ task: TASK, solution: starterOf(TASK), target, options: OPTIONS });

describe('a trial', () => {
  it('runs one case with image, files, folder and variables of the run', () => {
    const target = { kind: 'case', gate: gateWith(), name: 'test_solution.test_answer' } as const;
    const planned = planFor(target);
    assert.equal(planned.kind, 'planned');
    const { verifier, collected } = planned.plan;
    assert.deepEqual(verifier.command.slice(4), [
      ...['python3', '-m', 'pytest', '-q', '/tests/test_solution.py::test_answer'],
      '--junitxml=/run/repair-bench/out/junit-4.xml',
    ]);
    assert.equal(verifier.workdir, '/tests');
    assert.deepEqual(verifier.env, { PYTHONPATH: '/app' });
    assert.ok(verifier.files.some(({ path }) => path === '/tests/test_solution.py'));
    assert.deepEqual(collected, ['/run/repair-bench/out']);
  });

  it('runs a whole gate with its own words, in a folder under the working directory', () => {
    const gate = gateWith({ launch: { words: ['pytest', '-k', 'a'], folder: 'sub', env: {} } });
    const planned = planFor({ kind: 'file', gate });
    assert.equal(planned.kind, 'planned');
    assert.deepEqual(planned.plan.verifier.command.slice(4, 7), ['pytest', '-k', 'a']);
    assert.equal(planned.plan.verifier.workdir, '/app/sub');
  });

  it('runs in the home folder that the container has', () => {
    for (const [folder, below] of [
      ['~', ''],
      ['~/a b', 'a b'],
    ] as const) {
      const gate = gateWith({ launch: { words: ['pytest', 'a.py'], folder, env: {} } });
      const planned = planFor({ kind: 'file', gate });
      assert.equal(planned.kind, 'planned');
      const { command, workdir } = planned.plan.verifier;
      assert.deepEqual(command.slice(2, 7), [
        ...['cd -- ~/"$1" && shift && "$@"', 'trial'],
        ...[below, 'pytest', 'a.py'],
      ]);
      assert.equal(workdir, undefined);
    }
  });

  it('says why there is none', () => {
    const why = (target: TrialTarget): string => {
      const planned = planFor(target);
      assert.equal(planned.kind, 'refused');
      return `${planned.message} ${remedyText(planned.remedies)}`;
    };
    const { launch: _unseen, ...unseen } = gateWith();
    assert.equal(
      why({ kind: 'file', gate: gateWith({ kind: 'compiles', title: 'solution.py compiles' }) }),
      '"solution.py compiles" does not run tests. Verify the task instead.',
    );
    assert.equal(
      why({ kind: 'file', gate: unseen }),
      'No run has shown yet how test.sh starts the tests at line 4. Verify once; a trial starts them in the same way.',
    );
    assert.equal(
      why({ kind: 'file', gate: gateWith({ launch: { words: ['make', 'test'], env: {} } }) }),
      'The tests at line 4 are run by something other than pytest or unittest. Verify the task instead.',
    );
    assert.equal(
      why({ kind: 'case', gate: gateWith(), name: 'elsewhere.test_a' }),
      'No test file of the task fits the name elsewhere.test_a. Verify the task instead.',
    );
    const unittest = gateWith({ launch: { words: ['python3', '-m', 'unittest'], env: {} } });
    assert.equal(
      why({ kind: 'case', gate: unittest, name: 'test_solution.test_answer' }),
      'unittest writes no report, so one of its tests cannot be run alone. Verify the task instead.',
    );
  });

  it('tells a failure from what could not run', () => {
    const target = { kind: 'case', gate: gateWith(), name: 'test_solution.test_answer' } as const;
    const trial = (exitCode: number, xml?: string): string => {
      const files = xml === undefined ? {} : { '/run/repair-bench/out/junit-4.xml': xml };
      const { state, message, cases } = judgeTrial(TASK, target, evidenceOf({ trace: '', exitCode, files }));
      return `${state}: ${message} ${cases.map((one) => `${one.name} ${one.state}`).join()}`.trim();
    };
    const report = (inside: string): string =>
      `<testsuites><testsuite><testcase classname="test_solution" name="test_answer" time="0.01">${inside}</testcase></testsuite></testsuites>`;
    assert.equal(trial(0, report('')), 'passed: 1 of 1 passed. test_solution.test_answer passed');
    assert.equal(
      trial(1, report('<failure message="assert 1 == 2">E</failure>')),
      'failed: 1 of 1 failed. test_solution.test_answer failed',
    );
    assert.equal(trial(4), 'errored: pytest no longer finds the test test_solution.test_answer.');
    assert.equal(trial(127), 'errored: The runner ended with status 127 and no result.');
  });
});
