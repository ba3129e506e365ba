/** Which files the COPY lines of a Dockerfile put where, after Docker's rules, without an engine. */
import type { ContainerPath } from './containerPath.ts';
import type { DockerfileFacts } from './dockerfile.ts';
import type { TaskFile, TaskFiles, TaskProblem } from './task.ts';

/** One file in the image; `file.path` is relative to `environment/`. */
export interface PlacedFile {
  readonly path: ContainerPath;
  readonly file: TaskFile;
  readonly mode: number;
  readonly chown: string | undefined;
  /** The Dockerfile's line that placed it, 1-based. */
  readonly line: number;
}

/** The build context: the files of `environment/`, by their path relative to it. */
export function environmentFilesOf(files: TaskFiles): TaskFiles {
  const found = new Map<string, TaskFile>();
  for (const [path, file] of files) {
    if (!path.startsWith('environment/')) continue;
    const relative = path.slice('environment/'.length);
    found.set(relative, { ...file, path: relative });
  }
  return found;
}

/** Expands every COPY and ADD whose source is the build context. Later lines override earlier ones. */
export function expandCopies(
  _facts: DockerfileFacts,
  _environmentFiles: TaskFiles,
): { readonly files: readonly PlacedFile[]; readonly problems: readonly TaskProblem[] } {
  throw new Error('not written yet');
}
