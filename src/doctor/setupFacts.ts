/** The facts of the set-up that the doctor checks. Plain data. */
import type { Fault } from '../fault/remedy.ts';
import type { EngineCheck } from '../runtime/docker/engineCheck.ts';
import type { RuntimeKind, RequestedKind } from '../runtime/schemas.ts';
import type { SandboxCheck } from '../runtime/sandbox/sandboxCheck.ts';

/** The images that some tasks ask for. */
export interface RequestedImages {
  /** How people know these tasks, such as a dataset's path. */
  readonly from: string;
  /** How many tasks were read. */
  readonly tasks: number;
  /** How many rows could not be read or hold no task. */
  readonly unread: number;
  readonly images: readonly string[];
}

/** One folder that runs or work need. */
export interface PlaceFact {
  readonly what: 'engine' | 'workspaces' | 'temporary' | 'cache';
  readonly path: string;
  /** Undefined when it cannot be told from here. */
  readonly freeBytes: number | undefined;
  /** Whether this user may write to it, or make it; undefined where only the engine need. */
  readonly writable: boolean | undefined;
}

export interface ProgramFact {
  /** `Node` or `VS Code`. */
  readonly name: string;
  /** Such as `20.11.1`. */
  readonly version: string;
  /** The first version that will do. */
  readonly least: string;
}

export interface SetupFacts {
  readonly requestedRuntime: RequestedKind;
  readonly platform: NodeJS.Platform;
  /** Started by root, commands need no `sudo`. */
  readonly isRoot: boolean;
  readonly engine: EngineCheck;
  /** Programs on PATH that start or talk to an engine. */
  readonly enginePrograms: readonly ('dockerd' | 'podman')[];
  /** Whether systemd starts services here. */
  readonly hasSystemd: boolean;
  readonly imageMap: Readonly<Record<string, string>>;
  /** Undefined when no tasks were named; a fault when they could not be read. */
  readonly requestedImages: RequestedImages | { readonly problem: Fault } | undefined;
  readonly sandbox: SandboxCheck;
  readonly places: readonly PlaceFact[];
  readonly programs: readonly ProgramFact[];
}

/** The runtime that runs would use. */
export function usedRuntime({
  requestedRuntime,
  engine,
}: Pick<SetupFacts, 'requestedRuntime' | 'engine'>): RuntimeKind {
  if (requestedRuntime !== 'auto') return requestedRuntime;
  return engine.kind === 'answers' ? 'docker' : 'sandbox';
}

/** The program that a person talks to this engine with; `engineName` is such as `Podman 4.3.1`. */
export function clientOf(engineName: string): 'docker' | 'podman' {
  return engineName.startsWith('Podman') ? 'podman' : 'docker';
}
