/** Where a verifier runs. One small interface, one contract suite, two implementations: docker/ and sandbox/. */
import type { Fault } from '../fault/remedy.ts';
import type { Evidence } from './evidence.ts';
import type { ImageRecipe, RunPlan } from './plan.ts';
import type { RuntimeKind } from './schemas.ts';

/** Whether a runtime can be used here. */
export type RuntimeProbe =
  | {
      readonly available: true;
      /** Such as `Docker 20.10.24` or `bubblewrap 0.8.0`. */
      readonly name: string;
      /** Where it is: a socket path or host for an engine, a program path for the sandbox. */
      readonly where: string;
      readonly platform: string;
    }
  | { readonly available: false; readonly failure: RuntimeFailure };

export type FailureReason =
  | 'no-engine'
  | 'no-permission'
  | 'engine-died'
  | 'unsupported-endpoint'
  | 'image-missing'
  | 'build-failed'
  | 'build-timed-out'
  | 'disk-full'
  | 'no-sandbox'
  | 'unsupported-recipe'
  | 'unexpected';

/** Why a run could not take place; neither the solution nor the verifier is at fault. */
export interface RuntimeFailure extends Fault {
  readonly reason: FailureReason;
  /** The engine's own words, bounded; undefined when it said nothing. */
  readonly detail?: string;
  /** A line of a file of the build context, when the failure is about one: a Dockerfile line for a failed build. */
  readonly at?: { readonly file: string; readonly line: number };
}

/** An image that is ready to run. Opaque to callers but for its id. */
export interface PreparedImage {
  /** Content id, such as `sha256:…`; equal ids mean equal images. */
  readonly id: string;
  /** Milliseconds: 0 when nothing had to be built or pulled. */
  readonly buildMs: number;
}

export type Phase = 'resolve' | 'build' | 'create' | 'upload' | 'oracle' | 'verify' | 'collect' | 'remove';

/** Where progress and the engine's own output go while something runs. */
export interface RunSinks {
  readonly phase?: (phase: Phase) => void;
  /** A line that the build or the engine printed. */
  readonly log?: (line: string) => void;
}

/** Receives the progress of some work, and can end it early. */
export interface RunControl {
  readonly sinks: RunSinks;
  readonly signal: AbortSignal;
}

export type PrepareResult =
  | { readonly kind: 'prepared'; readonly image: PreparedImage }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

export type RunResult =
  | { readonly kind: 'ended'; readonly evidence: Evidence }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

/** A shell that a person types into. */
export interface Shell {
  write(text: string): void;
  /** The size of the person's terminal, in characters. */
  resize(columns: number, rows: number): void;
}

export interface ShellSinks extends RunSinks {
  /** Called once, when the shell listens. */
  readonly ready: (shell: Shell) => void;
  /** What the terminal of the shell prints. */
  readonly output: (bytes: Uint8Array) => void;
}

/** The standard input of a verifier that runs. */
export interface AttachedInput {
  write(bytes: Uint8Array): void;
}

export interface AttachedSinks extends RunSinks {
  /** Called once, when the verifier has been started. */
  readonly ready: (input: AttachedInput) => void;
  /** What it prints on standard output, unbounded and as it comes. */
  readonly output: (bytes: Uint8Array) => void;
  /** What it prints on standard error; its first and last part are in the evidence as well. */
  readonly errors: (bytes: Uint8Array) => void;
}

export type ShellResult =
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

export interface Runtime {
  readonly kind: RuntimeKind;
  /** Asks whether this runtime can be used here. Never throws. */
  probe(signal?: AbortSignal): Promise<RuntimeProbe>;
  /**
   * Makes the image ready ahead of many runs, as an audit does: builds or finds it. A run does the same when it must;
   * the time never counts against the verifier.
   */
  prepare(recipe: ImageRecipe, sinks: RunSinks, signal: AbortSignal): Promise<PrepareResult>;
  /**
   * Runs a plan in a fresh container, preparing the image first when needed.
   * When this resolves, nothing of the run runs any more. When `signal` aborts, the container is gone as well; else the
   * removal of what is left of it may still be under way. Never throws for what a task, an engine or a user can cause.
   */
  run(plan: RunPlan, sinks: RunSinks, signal: AbortSignal): Promise<RunResult>;
  /**
   * Runs a plan without an oracle as {@link run} does, and joins the verifier's standard input and output with `sinks`.
   * Undefined: this runtime cannot do that. Never throws.
   */
  readonly runAttached?: (plan: RunPlan, sinks: AttachedSinks, signal: AbortSignal) => Promise<RunResult>;
  /**
   * Opens an interactive shell where the plan's verifier would run, with its files in place, in a fresh container with
   * the plan's network and limits. Resolves when the shell has ended or `signal` aborts, with the container gone.
   * Undefined: this runtime has no terminals. Never throws.
   */
  readonly openShell?: (plan: RunPlan, sinks: ShellSinks, signal: AbortSignal) => Promise<ShellResult>;
  /**
   * Makes the next run of such a plan start sooner, where the runtime can do that and the image is there: it builds and
   * pulls nothing. The solution and the tests may differ in the run; where anything else does, the run starts as ever.
   * Settles with whether it will start sooner. Never throws.
   */
  warmUp?(plan: RunPlan, signal: AbortSignal): Promise<boolean>;
  /** Throws away what {@link warmUp} made, until it is asked again; settles when that is gone. Never throws. */
  coolDown?(): Promise<void>;
  /** Removes what this owner left behind, and waits for removals under way. */
  dispose(): Promise<void>;
}
