import assert from 'node:assert/strict';
import { parseTask } from '../../../../src/task/parseTask.ts';
import { filesWithGold, goldFixInTask, taskWithGold } from '../../../../src/gold/export/exportTask.ts';
import { GoldError } from '../../../../src/gold/goldError.ts';
import { inspectGoldFix } from '../../../../src/gold/inspect.ts';
import { readTaskArchive } from '../../../../src/task/archive/archive.ts';
import { sampleTask } from '../../../host/sampleTasks.ts';
import { fixOf, forged, goldFixFor } from '../helpers/goldFixes.ts';

describe('a task with its gold fix', () => {
  it('holds the gold fix in solution/, from where it is found again', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const fix = goldFixFor(task, fixOf(task));
    const bytes = await taskWithGold(task, fix);
    assert.deepEqual(bytes, await taskWithGold(task, fix));
    const read = await readTaskArchive(bytes);
    assert.ok(read.ok);
    const exported = parseTask(task.id, read.files);
    assert.deepEqual(
      [...exported.files.keys()].filter((path) => path.startsWith('solution/')),
      [
        'solution/files/app/notes/with blank.txt',
        'solution/files/app/solution.py',
        'solution/gold.json',
        'solution/gold.patch',
        'solution/solve.sh',
      ],
    );
    assert.equal(exported.gold.kind, 'script');
    assert.equal(exported.files.get('solution/solve.sh')?.mode, 0o755);
    const found = goldFixInTask(exported, 'there');
    assert.ok(found);
    assert.deepEqual(inspectGoldFix(found, exported), []);
    assert.equal(goldFixInTask(task, 'there'), undefined);
  });

  it('keeps its own files, whatever else lies in the gold fix', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const fix = forged(goldFixFor(task, fixOf(task)), 'tests/test.sh', () => 'echo 1\n');
    const files = filesWithGold(task, fix);
    assert.equal(files.get('tests/test.sh'), task.files.get('tests/test.sh'));
    assert.deepEqual(
      [...files.keys()].filter((path) => !path.startsWith('solution/')),
      [...task.files.keys()].filter((path) => !path.startsWith('solution/')).sort(),
    );
  });

  it('is refused for a task that it was not saved for', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const fix = goldFixFor(task, fixOf(task));
    const other = await sampleTask('bugsinpy-0014');
    assert.throws(
      () => filesWithGold(other, fix),
      (error: unknown) =>
        error instanceof GoldError &&
        error.code === 'other-task' &&
        error.message ===
          'The gold fix in /fixes/gold was saved for bugsinpy-0001 with other files than bugsinpy-0014 has.',
    );
  });
});
