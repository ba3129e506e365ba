import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../../../src/workspace/fileLock.ts';
import { temporaryFolder } from './helpers/sampleTasks.ts';

describe('the lock of a file', () => {
  const root = temporaryFolder();

  it('stays with a process that took it over from one that was held up', async () => {
    const file = join(root(), 'facts.json');
    const lock = join(root(), '.facts.json.lock');
    await withFileLock(file, async () => {
      await rm(lock);
      await writeFile(lock, 'of another process');
    });
    assert.equal(await readFile(lock, 'utf8'), 'of another process');
  });
});
