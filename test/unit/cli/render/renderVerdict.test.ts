// Golden texts: one file per verdict in golden/, as a terminal would show it. UPDATE_GOLDEN=1 rewrites them.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskDocument } from '../../../../src/cli/documents/jsonDocuments.ts';
import { plainStyle } from '../../../../src/cli/terminal/terminalStyle.ts';
import { imageUseOf, renderVerdict } from '../../../../src/cli/render/renderVerdict.ts';
import { displayWidth } from '../../../../src/cli/terminal/textLayout.ts';
import { inWords } from '../../../../src/fault/remedy.ts';
import type { Gate, TestCase, UnscoredVerdict, Verdict } from '../../../../src/verifier/verdict/verdict.ts';
import { ROOT } from '../../../host/root.ts';

const GOLDEN = join(ROOT, 'test/unit/cli/golden');
const ESC = '\u001b';

const task: TaskDocument = {
  id: 'bugsinpy-0001',
  family: 'bugsinpy',
  shape: 'v2',
  hash: 'a'.repeat(64),
  image: 'python:3.10-slim',
  gold: 'files',
  problems: [],
};

function gate(kind: Gate['kind'], title: string, line: number, more: Partial<Gate> = {}): Gate {
  return {
    id: `${kind}@${line}`,
    kind,
    title,
    line,
    endLine: line,
    state: 'passed',
    decisive: false,
    command: '',
    runs: 1,
    message: '',
    ...more,
  };
}

const notReached = { state: 'not-reached', runs: 0, message: 'Not reached.' } as const;
const place = (path: `/${string}`, line: number, column?: number) => ({
  path,
  line,
  ...(column === undefined ? {} : { column }),
});

const facts: Omit<UnscoredVerdict, 'outcome' | 'reason' | 'message' | 'remedies'> = {
  version: 2,
  gates: [
    gate('exists', 'solution.py exists', 20),
    gate('edited', 'solution.py was edited', 25),
    gate('compiles', 'solution.py compiles', 30),
    gate('imports', 'solution.py imports', 35),
    gate('tests', 'test_solution.py passes', 40),
  ],
  cases: [],
  warnings: [],
  clocks: { resolve: 12, build: 412, create: 60, upload: 40, verify: 1234, collect: 20, remove: 150 },
  output: { text: '', omitted: 0 },
  traced: true,
  runtime: { kind: 'docker', name: 'Docker 28.2.2', platform: 'linux/amd64' },
  holdsFor: { task: 'a', solution: 'b', image: 'c' },
};

const cases: TestCase[] = [
  { name: 'test_solution.test_open_range', state: 'passed', durationMs: 3 },
  {
    name: 'test_solution.test_suffix',
    state: 'failed',
    durationMs: 1430,
    message: 'assert [ByteRange(0, 99), ByteRange(100, 199)] == [ByteRange(0, 199)]',
    at: place('/app/solution.py', 57),
    related: place('/tests/test_solution.py', 12),
  },
  { name: 'test_solution.test_slow', state: 'skipped', message: 'needs a network' },
  { name: 'test_solution.test_setup', state: 'errored', message: "fixture 'server' not found" },
];

const VERDICTS: Readonly<Record<string, Verdict>> = {
  gold: {
    outcome: 'scored',
    reward: 1,
    rewards: { reward: 1 },
    rewardLine: 64,
    passRatio: 1,
    ...facts,
    gates: facts.gates.map((each) => ({ ...each, decisive: each.kind === 'tests' })),
    cases: cases.slice(0, 1),
  },
  unchanged: {
    outcome: 'scored',
    reward: 0,
    rewards: { reward: 0 },
    rewardLine: 9,
    ...facts,
    gates: facts.gates.map((each, index) =>
      index === 0
        ? each
        : index > 1
          ? { ...each, ...notReached }
          : {
              ...each,
              state: 'failed',
              decisive: true,
              message: 'solution.py is the same as the starter: nothing was edited.',
              at: place('/app/solution.py', 1),
            },
    ),
  },
  'failing-tests': {
    outcome: 'scored',
    reward: 0.5,
    rewards: { reward: 0.5, correctness: 0.25, style: 1 },
    ...facts,
    gates: facts.gates.map((each) =>
      each.kind === 'tests'
        ? {
            ...each,
            state: 'failed',
            decisive: true,
            message: '1 of 4 failed: test_suffix.',
            at: place('/app/solution.py', 57, 5),
          }
        : each,
    ),
    cases,
    warnings: [
      {
        code: 'contradiction',
        message:
          'The reward is 0.5, yet the gate “test_solution.py passes” failed. Either the verifier is broken or the solution cheats.',
      },
    ],
  },
  'no-reward': {
    outcome: 'unscored',
    reason: 'missing',
    message:
      'The verifier ended without writing a reward: neither reward.json nor reward.txt is in /logs/verifier.',
    remedies: [inWords('A verifier should write its reward on every path. Open test.sh at the marked line.')],
    ...facts,
    gates: facts.gates.map((each) =>
      each.kind === 'imports'
        ? { ...each, state: 'errored', decisive: true, message: 'python3: command not found.' }
        : each.kind === 'tests'
          ? { ...each, ...notReached }
          : each,
    ),
    output: { text: '/tests/test.sh: line 35: python3: command not found\n', omitted: 0 },
  },
  'no-verifier': {
    outcome: 'no-verifier',
    version: 2,
    message: 'bugsinpy-0001 has no tests/test.sh, so nothing can give a reward.',
    remedies: [inWords('Add tests/test.sh to the task, or choose another row.')],
    holdsFor: { task: 'a', solution: 'b' },
  },
  'engine-error': {
    outcome: 'engine-error',
    version: 2,
    reason: 'build-failed',
    message: 'The image could not be built: RUN pip install pytets ended with status 1.',
    detail:
      'ERROR: Could not find a version that satisfies the requirement pytets\nERROR: No matching distribution found',
    remedies: [inWords('Correct that line of the Dockerfile.')],
    at: { file: 'environment/Dockerfile', line: 5 },
    holdsFor: { task: 'a', solution: 'b' },
  },
  cancelled: { outcome: 'cancelled', version: 2, holdsFor: { task: 'a', solution: 'b' } },
};

