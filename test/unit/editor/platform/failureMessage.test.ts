import assert from 'node:assert/strict';
import { messageOf, UserFacingError } from '../../../../src/editor/platform/failureMessage.ts';
import { inWords } from '../../../../src/fault/remedy.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';

describe('a remedy in the editor', () => {
  it('follows the message of an error', () => {
    const remedies = [inWords('Mend it.')];
    const says = (error: unknown) => messageOf(error, inEnglish);
    assert.equal(says(new UserFacingError('Broken.', undefined, { remedies })), 'Broken. Mend it.');
    assert.equal(says(Object.assign(new Error('Broken.'), { code: 'x', remedies })), 'Broken. Mend it.');
    assert.equal(says(new UserFacingError('Broken.')), 'Broken.');
    assert.equal(says('text'), 'text');
  });
});
