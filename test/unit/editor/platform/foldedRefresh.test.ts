import assert from 'node:assert/strict';
import { FoldedRefresh } from '../../../../src/editor/platform/foldedRefresh.ts';

describe('a folded refresh', () => {
  /** Work that ends when the test says so. */
  const held = () => {
    const ends: ((error?: Error) => void)[] = [];
    const refresh = new FoldedRefresh(
      () =>
        new Promise((resolve, reject) => {
          ends.push((error) => (error ? reject(error) : resolve()));
        }),
    );
    return { refresh, ends };
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('folds calls while it works into one more, which all of them wait for', async () => {
    const { refresh, ends } = held();
    const done: string[] = [];
    for (const name of ['first', 'second', 'third']) void refresh.run().then(() => done.push(name));
    assert.equal(ends.length, 1);
    ends[0]?.();
    await turn();
    assert.deepEqual([ends.length, done], [2, []]);
    ends[1]?.();
    await turn();
    assert.deepEqual([ends.length, done], [2, ['first', 'second', 'third']]);
  });

  it('works anew for a call after it is done', async () => {
    let times = 0;
    const refresh = new FoldedRefresh(async () => {
      times++;
    });
    await refresh.run();
    await refresh.run();
    assert.equal(times, 2);
  });

  it('does once more what asks for itself while it works', async () => {
    let times = 0;
    const refresh = new FoldedRefresh(async () => {
      if (++times === 1) void refresh.run();
    });
    await refresh.run();
    assert.equal(times, 2);
  });

  it('fails as its work does, and works again after that', async () => {
    const { refresh, ends } = held();
    const failing = refresh.run();
    ends[0]?.(new Error('The disk is gone.'));
    await assert.rejects(failing, /The disk is gone/);
    const again = refresh.run();
    ends[1]?.();
    await again;
  });
});
