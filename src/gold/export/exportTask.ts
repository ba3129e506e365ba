/** A task with a gold fix as its own gold: what is shipped. The task it comes from is never changed. */
import { lstat } from 'node:fs/promises';
import { byChoice, inWords } from '../../fault/remedy.ts';
import { packTaskArchive } from '../../task/archive/packArchive.ts';
import type { Task, TaskFile, TaskFiles } from '../../task/task.ts';
import { isIn, SOLUTION_FOLDER } from '../../task/taskLayout.ts';
import { writeAtomically } from '../../workspace/atomicWrite.ts';
import { fileSystemError, systemCode } from '../../workspace/workspaceError.ts';
import { GoldError } from '../goldError.ts';
import { type GoldFix, goldFixOf, isOfTask } from '../goldFix.ts';
import { GOLD_PATCH, GOLD_RECORD } from '../goldNames.ts';
import { writeFolder } from '../writeGoldFix.ts';

/** Files of a gold fix that an export moves into `solution/`, the only folder that a gold may change. */
const RECORD_FILES: readonly string[] = [GOLD_PATCH, GOLD_RECORD];

/** The task's files with the gold fix in place of `solution/`. @throws GoldError `other-task` */
export function filesWithGold(task: Task, goldFix: GoldFix): TaskFiles {
  if (!isOfTask(goldFix, task))
    throw new GoldError(
      'other-task',
      `The gold fix in ${goldFix.folder} was saved for ${goldFix.record.task.id} with other files than ${task.id} has.`,
      'Export it into the task that it was saved for, or solve this one and save a new gold fix.',
    );
  const files = new Map<string, TaskFile>();
  for (const [path, file] of task.files) if (!isIn(SOLUTION_FOLDER, path)) files.set(path, file);
  for (const { path, bytes, mode } of goldFix.files.values()) {
    // Other files of a gold fix must not replace the task's own.
    if (!RECORD_FILES.includes(path) && !isIn(SOLUTION_FOLDER, path)) continue;
    const place = RECORD_FILES.includes(path) ? `${SOLUTION_FOLDER}/${path}` : path;
    files.set(place, { path: place, bytes, mode });
  }
  return new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The same as a gzipped archive, which is the same, byte for byte, whenever its files are. @throws GoldError */
export async function taskWithGold(task: Task, goldFix: GoldFix): Promise<Uint8Array> {
  return packTaskArchive(filesWithGold(task, goldFix).values());
}

/** The gold fix that a task was exported with; undefined when it was not. @throws GoldError `damaged` */
export function goldFixInTask(task: Task, location: string): GoldFix | undefined {
  const record = `${SOLUTION_FOLDER}/${GOLD_RECORD}`;
  if (!task.files.has(record)) return undefined;
  const files = new Map<string, TaskFile>();
  for (const [path, file] of task.files) {
    if (!isIn(SOLUTION_FOLDER, path)) continue;
    const name = path.slice(SOLUTION_FOLDER.length + 1);
    const place = RECORD_FILES.includes(name) ? name : path;
    files.set(place, { ...file, path: place });
  }
  return goldFixOf(location, files);
}

/** Writes the task with its gold fix as the folder `target`, which must not be there. @throws GoldError, WorkspaceError */
export async function exportTaskFolder(task: Task, goldFix: GoldFix, target: string): Promise<void> {
  const files = filesWithGold(task, goldFix);
  await refuseExisting(target);
  await writeFolder(target, files.values());
}

/** Writes the task with its gold fix as the `.tar.gz` file `target`. @throws GoldError, WorkspaceError */
export async function exportTaskArchive(
  task: Task,
  goldFix: GoldFix,
  target: string,
  replace = false,
): Promise<void> {
  const bytes = await taskWithGold(task, goldFix);
  if (!replace) await refuseExisting(target);
  await writeAtomically(target, bytes);
}

/** @throws GoldError `occupied` when there is anything at `target` */
export async function refuseExisting(target: string): Promise<void> {
  try {
    await lstat(target);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw fileSystemError(error, target, 'written');
  }
  throw new GoldError('occupied', `${target} is there already.`, [
    inWords('Choose another name.'),
    byChoice('replace', 'replace it'),
  ]);
}
