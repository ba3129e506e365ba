// JSON documents keep the form that they began with, whatever verdicts become.
import assert from 'node:assert/strict';
import { verdictDocument, verdictDocumentOf } from '../../../../src/cli/documents/verdictDocument.ts';
import { bySetting, inWords } from '../../../../src/fault/remedy.ts';
import type { Verdict } from '../../../../src/verifier/verdict/verdict.ts';
import { ENGINE_ERROR, NO_VERIFIER, scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';

const NO_NETWORK = {
  code: 'no-network',
  message: 'There was no network.',
  remedies: [bySetting('allowNetwork', 'allow it one')],
};
const HOLDS_FOR = { task: 'a', solution: 'b' };
const SAID = [{ code: 'no-network', message: 'There was no network. Allow it one with --network.' }];

describe('a verdict in a JSON document', () => {
  const documentOf = (verdict: Verdict) => {
    const document = verdictDocumentOf(verdict, 'verify');
    // Strictly: nothing is in it that the schema does not know.
    assert.deepEqual(verdictDocument.parse(document), document);
    return document;
  };

  it('has its warnings in the words of the command line', () => {
    const verdict = scored({ warnings: [NO_NETWORK] });
    assert.deepEqual(documentOf(verdict), { ...verdict, version: 1, warnings: SAID });
  });

  it('has its remedies as the next step', () => {
    const remedies = [inWords('Look for a loop.'), bySetting('timeoutSeconds', 'raise the limit')];
    const verdict = { ...unscored(), warnings: [NO_NETWORK], remedies };
    const { remedies: _remedies, ...rest } = verdict;
    assert.deepEqual(documentOf(verdict), {
      ...rest,
      version: 1,
      warnings: SAID,
      nextStep: 'Look for a loop. Or raise the limit with --timeout SECONDS.',
    });
    const failure = { ...ENGINE_ERROR, holdsFor: HOLDS_FOR };
    const { remedies: _others, ...failed } = failure;
    assert.deepEqual(documentOf(failure), {
      ...failed,
      version: 1,
      nextStep: 'Correct the Dockerfile.',
    });
  });

  it('that nothing ran for has its remedies as the next step, too', () => {
    const { remedies: _remedies, ...rest } = NO_VERIFIER;
    const said = { ...rest, holdsFor: HOLDS_FOR, version: 1, nextStep: 'Add it.' };
    assert.deepEqual(documentOf({ ...NO_VERIFIER, holdsFor: HOLDS_FOR }), said);
  });

  it('is all there is to a cancelled one', () => {
    assert.deepEqual(documentOf({ outcome: 'cancelled', version: 2, holdsFor: HOLDS_FOR }), {
      outcome: 'cancelled',
      version: 1,
      holdsFor: HOLDS_FOR,
    });
  });
});
