import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readRequestedImages, spread } from '../../../src/doctor/requestedImages.ts';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { ROOT } from '../../host/root.ts';

const SAMPLES = join(ROOT, 'test/fixtures/tasks');

describe('images that tasks ask for', () => {
  it('are those of the Dockerfiles of a dataset, or of one row', async () => {
    const dataset = await openDataset(SAMPLES);
    try {
      const { signal } = new AbortController();
      const all = await readRequestedImages(dataset, undefined, signal);
      assert.deepEqual([all.tasks, all.unread], [dataset.rowCount, 0]);
      assert.ok(all.images.includes('python:3.10-slim') && all.images.includes('ubuntu:22.04'));
      assert.deepEqual((await readRequestedImages(dataset, 0, signal)).images, ['python:3.10-slim']);
      await assert.rejects(readRequestedImages(dataset, undefined, AbortSignal.abort()), /abort/i);
    } finally {
      await dataset.close();
    }
  });

  it('are told from rows spread over a large dataset', () => {
    assert.deepEqual(spread(3, 20), [0, 1, 2]);
    assert.deepEqual(spread(0, 20), []);
    const rows = spread(600_000, 20);
    assert.deepEqual([rows.length, rows[0], rows.at(-1)], [20, 0, 570_000]);
  });
});
