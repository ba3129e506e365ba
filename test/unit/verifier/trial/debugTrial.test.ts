import assert from 'node:assert/strict';
import { type DebugpyFiles, planDebugTrial } from '../../../../src/verifier/trial/debugTrial.ts';
import type { TrialPlan, TrialTarget } from '../../../../src/verifier/trial/trial.ts';
import { starterOf } from '../../../../src/verifier/plan/solution.ts';
import type { Gate } from '../../../../src/verifier/verdict/verdict.ts';
import { tinyTask } from '../../../host/tinyTask.ts';
import { testsGate } from '../helpers/smallVerdicts.ts';

const OPTIONS = { allowNetwork: false, allowedHostNames: new Set<string>(), hostEnv: {}, timeoutMs: 5000 };
const TASK = tinyTask({ testScript: '#!/bin/bash\n', tests: { 'test_solution.py': '' } });

function gateOf(...words: readonly string[]): Gate {
  return testsGate({ launch: { words: [...words], env: { PYTHONPATH: '/app' } } });
}

function planFor(target: TrialTarget, debugpy: DebugpyFiles = new Map()): TrialPlan {
  const request = { task: TASK, solution: starterOf(TASK), target, options: OPTIONS };
  return planDebugTrial(request, { debugpy, mark: 'MARK' });
}

/** The words that are run for the tests of a gate. */
function wordsOf(...words: readonly string[]): readonly string[] {
  const target = { kind: 'file', gate: gateOf(...words) } as const;
  const planned = planFor(target);
  assert.equal(planned.kind, 'planned');
  return planned.plan.verifier.command.slice(9).filter((word) => !word.startsWith('--junitxml='));
}

describe('a trial that waits for a debugger', () => {
  it('loads the debugger before any other plugin of pytest, however pytest is started', () => {
    assert.deepEqual(wordsOf('/venv/bin/pytest', '-q', 'a.py'), [
      ...['/venv/bin/pytest', '-p', 'repair_bench_debug', '-q', 'a.py'],
    ]);
    assert.deepEqual(wordsOf('python3', '-m', 'pytest', 'a.py'), [
      ...['python3', '-m', 'pytest', '-p', 'repair_bench_debug', 'a.py'],
    ]);
  });

  it('starts unittest by way of the debugger', () => {
    assert.deepEqual(wordsOf('python3', '-m', 'unittest', '-v', 'test_solution'), [
      ...['python3', '-m', 'repair_bench_debug', '-v', 'test_solution'],
    ]);
  });

  it('leaves out what would end it while a person thinks, or run tests where no debugger is', () => {
    const plain = ['python3', '-m', 'pytest', '-p', 'repair_bench_debug', 'a.py'];
    assert.deepEqual(wordsOf('timeout', '60', 'python3', '-m', 'pytest', 'a.py'), plain);
    assert.deepEqual(
      wordsOf('/usr/bin/timeout', '-k', '5', '--signal=KILL', '60s', ...['python3', '-m', 'pytest', 'a.py']),
      plain,
    );
    for (const processes of [
      ...[['-n', '4'], ['-n4'], ['--numprocesses=auto'], ['--numprocesses', '2']],
      ...[['--timeout=5'], ['--timeout', '5']],
    ])
      assert.deepEqual(wordsOf('python3', '-m', 'pytest', ...processes, 'a.py'), plain, processes.join(' '));
  });

  it('brings its files and its mark, and no time limit of the task', () => {
    const target = { kind: 'file', gate: gateOf('pytest') } as const;
    const debugpy = new Map([['debugpy/__init__.py', Buffer.from('x = 1\n')]]);
    const planned = planFor(target, debugpy);
    assert.equal(planned.kind, 'planned');
    const { env, files, timeoutMs } = planned.plan.verifier;
    assert.equal(env['REPAIR_BENCH_DEBUG_MARK'], 'MARK');
    assert.equal(env['PYTHONPATH'], '/app');
    assert.equal(env['PYTEST_TIMEOUT'], '0');
    assert.ok(timeoutMs > 60 * 60 * 1000);
    const brought = files.filter(({ path }) => path.startsWith('/run/repair-bench/'));
    assert.deepEqual(
      brought.map(({ path, mode, owner }) => [path, mode, owner]),
      [
        ['/run/repair-bench/debug/repair_bench_debug.py', 0o644, 'root'],
        ['/run/repair-bench/debug/libs/debugpy/__init__.py', 0o644, 'root'],
      ],
    );
  });

  it('refuses what a trial refuses', () => {
    const target = { kind: 'file', gate: gateOf('make', 'check') } as const;
    const planned = planFor(target);
    assert.equal(planned.kind, 'refused');
  });
});
