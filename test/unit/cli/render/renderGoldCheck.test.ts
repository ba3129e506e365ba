// What `gold check` says first: holds, does not hold, or could not be checked.
import assert from 'node:assert/strict';
import { plainStyle } from '../../../../src/cli/terminal/terminalStyle.ts';
import { renderGoldCheck } from '../../../../src/cli/render/renderGoldCheck.ts';
import { bySetting } from '../../../../src/fault/remedy.ts';
import type { GoldCheck } from '../../../../src/gold/checkGoldFix.ts';
import { goldRecordText, parseGoldRecord } from '../../../../src/gold/goldRecord.ts';
import { remedyText } from '../../../host/remedyText.ts';
import { ENGINE_ERROR, HOLDS, NO_VERIFIER, scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';
import { goldRecord } from '../../gold/helpers/goldRecords.ts';

const STYLE = plainStyle({ width: 140, colour: false, unicode: true });

function said(check: Partial<GoldCheck>): string {
  const read = parseGoldRecord(goldRecordText(goldRecord()));
  assert.ok(read.ok);
  return renderGoldCheck(
    { folder: '/elsewhere/gold', record: read.record },
    { findings: [], notes: [], ...check },
    STYLE,
  )
    .map((line) => line.trim())
    .join(' ');
}

describe('a check of a gold fix in a terminal', () => {
  it('says that it holds', () => {
    assert.equal(
      said({ verdict: scored({ reward: 1 }) }),
      '✓ The gold fix of bugsinpy-0001 holds: nothing was edited, and the reward is 1 again.',
    );
  });

  it('says that it does not hold, and why', () => {
    assert.equal(
      said({ verdict: scored({ reward: 0.5 }) }),
      '✗ The gold fix of bugsinpy-0001 does not hold: the reward is 0.5.',
    );
    assert.equal(
      said({
        verdict: scored({
          reward: 1,
          warnings: [{ code: 'oracle-failed', message: 'solve.sh ended with status 1.' }],
        }),
      }),
      '✗ The gold fix of bugsinpy-0001 does not hold: the reward is 1. solve.sh ended with status 1.',
    );
    assert.equal(
      said({ findings: [{ code: 'edited', file: 'gold.patch', line: 3, message: 'It was edited.' }] }),
      '✗ The gold fix of bugsinpy-0001 does not hold: /elsewhere/gold was changed since it was saved, or belongs to another task. Nothing was run. gold.patch:3 It was edited.',
    );
  });

  it('says that it could not be checked where nothing can be said about it, and why', () => {
    assert.equal(
      said({
        verdict: {
          ...ENGINE_ERROR,
          message: 'The image is missing.',
          remedies: [bySetting('images', 'map it')],
        },
      }),
      '! The gold fix of bugsinpy-0001 could not be checked: The image is missing. Map it with --image-map A=B.',
    );
    const { message, remedies } = unscored();
    assert.equal(
      said({ verdict: unscored() }),
      `! The gold fix of bugsinpy-0001 could not be checked: the verifier gave no reward. ${message} ${remedyText(remedies)}`,
    );
    assert.equal(
      said({ verdict: NO_VERIFIER }),
      '! The gold fix of bugsinpy-0001 could not be checked: tiny has no tests/test.sh. Add it.',
    );
    assert.equal(
      said({ verdict: { outcome: 'cancelled', version: 2, holdsFor: HOLDS } }),
      '! The gold fix of bugsinpy-0001 could not be checked: the check was cancelled.',
    );
  });
});
