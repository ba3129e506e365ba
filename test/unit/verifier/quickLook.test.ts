import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { evidenceSchema } from '../../../src/runtime/evidence.ts';
import { argumentsForOne, nodeIdOf, runnerCommand } from '../../../src/verifier/pytestCommand.ts';
import { judgeQuickLook, type LookTarget, planQuickLook } from '../../../src/verifier/quickLook.ts';
import { starterOf } from '../../../src/verifier/solution.ts';
import type { Gate, Launch, Verdict } from '../../../src/verifier/verdict.ts';
import { judgeRun } from '../../../src/verifier/verify.ts';
import { remedyText } from '../../host/remedyText.ts';
import { bashGrammar, sampleTask, subjectOf } from '../../host/sampleTasks.ts';
import { tinyTask } from '../../host/tinyTask.ts';
import { evidenceOf, judgeScripted } from './helpers/scriptedEvidence.ts';
import { testsGate } from './helpers/testsGate.ts';

const OPTIONS = { allowNetwork: false, allowedHostNames: new Set<string>(), hostEnv: {} };
const LAUNCH: Launch = {
  words: ['python3', '-m', 'pytest', '-x', '/tests/test_solution.py', '-q'],
  folder: '/tests',
  env: { PYTHONPATH: '/app' },
};

/** A gate whose tests are known to have been started. */
const gateWith = (part: Partial<Gate> = {}): Gate => testsGate({ launch: LAUNCH, ...part });

function launchIn(verdict: Verdict): Launch | undefined {
  assert.equal(verdict.outcome, 'scored');
  return verdict.gates.find(({ kind }) => kind === 'tests')?.launch;
}

const TASK = tinyTask({
  testScript: '#!/bin/bash\n',
  tests: { 'test_solution.py': 'def test_answer():\n    pass\n', 'unit/test_solution.py': '' },
});

const planFor = (target: LookTarget) =>
  planQuickLook({ task: TASK, solution: starterOf(TASK), target, options: OPTIONS });

describe('how a runner was started', () => {
  it('is read from the trace of a recorded run', async () => {
    const file = new URL('../../fixtures/evidence/bugsinpy-0001.wrong-edit.json', import.meta.url);
    const evidence = evidenceSchema.parse(JSON.parse(readFileSync(fileURLToPath(file), 'utf8')));
    const task = await sampleTask('bugsinpy-0001');
    const subject = subjectOf(task, 'wrong-edit');
    assert.equal(subject.kind, 'solution');
    const options = { parseBash: await bashGrammar(), trace: true };
    const launch = launchIn(judgeRun(task, subject.solution, evidence, options));
    assert.deepEqual(launch, {
      words: ['python3', '-m', 'pytest', '/tests/test_solution.py', '-v', '--tb=short'],
      env: { PYTHONPATH: '/app' },
    });
  });

  it('holds folder and variables as the script left them, sourced files with them', async () => {
    const launch = launchIn(
      await judgeScripted({
        script: [
          'cd /app',
          'source ./env.sh',
          'PLAIN=1',
          'X=$(cd /; pwd)',
          'if MODE=fast pytest test_a.py; then echo 1 > /logs/verifier/reward.txt; fi',
        ].join('\n'),
        trace: [
          '+2:0: cd /app',
          '+3:0: source ./env.sh',
          '++1:0: export PATH=/venv/bin:/usr/bin',
          '++1:0: PATH=/venv/bin:/usr/bin',
          '++2:0: cd build',
          '+4:0: PLAIN=1',
          '++5:0: cd /',
          '++5:0: pwd',
          '+5:0: X=/',
          '+6:0: MODE=fast',
          '+6:0: pytest test_a.py',
          '+6:0: echo 1',
          '',
        ].join('\n'),
        reward: '1',
      }),
    );
    assert.deepEqual(launch, {
      words: ['pytest', 'test_a.py'],
      folder: '/app/build',
      env: { PATH: '/venv/bin:/usr/bin', MODE: 'fast' },
    });
  });
});

