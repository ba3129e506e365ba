/** The files of a gold fix but for `gold.json`: made from a task and a solution, and from nothing else. Pure. */
import type { Task, TaskFile } from '../task/task.ts';
import type { ContainerPath } from '../task/containerPath.ts';
import { SOLVE_SCRIPT } from '../task/taskLayout.ts';
import { changesOf, type SolutionState } from '../verifier/plan/solution.ts';
import { goldFileOf, GOLD_PATCH } from './goldNames.ts';
import { goldPatch, type PatchedFile } from './patch/goldPatch.ts';
import type { FixedFile } from './goldRecord.ts';
import { solveScript } from './solveScript.ts';

export interface Draft {
  /** What differs from the starter, by path; none when nothing does. */
  readonly fixed: readonly FixedFile[];
  readonly notInPatch: readonly ContainerPath[];
  /** By path in the gold fix. */
  readonly files: ReadonlyMap<string, TaskFile>;
}

/** As a verifier's run puts an added file in place. */
const ADDED_MODE = 0o644;

export function draftOf(task: Task, solution: SolutionState): Draft {
  const shipped = new Map(task.family.solution.map((file) => [file.path, file]));
  const fixed: FixedFile[] = [];
  const patched: PatchedFile[] = [];
  const files = new Map<string, TaskFile>();
  const add = (path: string, bytes: Uint8Array, mode = 0o644): void => {
    files.set(path, { path, bytes, mode });
  };
  for (const [path, change] of changesOf(task, solution)) {
    if (change === 'unchanged') continue;
    const mode = shipped.get(path)?.mode ?? ADDED_MODE;
    const after = solution.files.get(path);
    patched.push({ path, before: shipped.get(path)?.starter, after, mode });
    if (after === undefined) fixed.push({ path, change, mode });
    else {
      fixed.push({ path, change, file: goldFileOf(path), mode });
      add(goldFileOf(path), after);
    }
  }
  const patch = goldPatch(patched);
  add(GOLD_PATCH, patch.bytes);
  add(SOLVE_SCRIPT, solveScript(task.id, fixed), 0o755);
  return { fixed, notInPatch: patch.binaryFiles, files };
}
