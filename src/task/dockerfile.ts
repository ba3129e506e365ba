/** What a Dockerfile says that needs no engine: base image, WORKDIR, ENV, USER, COPY, and what only a build can do. */
import type { ContainerPath } from './containerPath.ts';
import type { TaskProblem } from './task.ts';

/** One COPY or ADD of the final image. Variables are substituted. */
export interface DockerfileCopy {
  readonly instruction: 'COPY' | 'ADD';
  readonly sources: readonly string[];
  readonly destination: string;
  /** Here-documents among the sources, placed as files. */
  readonly inline: readonly { readonly name: string; readonly text: string }[];
  /** The WORKDIR in force at this line; `/` when only the base image knows. */
  readonly workdir: ContainerPath;
  /** Another stage or image: not expandable without an engine. */
  readonly from: string | undefined;
  readonly chmod: string | undefined;
  readonly chown: string | undefined;
  /** 1-based. */
  readonly line: number;
}

export interface DockerfileFacts {
  readonly stages: readonly {
    readonly image: string;
    readonly name: string | undefined;
    readonly line: number;
  }[];
  /** The image outside this file that the final stage rests on. */
  readonly baseImage: string;
  /** Undefined: the base image's own. */
  readonly workdir: ContainerPath | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Undefined: the base image's own. */
  readonly user: string | undefined;
  readonly copies: readonly DockerfileCopy[];
  /** `RUN` and other lines that only a build can honour; `line` is 1-based. */
  readonly skipped: readonly { readonly line: number; readonly text: string }[];
  readonly entrypoint: string | undefined;
  readonly cmd: string | undefined;
  readonly usesBuildKit: boolean;
}

/** Parses a Dockerfile; never throws. `facts` is undefined when it names no base image. */
export function parseDockerfile(_text: string): {
  readonly facts: DockerfileFacts | undefined;
  readonly problems: readonly TaskProblem[];
} {
  throw new Error('not written yet');
}
