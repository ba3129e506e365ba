/** The sample dataset that ships is built from the fixtures, and is up to date. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { SAMPLE_FILE, SAMPLE_TASKS, buildSamples } from '../../scripts/buildSamples.ts';
import { openDataset } from '../../src/dataset/openDataset.ts';
import { type ArchiveResult, readTaskArchive } from '../../src/task/archive/archive.ts';
import { readTaskFolder } from '../../src/task/archive/taskFolder.ts';

describe('the sample dataset', () => {
  it('holds the tasks of test/fixtures/tasks as they are (if not: node --import=tsx scripts/buildSamples.ts)', async () => {
    const samples = await openDataset(SAMPLE_FILE);
    const fixtures = await openDataset(SAMPLE_TASKS);
    try {
      const paths = (await fixtures.paths()).slice(0, fixtures.rowCount);
      assert.deepEqual((await samples.paths()).slice(0, samples.rowCount), paths);
      for (const [row, path] of paths.entries()) {
        const content = await samples.readTask(row);
        if (content.kind !== 'archive') throw new Error('an archive was expected');
        const packed = filesOf(await readTaskArchive(content.bytes));
        // Compared unpacked: zlib may compress the same bytes differently from one processor to the next.
        assert.deepEqual(packed, filesOf(await readTaskFolder(join(SAMPLE_TASKS, path))), path);
      }
    } finally {
      await samples.close();
      await fixtures.close();
    }
  });

  it('is the same file whenever it is built', async () => {
    assert.deepEqual(await buildSamples(SAMPLE_TASKS), await buildSamples(SAMPLE_TASKS));
  });
});

function filesOf(result: ArchiveResult): Record<string, string> {
  if (!result.ok) throw result.error;
  const files = [...result.files.values()].map(({ path, bytes }) => [
    path,
    Buffer.from(bytes).toString('latin1'),
  ]);
  return Object.fromEntries(files.sort(([left], [right]) => ((left ?? '') < (right ?? '') ? -1 : 1)));
}
