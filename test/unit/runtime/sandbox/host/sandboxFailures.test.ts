import assert from 'node:assert/strict';
import {
  hostFailure,
  missingProgram,
  refusedSandbox,
  wrongPlatform,
} from '../../../../../src/runtime/sandbox/host/sandboxFailures.ts';
import { remedyText } from '../../../../host/remedyText.ts';

describe('failures of the sandbox', () => {
  it('say what to install', () => {
    assert.match(remedyText(missingProgram('bwrap').remedies), /sudo apt-get install bubblewrap/);
    assert.match(remedyText(missingProgram('prlimit').remedies), /util-linux/);
    assert.match(wrongPlatform('darwin').message, /this is darwin/);
  });

  for (const [setting, settings] of [
    ['kernel.unprivileged_userns_clone=1', { unprivilegedClone: '0' }],
    ['user.max_user_namespaces=10000', { maxUserNamespaces: '0' }],
    ['kernel.apparmor_restrict_unprivileged_userns=0', { apparmorRestricts: '1' }],
  ] as const) {
    it(`name the setting ${setting}`, () => {
      const failure = refusedSandbox('bwrap: setting up uid map: Permission denied\n', settings);
      assert.equal(failure.reason, 'no-sandbox');
      assert.equal(failure.detail, 'bwrap: setting up uid map: Permission denied');
      assert.ok(remedyText(failure.remedies).includes(setting), remedyText(failure.remedies));
    });
  }

  it('guess from the words where no setting tells', () => {
    const next = (words: string): string =>
      remedyText(refusedSandbox(words, { unprivilegedClone: '1', maxUserNamespaces: '100' }).remedies);
    assert.match(next('bwrap: Unknown option --size'), /0\.6 or later/);
    assert.match(
      next("bwrap: Can't mount proc on /newroot/proc: Operation not permitted"),
      /hides parts of \/proc/,
    );
    assert.match(next('bwrap: No permissions to create new namespace'), /allow it to create user namespaces/);
  });

  it('tell a full disk from all else', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    assert.equal(hostFailure(full).reason, 'disk-full');
    assert.equal(hostFailure(new Error('other')).reason, 'unexpected');
    assert.equal(hostFailure('odd').detail, 'odd');
  });
});
