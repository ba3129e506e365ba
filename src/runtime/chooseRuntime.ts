/** Chooses where verifiers run: what was asked for, or Docker when an engine answers and the sandbox when none does. */
import { inWords, type Remedy } from '../fault/remedy.ts';
import type { Runtime, RuntimeFailure, RuntimeProbe } from './runtime.ts';
import type { RuntimeKind, WishedKind } from './schemas.ts';

export interface RuntimeWish {
  readonly kind: WishedKind;
  /** Tells apart several owners in one process; becomes part of the owner's id on containers and folders. */
  readonly ownerSuffix: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Base-image substitution for Docker: `python:3.10-slim` → `mirror/python:3.10-slim`. */
  readonly imageMap: Readonly<Record<string, string>>;
  /** The engine to use; undefined or empty: the environment tells. */
  readonly dockerEndpoint?: string;
  /** The Python 3 of the sandbox; undefined: the first with pytest on PATH. */
  readonly pythonPath?: string;
}

export type RuntimeChoice =
  | {
      readonly kind: 'chosen';
      readonly runtime: Runtime;
      readonly probe: Extract<RuntimeProbe, { available: true }>;
      /** Why Docker was passed over, when it was wished for by `auto` and no engine answered. */
      readonly passedOver?: RuntimeFailure;
    }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

/** Makes one runtime, or says why there can be none; replaced in tests. */
export type MakeRuntime = (kind: RuntimeKind, wish: RuntimeWish) => Promise<Runtime>;

/** Never throws. The caller disposes of the runtime that is chosen; one that is not chosen is disposed of here. */
export async function chooseRuntime(
  wish: RuntimeWish,
  signal?: AbortSignal,
  make: MakeRuntime = makeRuntime,
): Promise<RuntimeChoice> {
  if (wish.kind !== 'auto') return tryRuntime(wish.kind, wish, signal, make);
  const docker = await tryRuntime('docker', wish, signal, make);
  if (docker.kind !== 'failed') return docker;
  const sandbox = await tryRuntime('sandbox', wish, signal, make);
  switch (sandbox.kind) {
    case 'chosen':
      return { ...sandbox, passedOver: docker.failure };
    case 'failed':
      return { kind: 'failed', failure: neither(docker.failure, sandbox.failure) };
    case 'cancelled':
      return sandbox;
  }
}

/** Loads only what is used: the Docker client is large. */
export async function makeRuntime(kind: RuntimeKind, wish: RuntimeWish): Promise<Runtime> {
  const { ownerOfThisProcess } = await import('./owner.ts');
  const owner = ownerOfThisProcess(wish.ownerSuffix);
  const { env, home, platform, imageMap, dockerEndpoint, pythonPath } = wish;
  if (kind === 'sandbox') {
    const { createSandboxRuntime } = await import('./sandbox/sandboxRuntime.ts');
    return createSandboxRuntime({ owner, env, pythonPath });
  }
  const { createDockerRuntime } = await import('./docker/dockerRuntime.ts');
  const endpoint = dockerEndpoint === undefined ? {} : { endpoint: dockerEndpoint };
  return createDockerRuntime({ owner, env, home, platform, imageMap, ...endpoint });
}

async function tryRuntime(
  kind: RuntimeKind,
  wish: RuntimeWish,
  signal: AbortSignal | undefined,
  make: MakeRuntime,
): Promise<RuntimeChoice> {
  if (signal?.aborted) return { kind: 'cancelled' };
  const runtime = await make(kind, wish);
  const probe = await runtime.probe(signal);
  if (probe.available && !signal?.aborted) return { kind: 'chosen', runtime, probe };
  await runtime.dispose();
  if (signal?.aborted || probe.available) return { kind: 'cancelled' };
  return { kind: 'failed', failure: probe.failure };
}

/** A person who may start an engine or install a package does the easier of the two. */
function neither(docker: RuntimeFailure, sandbox: RuntimeFailure): RuntimeFailure {
  return {
    reason: docker.reason,
    message: `Nothing here can run a verifier. Docker: ${docker.message} Sandbox: ${sandbox.message}`,
    detail: [docker.detail, sandbox.detail].filter((detail) => detail !== undefined).join('\n'),
    remedies:
      docker.reason === 'no-permission'
        ? docker.remedies
        : [...docker.remedies, ...sandbox.remedies.map(forSandbox)],
  };
}

function forSandbox(remedy: Remedy): Remedy {
  return remedy.kind === 'words' ? inWords(`Or, for the sandbox: ${lowerFirst(remedy.text)}`) : remedy;
}

function lowerFirst(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
