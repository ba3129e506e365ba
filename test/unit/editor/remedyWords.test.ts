import assert from 'node:assert/strict';
import { engineNextStep } from '../../../src/editor/engineNextStep.ts';
import { fullOutcome } from '../../../src/editor/fullOutcome.ts';
import { messageOf, UserFacingError } from '../../../src/editor/failureMessage.ts';
import { remedyWithoutLine, remedyWords, settingThatHelps } from '../../../src/editor/remedyWords.ts';
import { inEnglish } from '../../../src/wording/translate.ts';
import { byChoice, byCommand, bySetting, inWords, type Remedy } from '../../../src/fault/remedy.ts';
import { ENGINE_ERROR, scored, unscored } from '../verifier/helpers/smallVerdicts.ts';

describe('a remedy in the editor', () => {
  const cases: readonly (readonly [Remedy, string])[] = [
    [inWords('Check the name.'), 'Check the name.'],
    [bySetting('images', 'map it to a mirror'), 'Map it to a mirror with the setting repairBench.images.'],
    [
      bySetting('runtime', 'use the sandbox', { value: 'sandbox', note: 'It needs no image.' }),
      'Use the sandbox: set repairBench.runtime to "sandbox". It needs no image.',
    ],
    [
      byCommand('docker system prune', 'remove what nothing uses', 'It asks first.'),
      'Remove what nothing uses: `docker system prune`. It asks first.',
    ],
    [byChoice('replace', 'replace it'), 'Replace it: choose "Replace" when you are asked.'],
    [byChoice('dataset', 'name the dataset'), 'Name the dataset: "Export Gold Fixes…" asks for it.'],
    [byChoice('skip-unmatched', 'leave them out'), 'Leave them out: "Export Gold Fixes…" does so by itself.'],
  ];
  for (const [remedy, words] of cases)
    it(words, () => {
      assert.equal(remedyWords([remedy], inEnglish), words);
    });

  it('that is not the first is another way out', () => {
    assert.equal(
      remedyWords([inWords('Check the name.'), bySetting('images', 'map it to a mirror')], inEnglish),
      'Check the name. Or map it to a mirror with the setting repairBench.images.',
    );
  });

  it('is shown apart from the line to type', () => {
    const pull = byCommand('docker pull a', 'pull it', 'It takes long.');
    assert.equal(remedyWithoutLine(pull, inEnglish), 'Pull it. It takes long.');
    assert.equal(remedyWithoutLine(inWords('Wait.'), inEnglish), 'Wait.');
  });

  it('has a button where it is a setting', () => {
    assert.equal(settingThatHelps([inWords('Check.'), bySetting('images', 'map it')]), 'images');
    assert.equal(settingThatHelps([inWords('Check.')]), undefined);
    const { at: _at, ...failure } = ENGINE_ERROR;
    const step = (remedies: readonly Remedy[]) =>
      engineNextStep({ ...failure, reason: 'image-missing', remedies });
    assert.deepEqual(step([bySetting('images', 'map it')]), { kind: 'open-setting', name: 'images' });
    assert.deepEqual(step([inWords('Check.')]), { kind: 'show-log' });
  });

  it('follows what came of a run', () => {
    const reward = 'Reward 0: 2 of 5 gates passed. Decided by "test_solution.py passes" (test.sh:40).';
    assert.equal(fullOutcome(scored(), inEnglish), reward);
    assert.equal(
      fullOutcome(unscored(), inEnglish),
      'No reward: the verifier is at fault, not the solution. test.sh ended without writing a reward. Read its output.',
    );
    assert.equal(
      fullOutcome(ENGINE_ERROR, inEnglish),
      'Could not run: neither solution nor verifier is at fault. The image could not be built. Correct the Dockerfile.',
    );
  });

  it('follows the message of an error', () => {
    const remedies = [inWords('Mend it.')];
    const says = (error: unknown) => messageOf(error, inEnglish);
    assert.equal(says(new UserFacingError('Broken.', undefined, { remedies })), 'Broken. Mend it.');
    assert.equal(says(Object.assign(new Error('Broken.'), { code: 'x', remedies })), 'Broken. Mend it.');
    assert.equal(says(new UserFacingError('Broken.')), 'Broken.');
    assert.equal(says('text'), 'text');
  });
});
