import assert from 'node:assert/strict';
import { byCommand, inWords } from '../../../src/fault/remedy.ts';
import { chooseRuntime, type RuntimeRequest } from '../../../src/runtime/chooseRuntime.ts';
import type { Runtime, RuntimeFailure } from '../../../src/runtime/runtime.ts';
import type { RuntimeKind } from '../../../src/runtime/schemas.ts';
import { remedyText } from '../../host/remedyText.ts';

const wish: RuntimeRequest = {
  kind: 'auto',
  ownerSuffix: 't',
  env: {},
  home: '/',
  platform: 'linux',
  imageMap: {},
};
const FAILURES: Readonly<Record<RuntimeKind, RuntimeFailure>> = {
  docker: {
    reason: 'no-engine',
    message: 'No Docker engine answers.',
    remedies: [inWords('Start Docker or Podman.')],
  },
  sandbox: {
    reason: 'no-sandbox',
    message: 'The sandbox needs bwrap.',
    remedies: [byCommand('apt-get install bubblewrap', 'install bubblewrap'), inWords('Move to Linux.')],
  },
};

function runtimes(available: readonly RuntimeKind[]) {
  const disposed: RuntimeKind[] = [];
  const make = (kind: RuntimeKind): Promise<Runtime> =>
    Promise.resolve({
      kind,
      probe: () =>
        Promise.resolve(
          available.includes(kind)
            ? { available: true, name: kind, where: '', platform: '' }
            : { available: false, failure: FAILURES[kind] },
        ),
      prepare: () => Promise.reject(new Error('not asked for')),
      run: () => Promise.reject(new Error('not asked for')),
      dispose: () => Promise.resolve(void disposed.push(kind)),
    });
  return { make, disposed };
}

describe('choosing a runtime', () => {
  it('takes Docker when an engine answers', async () => {
    const { make } = runtimes(['docker', 'sandbox']);
    const choice = await chooseRuntime(wish, undefined, make);
    assert.ok(
      choice.kind === 'chosen' && choice.runtime.kind === 'docker' && choice.passedOver === undefined,
    );
  });

  it('takes the sandbox when none does, says why, and disposes of the other', async () => {
    const { make, disposed } = runtimes(['sandbox']);
    const choice = await chooseRuntime(wish, undefined, make);
    assert.ok(choice.kind === 'chosen' && choice.runtime.kind === 'sandbox');
    assert.equal(choice.passedOver?.message, 'No Docker engine answers.');
    assert.deepEqual(disposed, ['docker']);
  });

  it('gives both reasons and what helps either when there is neither', async () => {
    const choice = await chooseRuntime(wish, undefined, runtimes([]).make);
    assert.ok(choice.kind === 'failed');
    assert.equal(
      `${choice.failure.message} ${remedyText(choice.failure.remedies)}`,
      'Nothing here can run a verifier. Docker: No Docker engine answers. Sandbox: The sandbox needs bwrap. ' +
        'Start Docker or Podman. Or install bubblewrap (apt-get install bubblewrap). Or, for the sandbox: move to Linux.',
    );
  });

  it('takes nothing but what was asked for', async () => {
    const choice = await chooseRuntime({ ...wish, kind: 'docker' }, undefined, runtimes(['sandbox']).make);
    assert.deepEqual(choice, { kind: 'failed', failure: FAILURES.docker });
  });

  it('stops when it is cancelled', async () => {
    assert.deepEqual(await chooseRuntime(wish, AbortSignal.abort(), runtimes(['docker']).make), {
      kind: 'cancelled',
    });
  });
});
