/** Chooses where verifiers run: the requested runtime or, for `auto`, Docker when an engine answers, else the sandbox. */
import { inWords, type Remedy } from '../fault/remedy.ts';
import type { Runtime, RuntimeFailure, RuntimeProbe } from './runtime.ts';
import type { RuntimeKind, RequestedKind } from './schemas.ts';

export interface RuntimeRequest {
  readonly kind: RequestedKind;
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
      /** Why `auto` did not choose Docker. */
      readonly passedOver?: RuntimeFailure;
    }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

/** Makes one runtime; replaced in tests. */
export type MakeRuntime = (kind: RuntimeKind, request: RuntimeRequest) => Promise<Runtime>;

/** Chooses a runtime, which the caller disposes of. Never throws. */
export async function chooseRuntime(
  request: RuntimeRequest,
  signal?: AbortSignal,
  make: MakeRuntime = makeRuntime,
): Promise<RuntimeChoice> {
  if (request.kind !== 'auto') return tryRuntime(request.kind, request, signal, make);
  const docker = await tryRuntime('docker', request, signal, make);
  if (docker.kind !== 'failed') return docker;
  const sandbox = await tryRuntime('sandbox', request, signal, make);
  switch (sandbox.kind) {
    case 'chosen':
      return { ...sandbox, passedOver: docker.failure };
    case 'failed':
      return { kind: 'failed', failure: bothFailed(docker.failure, sandbox.failure) };
    case 'cancelled':
      return sandbox;
  }
}

/** Loads only what is used: the Docker client is large. */
export async function makeRuntime(kind: RuntimeKind, request: RuntimeRequest): Promise<Runtime> {
  const { ownerOfThisProcess } = await import('./owner.ts');
  const owner = ownerOfThisProcess(request.ownerSuffix);
  const { env, home, platform, imageMap, dockerEndpoint, pythonPath } = request;
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
  request: RuntimeRequest,
  signal: AbortSignal | undefined,
  make: MakeRuntime,
): Promise<RuntimeChoice> {
  if (signal?.aborted) return { kind: 'cancelled' };
  const runtime = await make(kind, request);
  const probe = await runtime.probe(signal);
  if (probe.available && !signal?.aborted) return { kind: 'chosen', runtime, probe };
  await runtime.dispose();
  if (signal?.aborted || probe.available) return { kind: 'cancelled' };
  return { kind: 'failed', failure: probe.failure };
}

/** The failure when neither can run: with the remedies of both, since a person picks the easier one. */
function bothFailed(docker: RuntimeFailure, sandbox: RuntimeFailure): RuntimeFailure {
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
