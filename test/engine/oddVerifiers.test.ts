// Verifiers that are broken, odd or hostile: each gives one clear outcome, on Docker and in the sandbox.
import assert from 'node:assert/strict';
import type { Runtime } from '../../src/runtime/runtime.ts';
import type { Task } from '../../src/task/task.ts';
import { starterOf } from '../../src/verifier/plan/solution.ts';
import type { Verdict } from '../../src/verifier/verdict/verdict.ts';
import { verify, type VerifyOptions } from '../../src/verifier/verify.ts';
import { remedyText } from '../host/remedyText.ts';
import { verifyOptions } from '../host/sampleTasks.ts';
import { tinyTask, type TinyTask } from '../host/tinyTask.ts';
import { verdictText } from '../host/verdictText.ts';
import { dockerRuntime, readyEngine } from './dockerUnderTest.ts';
import { sandboxUnderTest } from './sandboxUnderTest.ts';
import { SECOND } from './testPlan.ts';

const BASH = '#!/bin/bash\n';
const PYTEST = 'cd /app && PYTHONPATH=/app python3 -m pytest /tests/test_solution.py -p no:cacheprovider';
const FAILING_TEST = 'import solution\n\n\ndef test_answer():\n    assert solution.answer() == 42\n';

interface Odd {
  readonly name: string;
  readonly task: TinyTask;
  /** The whole verdict as text, see verdictText.ts. */
  readonly verdict: string;
  readonly timeoutMs?: number;
  readonly only?: 'docker' | 'sandbox';
}

