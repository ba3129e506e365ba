import assert from 'node:assert/strict';
import {
  remedyWithoutLine,
  remedyWords,
  settingThatHelps,
} from '../../../../src/editor/platform/remedyWords.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { byChoice, byCommand, bySetting, inWords, type Remedy } from '../../../../src/fault/remedy.ts';

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
  });
});
