/** A parsed task: its files, its configuration, and the facts that its family gives. */
import type * as z from 'zod';
import type { ContainerPath } from './containerPath.ts';
import type { DockerfileFacts } from './dockerfile/dockerfile.ts';
import type { familySchema, shapeSchema } from './schemas.ts';
import type { TaskConfig } from './config/taskConfig.ts';
import type { TaskProblem } from './taskProblem.ts';

/** One file of a task's archive. `path` is relative and POSIX; bytes that are not UTF-8 are kept as U+DC80…U+DCFF. */
export interface TaskFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Permission bits only, such as `0o644`. Archives are often wrong about them. */
  readonly mode: number;
}

/** A task's files by their relative path. */
export type TaskFiles = ReadonlyMap<string, TaskFile>;

/** A file that a line of the Dockerfile puts into the image; `file.path` is relative to `environment/`. */
export interface PlacedFile {
  readonly path: ContainerPath;
  readonly file: TaskFile;
  /** Permission bits: `--chmod` where it is octal, else the file's own. */
  readonly mode: number;
  readonly chown: string | undefined;
  /** The Dockerfile's line that placed it, 1-based. */
  readonly line: number;
}

/** A file that a person edits, with the bytes and mode it ships with. */
export interface SolutionFile {
  readonly path: ContainerPath;
  /** The starter's bytes, or `undefined` when the task does not ship this file. */
  readonly starter: Uint8Array | undefined;
  readonly mode: number;
}

export type FamilyName = z.infer<typeof familySchema>;

/** What a family knows about one task. It only names paths; gates and reward come from the run. */
export interface FamilyFacts {
  readonly name: FamilyName;
  /** The published shape this task follows, such as `v2`; `undefined` for plain Harbor tasks. */
  readonly shape: z.infer<typeof shapeSchema> | undefined;
  /** The files that a person edits; the one to open first is at index 0. */
  readonly solution: readonly SolutionFile[];
  /** In the container: copies of the starter that the verifier compares with. */
  readonly baselinePaths: readonly ContainerPath[];
  /** In the container while the verifier runs: files that seem to hold the hash of a starter. */
  readonly hashPaths: readonly ContainerPath[];
  /** In the container while the verifier runs: files that hold the gold. */
  readonly goldPaths: readonly ContainerPath[];
  /** Whether its verifier compares the solution with the starter, and so refuses what was not edited. */
  readonly refusesStarter: boolean;
}

/** How the gold is put in place, for a task that ships one. */
export type Gold =
  | { readonly kind: 'none' }
  /** `solution/solve.sh`, run as Harbor's oracle runs it; `files` is all of `solution/`. */
  | { readonly kind: 'script'; readonly files: readonly TaskFile[] }
  | {
      readonly kind: 'files';
      readonly from: 'solution' | 'tests/fixed';
      readonly files: readonly { readonly path: ContainerPath; readonly bytes: Uint8Array }[];
    };

/** One task, parsed. */
export interface Task {
  /** The row's `path`, or the folder's name. Not unique in a dataset. */
  readonly id: string;
  readonly files: TaskFiles;
  /** `instruction.md` as text, without canary lines; `undefined` when the task has none. */
  readonly instruction: string | undefined;
  readonly config: TaskConfig;
  readonly dockerfile: DockerfileFacts | undefined;
  /** What the `COPY` lines of the Dockerfile put into the image, in their order. */
  readonly placed: readonly PlacedFile[];
  readonly family: FamilyFacts;
  readonly gold: Gold;
  readonly problems: readonly TaskProblem[];
  /** SHA-256 over the sorted paths, modes left out, and bytes of all files: 64 hex digits. */
  readonly hash: string;
}