function render(
  verdict: Verdict,
  style = plainStyle({ width: 80, colour: false, unicode: true }),
  named = task,
): string[] {
  return renderVerdict(
    {
      task: named,
      subject: 'your solution: solution.py changed',
      runtime: verdict.outcome === 'no-verifier' ? undefined : 'Docker 28.2.2, linux/amd64',
      verdict,
      command: 'verify',
      showPath: (path) => (path.startsWith('/app/') ? `tasks/bugsinpy-0001/work${path}` : path),
    },
    style,
  );
}

describe('a verdict in a terminal', () => {
  for (const [name, verdict] of Object.entries(VERDICTS))
    it(`reads as in golden/${name}.txt`, () => {
      expectGolden(name, render(verdict));
    });

  it('reads as in golden/ascii.txt where the terminal has only ASCII, and says what is wrong with the task', () => {
    const broken: TaskDocument = {
      ...task,
      problems: [
        {
          code: 'copy-missing',
          severity: 'blocking',
          file: 'environment/Dockerfile',
          line: 4,
          message: 'COPY names solution.py, which is not in environment/. Add the file.',
        },
      ],
    };
    const lines = render(
      VERDICTS['failing-tests'] ?? fail(),
      plainStyle({ width: 60, colour: false, unicode: false }),
      broken,
    );
    expectGolden('ascii', lines);
  });

  it('has no line wider than the terminal, but for names that cannot be broken', () => {
    for (const width of [60, 80, 120])
      for (const verdict of Object.values(VERDICTS))
        for (const line of render(verdict, plainStyle({ width, colour: false, unicode: true })))
          assert.ok(displayWidth(line) <= width || /work\/app/.test(line), `${width}: ${line}`);
  });

  it('has the same words with and without colour', () => {
    for (const verdict of Object.values(VERDICTS)) {
      const coloured = render(verdict, plainStyle({ width: 80, colour: true, unicode: true })).join('\n');
      assert.match(coloured, new RegExp(`${ESC}\\[`));
      assert.equal(coloured.replaceAll(new RegExp(`${ESC}\\[\\d+m`, 'g'), ''), render(verdict).join('\n'));
    }
  });

  it('shows no control characters of a hostile task', () => {
    const evil = `${ESC}[2J${ESC}]0;owned\u0007\u202e\r`;
    const verdict: Verdict = {
      ...(VERDICTS['engine-error'] ?? fail()),
      ...{ message: evil, detail: evil, remedies: [inWords(evil)] },
    };
    const scored: Verdict = {
      ...(VERDICTS['gold'] ?? fail()),
      ...{
        gates: [gate('check', evil, 3, { state: 'failed', message: evil })],
        cases: [{ name: evil, state: 'failed', message: evil }],
      },
    };
    for (const each of [verdict, scored]) {
      const text = render(each, undefined, { ...task, id: evil }).join('\n');
      assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });
});

function expectGolden(name: string, lines: readonly string[]): void {
  const file = join(GOLDEN, `${name}.txt`);
  const text = `${lines.join('\n')}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(GOLDEN, { recursive: true });
    writeFileSync(file, text);
  }
  assert.ok(existsSync(file), `${file} is missing; UPDATE_GOLDEN=1 writes it`);
  assert.equal(text, readFileSync(file, 'utf8'));
}

function fail(): never {
  throw new Error('no such verdict');
}

describe('how the image of a task was used', () => {
  it('is told with the image that stands in for it, however either is written', () => {
    const map = { 'python:3.10-slim': 'mirror/python:3.10' };
    for (const image of ['python:3.10-slim', 'docker.io/library/python:3.10-slim'])
      assert.equal(imageUseOf(image, 'docker', map), 'as mirror/python:3.10');
    assert.equal(imageUseOf('python', 'docker', { 'python:latest': 'other' }), 'as other');
  });

  it('is not told where it was used as it is, or there was none', () => {
    assert.equal(imageUseOf('python:3.11', 'docker', { 'python:3.10': 'other' }), undefined);
    assert.equal(imageUseOf('constructor', 'docker', {}), undefined);
    assert.equal(imageUseOf('python', undefined, { python: 'other' }), undefined);
    assert.equal(imageUseOf(null, 'docker', { python: 'other' }), undefined);
  });

  it('says that the sandbox does without', () => {
    assert.equal(
      imageUseOf('python', 'sandbox', { python: 'other' }),
      'not used: the sandbox builds no image',
    );
  });
});
