import assert from 'node:assert/strict';
import { settingsFrom } from '../../../../src/editor/platform/settings.ts';

describe('settings', () => {
  it('fall back where a person typed something else', () => {
    const odd = { runtime: 'podman', images: { a: 1, b: 'c' }, hostVariables: ['A', 2], timeoutSeconds: -1 };
    const settings = settingsFrom({ get: (name) => Object.entries(odd).find(([key]) => key === name)?.[1] });
    assert.equal(settings.runtime, 'auto');
    assert.deepEqual(settings.images, { b: 'c' });
    assert.deepEqual(settings.hostVariables, ['A']);
    assert.equal(settings.timeoutMs, undefined);
  });
});