describe('the folder of a runner', () => {
  const folderIn = async (script: readonly string[], trace: readonly string[]): Promise<unknown> => {
    const verdict = await judgeScripted({
      script: [...script, 'echo 1 > /logs/verifier/reward.txt'].join('\n'),
      trace: [...trace, ''].join('\n'),
      reward: '1',
    });
    const launch = launchIn(verdict);
    assert.ok(launch);
    return launch.folder;
  };

  it('is not that of a subshell, a pipeline or a background job before it', async () => {
    const script = [
      'cd /app',
      '( cd /elsewhere; ls )',
      '{ cd build; make; } | tee log',
      'cd /tmp &',
      'pytest a.py || exit 1',
    ];
    const ran = ['cd /elsewhere', 'ls', 'cd build', 'tee log', 'make', 'cd /tmp', 'pytest a.py', 'echo 1'];
    const lines = [3, 3, 4, 4, 4, 5, 6, 7];
    const trace = ['+2:0: cd /app', ...ran.map((command, at) => `+${lines[at]}:0: ${command}`)];
    assert.equal(await folderIn(script, trace), '/app');
  });

  it('is that of its own subshell, entered anew each time', async () => {
    const script = ['cd /app', 'for d in a b; do ( cd $d; pytest -q || exit 1 ); done'];
    const trace = [
      ...['+2:0: cd /app', '+3:0: for d in a b', '+3:0: cd a', '+3:0: pytest -q'],
      ...['+3:0: for d in a b', '+3:0: cd b', '+3:0: pytest -q', '+4:0: echo 1'],
    ];
    assert.equal(await folderIn(script, trace), '/app/b');
  });

  it('is that of the shell that called its function', async () => {
    const script = ['go() {', '  pytest -q || exit 1', '}', '( cd /inner; go )'];
    const trace = ['+5:0: cd /inner', '+5:0: go', '+3:0: pytest -q', '+6:0: echo 1'];
    assert.equal(await folderIn(script, trace), '/inner');
  });

  it('is the home folder after a bare cd', async () => {
    const trace = ['+2:0: cd', '+3:0: cd ../work', '+4:0: pytest -q', '+5:0: echo 1'];
    const script = ['cd', 'cd ../work', 'pytest -q || exit 1'];
    assert.equal(await folderIn(script, trace), '~/../work');
    const told = ['HOME=/home/me', ...script];
    const traceTold = ['+2:0: HOME=/home/me', ...trace.map((line, at) => line.replace(/^.\d/, `+${at + 3}`))];
    assert.equal(await folderIn(told, traceTold), '/home/work');
  });
});

describe('a command of a test runner', () => {
  it('is known through wrappers, and not inside another shell', () => {
    assert.deepEqual(runnerCommand(['timeout', '60', 'python3', '-m', 'pytest', '-q', 'a.py']), {
      runner: 'pytest',
      start: ['timeout', '60', 'python3', '-m', 'pytest'],
      args: ['-q', 'a.py'],
    });
    assert.equal(runnerCommand(['/venv/bin/pytest', 'a.py'])?.runner, 'pytest');
    assert.equal(runnerCommand(['python3', '-m', 'unittest', 'discover'])?.runner, 'unittest');
    for (const words of [
      ['bash', '-c', 'pytest'],
      ['python3', '/tests/test_a.py', 'pytest'],
      ['python3', '-c', 'import pytest', '-m', 'pytest'],
      ['go', 'test', './...'],
      ['make', 'check'],
    ])
      assert.equal(runnerCommand(words), undefined, words.join(' '));
  });

  it('keeps how tests run and drops which ones', () => {
    assert.deepEqual(
      argumentsForOne(
        [
          ...[
            '-x',
            '-k',
            'range',
            '--maxfail=1',
            '-p',
            'no:cacheprovider',
            '--tb=short',
            '--rootdir',
            '/tests',
          ],
          ...['/tests/a.py', 'b.py', '--deselect', 'b.py::c', '-v'],
        ],
        '/tests/a.py::test_b',
      ),
      ['-p', 'no:cacheprovider', '--tb=short', '--rootdir', '/tests', '-v', '/tests/a.py::test_b'],
    );
  });

  it('names a case by the file that its report means', () => {
    const tests = ['/tests/test_solution.py', '/tests/unit/test_solution.py', '/tests/test.sh'] as const;
    const idOf = (name: string, args: readonly string[] = []): string | undefined =>
      nodeIdOf(name, args, tests);
    assert.equal(idOf('test_solution.test_a'), '/tests/test_solution.py::test_a');
    assert.equal(
      idOf('tests.unit.test_solution.TestB.test_a'),
      '/tests/unit/test_solution.py::TestB::test_a',
    );
    assert.equal(idOf('test_solution.test_a[1.5-x.y]'), '/tests/test_solution.py::test_a[1.5-x.y]');
    assert.equal(idOf('test_other.test_a', ['/repo/test_other.py::test_z']), '/repo/test_other.py::test_a');
    assert.equal(idOf('test_other.test_a'), undefined);
    assert.equal(idOf('test_solution'), undefined);
  });
});

