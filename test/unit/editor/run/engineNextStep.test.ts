import assert from 'node:assert/strict';
import { engineNextStep } from '../../../../src/editor/run/engineNextStep.ts';
import { bySetting, inWords, type Remedy } from '../../../../src/fault/remedy.ts';
import { ENGINE_ERROR } from '../../verifier/helpers/smallVerdicts.ts';

describe('the one button of a run that could not take place', () => {
  it('does what helps', () => {
    const step = (reason: string) => {
      const { at: _at, ...rest } = ENGINE_ERROR;
      return engineNextStep({ ...rest, reason }).kind;
    };
    assert.deepEqual(engineNextStep(ENGINE_ERROR), {
      kind: 'open-file',
      file: 'environment/Dockerfile',
      line: 5,
    });
    assert.equal(step('no-engine'), 'use-sandbox');
    assert.equal(step('no-sandbox'), 'open-setting');
    assert.equal(step('disk-full'), 'show-log');
    // An engine without the image is of no use; the sandbox needs none.
    assert.equal(engineNextStep({ ...ENGINE_ERROR, reason: 'image-missing' }, true).kind, 'use-sandbox');
  });

  it('opens the setting that helps', () => {
    const { at: _at, ...failure } = ENGINE_ERROR;
    const step = (remedies: readonly Remedy[]) =>
      engineNextStep({ ...failure, reason: 'image-missing', remedies });
    assert.deepEqual(step([bySetting('images', 'map it')]), { kind: 'open-setting', name: 'images' });
    assert.deepEqual(step([inWords('Check.')]), { kind: 'show-log' });
  });
});
