import assert from 'node:assert/strict';
import { Runtimes } from '../../../../src/editor/run/runtimes.ts';
import { type Settings, settingsFrom } from '../../../../src/editor/platform/settings.ts';
import { inWords } from '../../../../src/fault/remedy.ts';
import type { RuntimeChoice } from '../../../../src/runtime/chooseRuntime.ts';
import type { Runtime, RuntimeFailure } from '../../../../src/runtime/runtime.ts';

const FAILURE: RuntimeFailure = {
  reason: 'no-engine',
  message: 'No engine.',
  remedies: [inWords('Start it.')],
};
const WANTED = new AbortController().signal;

function asked(endpoint: string): Settings {
  return settingsFrom({ get: (name) => (name === 'dockerEndpoint' ? endpoint : undefined) });
}

/** A runtime that only can be ended. */
function runtimeAt(endpoint: string, log: string[]): Runtime {
  const unused = (): never => assert.fail('Nothing runs here.');
  return {
    kind: 'docker',
    probe: unused,
    prepare: unused,
    run: unused,
    dispose: async () => {
      await Promise.resolve();
      log.push(`ended ${endpoint}`);
    },
  };
}

/** Choices that are made when the test says so, or given up when their signal says so. */
function machine() {
  const log: string[] = [];
  const answers: ((choice: RuntimeChoice) => void)[] = [];
  const runtimes = new Runtimes('test', ({ dockerEndpoint = '' }, signal) => {
    log.push(`asked ${dockerEndpoint}`);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }), { once: true });
      answers.push(resolve);
    });
  });
  const chosen = (endpoint: string, passedOver?: RuntimeFailure): RuntimeChoice => ({
    kind: 'chosen',
    runtime: runtimeAt(endpoint, log),
    probe: { available: true, name: endpoint, where: '', platform: 'linux' },
    ...(passedOver ? { passedOver } : {}),
  });
  /** Answers the oldest question that has none, as soon as it was asked. */
  const answer = async (choice: RuntimeChoice): Promise<void> => {
    for (let turn = 0; turn < 1000; turn++) {
      const next = answers.shift();
      if (next) return next(choice);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.fail('Nobody asked for a runtime.');
  };
  return { runtimes, log, chosen, answer };
}

describe('the runtime that runs go to', () => {
  it('is one, however many ask for the first at the same time', async () => {
    const { runtimes, log, chosen, answer } = machine();
    const both = Promise.all([runtimes.choose(asked('a'), WANTED), runtimes.choose(asked('a'), WANTED)]);
    await answer(chosen('a'));
    const [first, second] = await both;
    assert.ok(first.kind === 'chosen' && second.kind === 'chosen');
    assert.equal(first.runtime, second.runtime);
    await runtimes.dispose();
    assert.deepEqual(log, ['asked a', 'ended a']);
  });

  it('is chosen for those who still wait when the first who asked gives up', async () => {
    const { runtimes, log, chosen, answer } = machine();
    const first = new AbortController();
    const cancelled = runtimes.choose(asked('a'), first.signal);
    const waiting = [runtimes.choose(asked('a'), WANTED), runtimes.choose(asked('a'), WANTED)];
    await new Promise((resolve) => setImmediate(resolve));
    first.abort();
    assert.deepEqual(await cancelled, { kind: 'cancelled' });
    // The question that was given up is answered in vain.
    await answer(chosen('late'));
    await answer(chosen('a'));
    for (const each of await Promise.all(waiting)) assert.equal(each.kind === 'chosen' && each.name, 'a');
    assert.deepEqual(log, ['asked a', 'asked a']);
  });

  it('of other settings ends before the next is chosen, and ends once', async () => {
    const { runtimes, log, chosen, answer } = machine();
    const before = runtimes.choose(asked('a'), WANTED);
    await answer(chosen('a'));
    await before;
    const after = Promise.all([runtimes.choose(asked('b'), WANTED), runtimes.choose(asked('b'), WANTED)]);
    await answer(chosen('b'));
    await after;
    assert.deepEqual(log, ['asked a', 'ended a', 'asked b']);
  });

  it('is looked for again when there was none, or a second best one, or looking failed', async () => {
    const { runtimes, chosen, answer } = machine();
    const ask = (): ReturnType<typeof runtimes.choose> => runtimes.choose(asked(''), WANTED);
    for (const choice of [{ kind: 'failed', failure: FAILURE } as const, chosen('sandbox', FAILURE)]) {
      const found = ask();
      await answer(choice);
      assert.notEqual((await found).kind, 'cancelled');
    }
    const found = ask();
    await answer(chosen('docker'));
    const first = await found;
    assert.ok(first.kind === 'chosen');
    assert.deepEqual([first.name, first.passedOver], ['docker', undefined]);
    assert.deepEqual(await ask(), first);

    let looks = 0;
    const broken = new Runtimes('test', async () => {
      looks++;
      throw new Error('broken');
    });
    for (const times of [1, 2]) {
      await assert.rejects(broken.choose(asked(''), WANTED), /broken/);
      assert.equal(looks, times);
    }
  });
});

describe('a runtime for what nobody waits for', () => {
  it('takes the place of none, and is the one that is there', async () => {
    const { runtimes, log, chosen, answer } = machine();
    const first = runtimes.spare(asked('a'));
    await answer(chosen('a'));
    const runtime = await first;
    assert.equal(await runtimes.spare(asked('a')), runtime);
    assert.equal(await runtimes.spare(asked('b')), undefined);
    assert.deepEqual(log, ['asked a']);
  });

  it('is not looked for again where there was none, or a second best one', async () => {
    for (const second of [true, false]) {
      const { runtimes, log, chosen, answer } = machine();
      const run = runtimes.choose(asked('a'), WANTED);
      await answer(second ? chosen('a', FAILURE) : { kind: 'failed', failure: FAILURE });
      await run;
      assert.equal(await runtimes.spare(asked('a')), undefined);
      assert.deepEqual(log, ['asked a']);
      // Other settings may do better.
      const other = runtimes.spare(asked('b'));
      await answer(chosen('b'));
      assert.ok(await other);
    }
  });
});
