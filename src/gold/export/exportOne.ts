/** One gold fix into its own task: a new archive, a new folder, or the `solution/` of a task folder that is there. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byChoice, inWords } from '../../fault/remedy.ts';
import { targetFormat } from '../../dataset/write/target.ts';
import { parseTask } from '../../task/parseTask.ts';
import type { Task } from '../../task/task.ts';
import { isTaskFolder, readTaskFolder } from '../../task/archive/taskFolder.ts';
import { isIn, SOLUTION_FOLDER } from '../../task/taskLayout.ts';
import { exportTaskArchive, exportTaskFolder, filesWithGold, refuseExisting } from './exportTask.ts';
import { GoldError } from '../goldError.ts';
import type { GoldFix } from '../goldFix.ts';
import { refuseEdited } from './matchGoldFixes.ts';
import { writeFolder } from '../writeGoldFix.ts';

/**
 * Writes the task with the gold fix to `target`, a `.tar.gz` or a folder; says which. `replace` is about a file, or the
 * `solution/` of a task folder: no other folder is ever replaced.
 * @throws GoldError `edited`, `occupied`, `other-task`, `wrong-target`; DatasetError for a name that is neither; WorkspaceError
 */
export async function exportOne(
  goldFix: GoldFix,
  task: Task,
  target: string,
  replace: boolean,
): Promise<'tar' | 'folder'> {
  refuseEdited(goldFix, task);
  const format = targetFormat(target);
  if (format === 'tar') {
    await exportTaskArchive(task, goldFix, target, replace);
    return format;
  }
  if (format !== 'folder')
    throw new GoldError(
      'wrong-target',
      `${target} would be a dataset, and which one this gold fix belongs to was not said.`,
      [
        byChoice('dataset', 'name the dataset'),
        inWords('Or give a target that ends with .tar.gz or is a folder.'),
      ],
    );
  const names = await readdir(target).catch(() => []);
  if (isTaskFolder(names)) await intoTaskFolder(goldFix, target, names, replace);
  else await exportTaskFolder(task, goldFix, target);
  return format;
}

async function intoTaskFolder(
  goldFix: GoldFix,
  folder: string,
  names: readonly string[],
  replace: boolean,
): Promise<void> {
  const read = await readTaskFolder(folder);
  if (!read.ok) throw read.error;
  // Throws when the folder is that of another task.
  const files = filesWithGold(parseTask(folder, read.files), goldFix);
  const solution = join(folder, SOLUTION_FOLDER);
  if (!replace && names.includes(SOLUTION_FOLDER)) await refuseExisting(solution);
  await writeFolder(
    solution,
    [...files.values()].flatMap((file) =>
      isIn(SOLUTION_FOLDER, file.path)
        ? [{ ...file, path: file.path.slice(SOLUTION_FOLDER.length + 1) }]
        : [],
    ),
  );
}