describe('a quick look', () => {
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
        ...['cd -- ~/"$1" && shift && "$@"', 'quick-look'],
        ...[below, 'pytest', 'a.py'],
      ]);
      assert.equal(workdir, undefined);
    }
  });

  it('says why there is none', () => {
    const why = (target: LookTarget): string => {
      const planned = planFor(target);
      assert.equal(planned.kind, 'refused');
      return `${planned.message} ${remedyText(planned.remedies)}`;
    };
    const { launch: _unseen, ...unseen } = gateWith();
    assert.equal(
      why({ kind: 'file', gate: gateWith({ kind: 'compiles', title: 'solution.py compiles' }) }),
      '"solution.py compiles" is no gate that runs tests. Verify the task instead.',
    );
    assert.equal(
      why({ kind: 'file', gate: unseen }),
      'How test.sh starts the tests of line 4 was not seen yet. Verify once; a quick look starts them in the same way.',
    );
    assert.equal(
      why({ kind: 'file', gate: gateWith({ launch: { words: ['make', 'test'], env: {} } }) }),
      'The tests of line 4 are run by something other than pytest or unittest. Verify the task instead.',
    );
    assert.equal(
      why({ kind: 'case', gate: gateWith(), name: 'elsewhere.test_a' }),
      'No test file of the task fits the name elsewhere.test_a. Verify the task instead.',
    );
    const unittest = gateWith({ launch: { words: ['python3', '-m', 'unittest'], env: {} } });
    assert.equal(
      why({ kind: 'case', gate: unittest, name: 'test_solution.test_answer' }),
      'unittest leaves no report from which one case could be named. Verify the task instead.',
    );
  });

  it('tells a failure from what could not run', () => {
    const target = { kind: 'case', gate: gateWith(), name: 'test_solution.test_answer' } as const;
    const look = (exitCode: number, xml?: string): string => {
      const files = xml === undefined ? {} : { '/run/repair-bench/out/junit-4.xml': xml };
      const { state, message, cases } = judgeQuickLook(
        TASK,
        target,
        evidenceOf({ trace: '', exitCode, files }),
      );
      return `${state}: ${message} ${cases.map((one) => `${one.name} ${one.state}`).join()}`.trim();
    };
    const report = (inside: string): string =>
      `<testsuites><testsuite><testcase classname="test_solution" name="test_answer" time="0.01">${inside}</testcase></testsuite></testsuites>`;
    assert.equal(look(0, report('')), 'passed: 1 of 1 passed. test_solution.test_answer passed');
    assert.equal(
      look(1, report('<failure message="assert 1 == 2">E</failure>')),
      'failed: 1 of 1 failed. test_solution.test_answer failed',
    );
    assert.equal(
      look(4),
      'errored: There is no test test_solution.test_answer any more, as far as pytest finds it.',
    );
    assert.equal(look(127), 'errored: The runner ended with status 127 and no result.');
  });
});
