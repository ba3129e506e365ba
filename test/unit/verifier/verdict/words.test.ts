// What came of a run in words, alike in the editor and in the command line.
import assert from 'node:assert/strict';
import { plainStyle } from '../../../../src/cli/terminal/terminalStyle.ts';
import { renderVerdict } from '../../../../src/cli/render/renderVerdict.ts';
import { runAnswer } from '../../../../src/editor/agents/agentAnswers.ts';
import { problemsOf } from '../../../../src/editor/verdict/problems.ts';
import type { UnscoredReason, Verdict } from '../../../../src/verifier/verdict/verdict.ts';
import { reasonOf } from '../../../../src/verifier/verdict/verdictFacts.ts';
import {
  blameWords,
  caseStateWord,
  outcomeLabel,
  outcomeSentence,
  outcomeWords,
  phaseWords,
} from '../../../../src/verifier/verdict/words.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { ENGINE_ERROR, gate, HOLDS, NO_VERIFIER, scored, unscored } from '../helpers/smallVerdicts.ts';

const CANCELLED: Verdict = { outcome: 'cancelled', version: 2, holdsFor: HOLDS };

const TIMED_OUT = {
  ...unscored(),
  reason: 'timed-out',
  message: 'The verifier was stopped at its time limit of 60 s.',
} as const;
const UNREWARDED = [unscored(), TIMED_OUT, NO_VERIFIER, ENGINE_ERROR] as const;

describe('what came of a run', () => {
  const all = [scored({ reward: 0.5 }), unscored(), NO_VERIFIER, ENGINE_ERROR, CANCELLED];

  it('is a label, and the same words inside a line', () => {
    assert.deepEqual(
      all.map((verdict) => outcomeLabel(verdict, inEnglish)),
      ['Reward 0.5', 'No reward', 'No reward', 'Could not run', 'Cancelled'],
    );
    assert.deepEqual(
      all.map((verdict) => outcomeWords(verdict, inEnglish)),
      ['reward 0.5', 'no reward', 'no reward', 'could not run', 'cancelled'],
    );
  });

  it('is one sentence that says first which of the kinds it is', () => {
    assert.deepEqual(
      [scored({ gates: [] }), scored(), ...UNREWARDED, CANCELLED].map((verdict) =>
        outcomeSentence(verdict, inEnglish),
      ),
      [
        'Reward 0.',
        'Reward 0: 2 of 5 gates passed. Decided by "test_solution.py passes" (test.sh:40).',
        'No reward: the verifier is at fault, not the solution. test.sh ended without writing a reward.',
        'No reward: either the solution or the verifier took too long. The verifier was stopped at its time limit of 60 s.',
        'No reward: the task is at fault, not the solution. tiny has no tests/test.sh.',
        'Could not run: neither solution nor verifier is at fault. The image could not be built.',
        'The run was cancelled.',
      ],
    );
  });

  it('does not name a gate that passed as the one that decided', () => {
    const passed = gate({ kind: 'tests', line: 40, title: 'tests pass', state: 'passed', decisive: true });
    assert.equal(
      outcomeSentence(scored({ reward: 1, gates: [passed] }), inEnglish),
      'Reward 1: 1 of 1 gates passed.',
    );
  });
});

describe('who is to blame', () => {
  it('is the verifier for each reason but one: what took too long may be the solution', () => {
    const reasons: readonly UnscoredReason[] = [
      'missing',
      'empty',
      'unparsable',
      'not-finite',
      'timed-out',
      'cannot-start',
    ];
    const open = reasons.filter(
      (reason) =>
        blameWords({ ...unscored(), reason }, inEnglish) !== 'the verifier is at fault, not the solution',
    );
    assert.deepEqual(open, ['timed-out']);
  });

  for (const verdict of UNREWARDED) {
    const reason = reasonOf(verdict);
    it(`is told alike wherever a run with ${reason} is shown`, () => {
      const blame = blameWords(verdict, inEnglish);
      const look = plainStyle({ width: 200, colour: false, unicode: true });
      const task = {
        id: 't',
        family: 'bugsinpy',
        shape: null,
        hash: '',
        image: null,
        gold: 'none',
        problems: [],
      } as const;
      const terminal = renderVerdict(
        {
          task: { ...task, problems: [] },
          subject: 's',
          runtime: 'r',
          verdict,
          command: 'verify',
          showPath: (path) => path,
        },
        look,
      );
      const told = { hostPathOf: () => '', isRevealed: () => false, solution: new Set<string>() };
      const [problem] = problemsOf(verdict, { files: ['/app/solution.py'], t: inEnglish });
      for (const text of [
        terminal.join('\n'),
        JSON.stringify(runAnswer(verdict, told)),
        problem?.message ?? '',
      ])
        assert.ok(text.includes(blame), text);
    });
  }
});

describe('words for what is going on', () => {
  it('begin with the choice of a runtime', () => {
    assert.equal(phaseWords(undefined, inEnglish), 'looking for a runtime');
    assert.equal(phaseWords('runtime', inEnglish), phaseWords(undefined, inEnglish));
  });

  it('tell one test that had an error from several', () => {
    assert.deepEqual(
      [1, 2].map((count) => `${count} ${caseStateWord('errored', inEnglish, count)}`),
      ['1 had an error', '2 had errors'],
    );
  });
});