const ODD: readonly Odd[] = [
  {
    name: 'writes no reward',
    task: { testScript: `${BASH}echo done\nexit 3\n` },
    verdict: [
      'unscored missing: The verifier ended without writing a reward: neither reward.json nor reward.txt is in /logs/verifier. test.sh ended with status 3. It was at line 3 of test.sh: exit 3',
      'next: A verifier should write its reward on every path. Open test.sh at the line that ran last.',
    ].join('\n'),
  },
  {
    name: 'makes a folder where its reward belongs',
    task: {
      testScript: `${BASH}mkdir /logs/verifier/reward.txt\necho 1 > /logs/verifier/reward.txt\n`,
    },
    verdict: [
      'unscored unparsable: reward.txt in /logs/verifier is a folder; a reward must be a file. test.sh ended with status 1. It was at line 3 of test.sh: echo 1',
      'next: Make test.sh write one finite number to reward.txt, or an object of numbers to reward.json.',
      'reward written at line 3',
    ].join('\n'),
  },
  {
    name: 'writes an empty reward',
    task: { testScript: `${BASH}: > /logs/verifier/reward.txt\n` },
    verdict: [
      'unscored empty: reward.txt is empty. It was at line 2 of test.sh: :',
      'next: Make test.sh write one finite number to reward.txt, or an object of numbers to reward.json.',
      'reward written at line 2',
    ].join('\n'),
  },
  {
    name: 'writes nan',
    task: { testScript: `${BASH}echo nan > /logs/verifier/reward.txt\n` },
    verdict: [
      'unscored not-finite: reward.txt is nan, which is not a finite number. It was at line 2 of test.sh: echo nan',
      'next: Make test.sh write one finite number to reward.txt, or an object of numbers to reward.json.',
      'reward written at line 2',
    ].join('\n'),
  },
  {
    name: 'writes nested JSON',
    task: { testScript: `${BASH}echo '{"reward": {"a": 1}}' > /logs/verifier/reward.json\n` },
    verdict: [
      'unscored unparsable: reward.json: “reward” is an object; a reward must be a number. It was at line 2 of test.sh: echo \'{"reward": {"a": 1}}\'',
      'next: Make test.sh write one finite number to reward.txt, or an object of numbers to reward.json.',
      'reward written at line 2',
    ].join('\n'),
  },
  {
    name: 'has CRLF line endings',
    task: { testScript: '#!/bin/bash\r\necho 1 > /logs/verifier/reward.txt\r\n' },
    verdict: [
      'unscored cannot-start: test.sh could not be started: its lines end in CRLF, so the system looks for an interpreter whose name ends in a carriage return.',
      'next: Save tests/test.sh with LF line endings.',
      '!* 1 check: test.sh [status 127]',
      '     The script could not be started.',
    ].join('\n'),
  },
  {
    name: 'has no shebang',
    task: { testScript: 'if [ -f /app/solution.py ]; then\n  echo 1 > /logs/verifier/reward.txt\nfi\n' },
    verdict: [
      'scored 1',
      'reward written at line 2',
      '✓* 1 exists: solution.py exists',
      '     solution.py is there.',
    ].join('\n'),
  },
  {
    name: 'is run by sh, which cannot be traced',
    task: { testScript: '#!/bin/sh\n[ -f /app/solution.py ] && echo 0.5 > /logs/verifier/reward.txt\n' },
    verdict: [
      'scored 0.5',
      '✗* 1 check: test.sh [status 0]',
      '     Did not lead to a reward. It is run by /bin/sh, which cannot be traced.',
    ].join('\n'),
  },
  {
    name: 'is a Python program',
    task: { testScript: '#!/usr/bin/python3\nopen("/logs/verifier/reward.txt", "w").write("1")\n' },
    verdict: [
      'scored 1',
      '✓* 1 check: test.sh [status 0]',
      '     Led to the reward. It is run by /usr/bin/python3, which cannot be traced.',
    ].join('\n'),
  },
  {
    name: 'never ends',
    timeoutMs: 3000,
    task: { testScript: `${BASH}echo 0 > /logs/verifier/reward.txt\nwhile true; do\n  sleep 0.1\ndone\n` },
    verdict: [
      'unscored timed-out: The verifier was stopped at its time limit of 3 s. It was at line 4 of test.sh: sleep 0.1',
      'next: Look for an endless loop in the solution. Or raise the limit (setting timeoutSeconds).',
      'reward written at line 2',
      '~ reward-before-timeout: A reward of 0 had been written before the time limit; it does not count, as under Harbor.',
    ].join('\n'),
  },
  {
    name: 'never ends in its tests',
    timeoutMs: 4000,
    task: {
      testScript: `${BASH}echo 0 > /logs/verifier/reward.txt\nif python3 -c 'import solution'; then\n  echo 1 > /logs/verifier/reward.txt\nfi\n`,
      starter: 'while True:\n    pass\n',
      toml: '[environment]\nworkdir = "/app"\n',
    },
    verdict: [
      "unscored timed-out: The verifier was stopped at its time limit of 4 s. It was at line 3 of test.sh: python3 -c 'import solution'",
      'next: Look for an endless loop in the solution. Or raise the limit (setting timeoutSeconds).',
      'reward written at line 2',
      '!* 3 imports: solution.py imports',
      '     Was still running when the time limit of 4 s ended the run.',
      '~ reward-before-timeout: A reward of 0 had been written before the time limit; it does not count, as under Harbor.',
    ].join('\n'),
  },
  {
    name: 'is ended by set -e',
    task: { testScript: `${BASH}set -e\ncp /nowhere /app/x\necho 1 > /logs/verifier/reward.txt\n` },
    verdict: [
      'unscored missing: The verifier ended without writing a reward: neither reward.json nor reward.txt is in /logs/verifier. test.sh ended with status 1. It was at line 3 of test.sh: cp /nowhere /app/x',
      'next: A verifier should write its reward on every path. Open test.sh at the line that ran last.',
      '✗* 3 check: cp /nowhere /app/x [status 1]',
      '     Ended the script with status 1, since it runs under set -e.',
    ].join('\n'),
  },
  {
    name: 'calls a program that is not there',
    task: {
      testScript: `${BASH}if no-such-program --check; then\n  echo 1 > /logs/verifier/reward.txt\nelse\n  echo 0 > /logs/verifier/reward.txt\nfi\n`,
    },
    verdict: [
      'scored 0',
      'reward written at line 5',
      '!* 2 check: no-such-program --check',
      '     no-such-program: command not found in the image.',
    ].join('\n'),
  },
  {
    name: 'gives a reward though a test failed',
    task: {
      testScript: `${BASH}${PYTEST}\necho 1 > /logs/verifier/reward.txt\n`,
      tests: { 'test_solution.py': FAILING_TEST },
    },
    verdict: [
      'scored 1',
      'reward written at line 3',
      '✗  2 tests: test_solution.py passes [status 1]',
      '     1 of 1 failed: test_answer. @ /tests/test_solution.py:5',
      '   failed test_solution.test_answer: assert 41 == 42 @ /tests/test_solution.py:5',
      '~ contradiction: The reward is 1, yet the gate “test_solution.py passes” failed (1 of 1 failed: test_answer). Either the verifier is broken or the solution cheats.',
    ].join('\n'),
  },
  {
    name: 'is cheated by a solution that ends the process',
    task: {
      testScript: `${BASH}if ${PYTEST}; then\n  echo 1 > /logs/verifier/reward.txt\nelse\n  echo 0 > /logs/verifier/reward.txt\nfi\n`,
      starter: 'import os\n\nos._exit(0)\n',
      tests: { 'test_solution.py': FAILING_TEST },
    },
    verdict: [
      'scored 1',
      'reward written at line 3',
      '✓* 2 tests: test_solution.py passes',
      '     The test command succeeded.',
      '~ no-report: pytest at line 2 succeeded but left no report: something ended it early, or it is not pytest.',
    ].join('\n'),
  },
  {
    name: 'spreads its test command over several lines',
    task: {
      testScript: `${BASH}export PYTHONPATH=/app\npython3 \\\n  -m pytest \\\n  -p no:cacheprovider \\\n  /tests/test_solution.py \\\n  || { echo 0 > /logs/verifier/reward.txt; exit 0; }\necho 1 > /logs/verifier/reward.txt\n`,
      tests: { 'test_solution.py': FAILING_TEST },
    },
    verdict: [
      'scored 0',
      'reward written at line 7',
      '✗* 3 tests: test_solution.py passes [status 1]',
      '     1 of 1 failed: test_answer. @ /tests/test_solution.py:5',
      '   failed test_solution.test_answer: assert 41 == 42 @ /tests/test_solution.py:5',
    ].join('\n'),
  },
  {
    name: 'asks a job in the background for its status',
    task: {
      testScript: `${BASH}test -d /nowhere &\npid=$!\nif wait "$pid"; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
    },
    verdict: [
      'scored 0',
      'reward written at line 4',
      '✗* 4 check: wait "$pid"',
      '     The script did not continue from here.',
    ].join('\n'),
  },
  {
    name: 'hands over to another script',
    task: {
      testScript: `${BASH}bash /tests/run.sh\n`,
      tests: { 'run.sh': 'echo 0 > /logs/verifier/reward.txt\n' },
    },
    verdict: [
      'scored 0',
      '✗* 2 check: bash /tests/run.sh [status 0]',
      '     Did not lead to a reward: the script leaves the result to this command.',
    ].join('\n'),
  },
  {
    name: 'leaves a daemon that holds its output open',
    task: { testScript: `${BASH}(sleep 300 &)\necho 1 > /logs/verifier/reward.txt\n` },
    verdict: ['scored 1', 'reward written at line 3'].join('\n'),
  },
  {
    name: 'finds a reward that the image planted',
    task: {
      testScript: `${BASH}echo 0 > /logs/verifier/reward.txt\n`,
      dockerfile: ['COPY planted.json /logs/verifier/reward.json'],
      files: { 'environment/planted.json': '{"reward": 1}' },
    },
    verdict: [
      'scored 0',
      'reward written at line 2',
      '~ directory-emptied: The image has files of its own in /logs/verifier; they were removed before the verifier ran.',
    ].join('\n'),
  },
  {
    name: 'forks without end',
    timeoutMs: 15_000,
    task: {
      testScript: `${BASH}echo 0 > /logs/verifier/reward.txt\nbomb() { bomb | bomb & }\nbomb\nsleep 2\n`,
    },
    verdict: '',
  },
];

const RUNTIMES: Readonly<Record<'docker' | 'sandbox', () => Promise<Runtime>>> = {
  docker: async () => dockerRuntime(await readyEngine()).runtime,
  sandbox: async () => (await sandboxUnderTest()).runtime,
};

for (const kind of ['docker', 'sandbox'] as const)
  describe(`odd verifiers on ${kind}`, function () {
    this.timeout(120 * SECOND);
    let runtime: Runtime;
    before(async () => {
      runtime = await RUNTIMES[kind]();
    });
    after(async () => {
      await runtime.dispose();
    });
    const run = async (tiny: TinyTask, timeoutMs?: number): Promise<Verdict> => {
      const task = tinyTask(tiny);
      return verdictOnStarter(task, runtime, timeoutMs === undefined ? {} : { timeoutMs });
    };

    for (const odd of ODD)
      it(`one that ${odd.name}`, async () => {
        const verdict = await run(odd.task, odd.timeoutMs);
        if (odd.verdict === '')
          assert.ok(verdict.outcome === 'scored' || verdict.outcome === 'unscored', verdictText(verdict));
        else assert.equal(verdictText(verdict).trimEnd(), odd.verdict);
      });

    it('one that prints a gigabyte is judged in bounded memory', async () => {
      const before = process.memoryUsage().rss;
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 50);
      const verdict = await run({
        testScript: `${BASH}yes "a line of output" | head -c 1000000000\necho 1 > /logs/verifier/reward.txt\n`,
      });
      clearInterval(watch);
      assert.equal(verdict.outcome, 'scored', verdictText(verdict));
      assert.ok(verdict.outcome === 'scored' && verdict.output.omitted > 900_000_000);
      assert.ok(peak - before < 200 * 1024 * 1024, `grew by ${(peak - before) / 1024 / 1024} MiB`);
    });
  });

async function verdictOnStarter(
  task: Task,
  runtime: Runtime,
  given: Partial<VerifyOptions> = {},
): Promise<Verdict> {
  const subject = { kind: 'solution', solution: starterOf(task) } as const;
  return verify(
    { task, subject, options: await verifyOptions(given) },
    { runtime, sinks: {}, signal: new AbortController().signal },
  );
}

describe('a verifier that cannot be run', function () {
  this.timeout(120 * SECOND);

  it('is no verifier when the task has no test.sh, and no run', async () => {
    const { runtime } = dockerRuntime(await readyEngine());
    const task = tinyTask({});
    const verdict = await verdictOnStarter(task, runtime);
    assert.equal(
      verdictText(verdict),
      'no-verifier: tiny has no tests/test.sh, so nothing can give a reward.\nnext: Add tests/test.sh to the task, or choose another row.\n',
    );
    await runtime.dispose();
  });

  it('is unscored when the image has no bash', async () => {
    const { runtime } = dockerRuntime(await readyEngine());
    const task = tinyTask({
      image: 'alpine:3.20',
      testScript: `${BASH}echo 1 > /logs/verifier/reward.txt\n`,
    });
    const verdict = await verdictOnStarter(task, runtime);
    assert.ok(verdict.outcome === 'unscored' && verdict.reason === 'cannot-start', verdictText(verdict));
    assert.match(verdict.message, /^The verifier could not be started: .*bash/);
    assert.equal(
      remedyText(verdict.remedies),
      'The image needs bash, and the user and working folder that task.toml names.',
    );
    await runtime.dispose();
  });
});
