import assert from 'node:assert/strict';
import {
  impossibleVariable,
  stepEnvironment,
} from '../../../../../src/runtime/sandbox/jail/stepEnvironment.ts';

describe('the environment of a step', () => {
  it('is that of the image, then of the step', () => {
    const user = { name: 'nobody', uid: 65534, gid: 65534, home: '/nonexistent' };
    assert.deepEqual(stepEnvironment({ A: 'image', PATH: '/opt/bin' }, { A: 'step' }, user), {
      PATH: '/opt/bin',
      HOSTNAME: 'sandbox',
      LANG: 'C.UTF-8',
      HOME: '/nonexistent',
      A: 'step',
    });
  });

  it('has no variables that no process can have', () => {
    assert.equal(impossibleVariable({ A: 'x', 'B=C': '' }), 'B=C');
    assert.equal(impossibleVariable({ A: 'x\0y' }), 'A');
    assert.equal(impossibleVariable({ '': 'x' }), '');
    assert.equal(impossibleVariable({ A: '=\n' }), undefined);
  });
});
