import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/editor/platform/disposableStore.ts';

describe('a disposable store', () => {
  it('disposes the latest first, and at once what comes too late', () => {
    const log: string[] = [];
    const ending = (name: string) => ({ dispose: () => log.push(name) });
    const store = new DisposableStore();
    store.add(ending('first'));
    const second = store.add(ending('second'));
    store.end(second);
    store.add(ending('third'));
    store.dispose();
    store.add(ending('late'));
    store.dispose();
    assert.deepEqual(log, ['second', 'third', 'first', 'late']);
  });
});
