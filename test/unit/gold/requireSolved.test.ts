import assert from 'node:assert/strict';
import { inWords } from '../../../src/fault/remedy.ts';
import { GoldError } from '../../../src/gold/goldError.ts';
import { requireSolved } from '../../../src/gold/requireSolved.ts';
import type { ScoredVerdict, Verdict } from '../../../src/verifier/verdict/verdict.ts';

const holdsFor = { task: 'a', solution: 'b', image: 'c' };

function scored(part: Partial<ScoredVerdict>): ScoredVerdict {
  return {
    outcome: 'scored',
    version: 2,
    reward: 0,
    rewards: { reward: 0 },
    gates: [],
    cases: [],
    warnings: [],
    clocks: {},
    output: { text: '', omitted: 0 },
    traced: false,
    runtime: { kind: 'docker', name: 'Docker 28', platform: 'linux/amd64' },
    holdsFor,
    ...part,
  };
}

function refusal(verdict: Exclude<Verdict, { outcome: 'cancelled' }>): string {
  try {
    requireSolved('t-1', verdict);
  } catch (error) {
    assert.ok(error instanceof GoldError);
    return `${error.code}: ${error.message}`;
  }
  return assert.fail('it was not refused');
}

describe('a verdict makes a gold fix', () => {
  it('when its reward is 1 or more', () => {
    for (const reward of [1, 1.5]) assert.equal(requireSolved('t-1', scored({ reward })).reward, reward);
  });

  for (const [name, verdict, says] of [
    [
      'a low reward',
      scored({ reward: 0.5 }),
      'not-solved: The verifier of t-1 gave reward 0.5, and a gold fix needs 1.',
    ],
    [
      'a failed case',
      scored({
        cases: [
          { name: 'test_a', state: 'passed' },
          { name: 'test_b', state: 'failed', message: 'assert 1\n  == 2' },
        ],
      }),
      'not-solved: The verifier of t-1 gave reward 0, and a gold fix needs 1. It said: test_b: assert 1 == 2',
    ],
    [
      'the reason in the output',
      scored({ output: { text: 'E   assert 1\nFAILED test_x.py::b - x\n=== 1 failed ===\n\n', omitted: 0 } }),
      'not-solved: The verifier of t-1 gave reward 0, and a gold fix needs 1. It said: FAILED test_x.py::b - x',
    ],
    [
      'the last line of other output',
      scored({ output: { text: 'building\nno luck\n======\n', omitted: 0 } }),
      'not-solved: The verifier of t-1 gave reward 0, and a gold fix needs 1. It said: no luck',
    ],
    [
      'a solve.sh that failed, whatever the reward',
      scored({ reward: 1, warnings: [{ code: 'oracle-failed', message: 'It ended with status 1.' }] }),
      'not-solved: solve.sh did not put the solution of t-1 in place. It ended with status 1.',
    ],
    [
      'no reward',
      {
        ...scored({}),
        outcome: 'unscored',
        reason: 'missing',
        message: 'It wrote none.',
        remedies: [inWords('Look at test.sh.')],
      },
      'unscored: The verifier of t-1 gave no reward. It wrote none.',
    ],
    [
      'no verifier',
      {
        outcome: 'no-verifier',
        version: 2,
        message: 't-1 has no tests/test.sh.',
        remedies: [inWords('Add it.')],
        holdsFor,
      },
      'unscored: t-1 has no tests/test.sh.',
    ],
    [
      'a dead engine',
      {
        outcome: 'engine-error',
        version: 2,
        reason: 'no-engine',
        message: 'No engine answers.',
        remedies: [inWords('Start it.')],
        holdsFor,
      },
      'engine-error: t-1 could not be verified. No engine answers.',
    ],
  ] as const satisfies readonly (readonly [string, Exclude<Verdict, { outcome: 'cancelled' }>, string])[])
    it(`not with ${name}`, () => {
      assert.equal(refusal(verdict), says);
    });
});
