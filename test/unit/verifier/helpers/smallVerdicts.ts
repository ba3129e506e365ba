// Verdicts for tests of what is shown of them: small, but whole.
import { inWords } from '../../../../src/fault/remedy.ts';
import type {
  Gate,
  NoVerifierVerdict,
  ScoredVerdict,
  TestCase,
  UnscoredVerdict,
  Verdict,
} from '../../../../src/verifier/verdict/verdict.ts';

export const HOLDS = { task: 'a'.repeat(64), solution: 'b'.repeat(64), image: `sha256:${'c'.repeat(64)}` };

export function gate(part: Pick<Gate, 'kind' | 'line' | 'title' | 'state'> & Partial<Gate>): Gate {
  return {
    id: `${part.kind}@${part.line}`,
    decisive: false,
    endLine: part.line,
    command: 'true',
    runs: part.state === 'not-reached' ? 0 : 1,
    message: '',
    ...part,
  };
}

/** A gate that runs tests and failed. */
export function testsGate(part: Partial<Gate>): Gate {
  return gate({
    kind: 'tests',
    line: 4,
    title: 'test_solution.py passes',
    state: 'failed',
    decisive: true,
    ...part,
  });
}

export const FAILING_CASE: TestCase = {
  name: 'test_solution.test_two',
  state: 'failed',
  durationMs: 12,
  message: 'assert 999 == 1000',
  detail: 'E  assert 999 == 1000',
  at: { path: '/app/solution.py', line: 7 },
  related: { path: '/tests/test_solution.py', line: 14 },
  gateLine: 40,
};

export const GATES: readonly Gate[] = [
  gate({ kind: 'exists', line: 20, title: 'solution.py exists', state: 'passed' }),
  gate({ kind: 'edited', line: 25, title: 'solution.py was edited', state: 'passed' }),
  gate({
    kind: 'compiles',
    line: 30,
    title: 'solution.py compiles',
    state: 'failed',
    message: 'SyntaxError: invalid syntax.',
    at: { path: '/app/solution.py', line: 3, column: 5 },
  }),
  gate({
    kind: 'tests',
    line: 40,
    title: 'test_solution.py passes',
    state: 'failed',
    decisive: true,
    message: '1 of 2 tests failed.',
    at: { path: '/tests/test_solution.py', line: 14 },
  }),
  gate({ kind: 'check', line: 50, title: 'style', state: 'not-reached' }),
];

export function scored(part: Partial<ScoredVerdict> = {}): ScoredVerdict {
  return {
    outcome: 'scored',
    version: 2,
    reward: 0,
    rewards: { reward: 0 },
    gates: [...GATES],
    cases: [{ name: 'test_solution.test_one', state: 'passed', durationMs: 3, gateLine: 40 }, FAILING_CASE],
    warnings: [],
    clocks: { build: 4200, verify: 1234 },
    rewardLine: 9,
    output: { text: 'FAIL', omitted: 0 },
    traced: true,
    runtime: { kind: 'docker', name: 'Docker 28.2.2', platform: 'linux/amd64' },
    holdsFor: HOLDS,
    ...part,
  };
}

export function unscored(): UnscoredVerdict {
  const {
    outcome: _outcome,
    reward: _reward,
    rewards: _rewards,
    ...facts
  } = scored({ gates: [], cases: [] });
  return {
    ...facts,
    outcome: 'unscored',
    reason: 'missing',
    message: 'test.sh ended without writing a reward.',
    remedies: [inWords('Read its output.')],
  };
}

export const ENGINE_ERROR: Extract<Verdict, { outcome: 'engine-error' }> = {
  outcome: 'engine-error',
  version: 2,
  reason: 'build-failed',
  message: 'The image could not be built.',
  detail: 'pip: not found',
  remedies: [inWords('Correct the Dockerfile.')],
  at: { file: 'environment/Dockerfile', line: 5 },
  holdsFor: HOLDS,
};

export const NO_VERIFIER: NoVerifierVerdict = {
  outcome: 'no-verifier',
  version: 2,
  message: 'tiny has no tests/test.sh.',
  remedies: [inWords('Add it.')],
  holdsFor: HOLDS,
};
