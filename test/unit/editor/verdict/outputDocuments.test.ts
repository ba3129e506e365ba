import assert from 'node:assert/strict';
import { outputText, runText, verdictOutput } from '../../../../src/editor/verdict/outputDocuments.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { ENGINE_ERROR, NO_VERIFIER, scored } from '../../verifier/helpers/smallVerdicts.ts';
import { shown, state } from '../helpers/taskStates.ts';

describe('the output of a run', () => {
  it('is text without colours, and says what was left out', () => {
    const output = { text: '\u001b[31mFAIL\u001b[0m done', omitted: 12 };
    assert.equal(
      outputText(shown(scored({ output })), inEnglish),
      'Left out of the middle: 12 bytes.\n\nFAIL done',
    );
    assert.match(outputText(shown(ENGINE_ERROR), inEnglish), /could not be built[^]*pip: not found/);
    assert.equal(outputText(state(), inEnglish), 'Nothing has run yet.');
  });

  it('is, without a verifier, why there was no run', () => {
    assert.equal(verdictOutput(NO_VERIFIER, inEnglish), 'tiny has no tests/test.sh.\n\nAdd it.');
  });

  it('is read once, whatever escape sequences are left open in it', () => {
    // Looking from each of these to the end would take minutes.
    const text = '\u001b]0;'.repeat(300_000) + 'end \u001b]0;title\u0007shown';
    const plain = outputText(shown(scored({ output: { text, omitted: 0 } })), inEnglish);
    assert.ok(plain.endsWith('end shown'));
  });
});

describe('a run as a document', () => {
  it('says when, what it came to, each gate, and what was printed', () => {
    const record = {
      version: 1,
      at: '2026-01-02T03:04:05.000Z',
      startedBy: 'agent',
      subject: 'solution',
      runtime: { kind: 'docker', name: 'Docker 28.2.2' },
      verdict: scored(),
    } as const;
    const text = runText(record, inEnglish);
    const [when = '', ...rest] = text.split('\n');
    assert.match(when, / · Docker 28\.2\.2$/);
    assert.deepEqual(rest, [
      'Reward 0: 2 of 5 gates passed. Decided by "test_solution.py passes" (test.sh:40).',
      'Started by an agent.',
      '',
      'passed: solution.py exists (test.sh:20)',
      'passed: solution.py was edited (test.sh:25)',
      'failed: solution.py compiles (test.sh:30)',
      'failed: test_solution.py passes (test.sh:40)',
      'not reached: style (test.sh:50)',
      '',
      'FAIL',
    ]);
  });
});
