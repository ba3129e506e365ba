/** Checks everything that a run needs, without changing any of it. */
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { hubCacheFolder } from '../dataset/hub/hubSettings.ts';
import type { RuntimeRequest } from '../runtime/chooseRuntime.ts';
import { checkEngine } from '../runtime/docker/engineCheck.ts';
import { ownerOfThisProcess } from '../runtime/owner.ts';
import { checkSandbox } from '../runtime/sandbox/sandboxCheck.ts';
import { findPrograms } from '../runtime/sandbox/host/hostProgram.ts';
import type { Finding } from './finding.ts';
import { findingsOf } from './findings.ts';
import { enginePlaceFact, userPlaceFact } from './placeFacts.ts';
import type { ProgramFact, SetupFacts } from './setupFacts.ts';

export interface SetupCheckRequest {
  readonly runtime: RuntimeRequest;
  /** The images that tasks ask for. */
  readonly images: SetupFacts['requestedImages'];
  /** Host path of the folder in which workspaces are made. */
  readonly workspaces: string;
  readonly programs: readonly ProgramFact[];
}

/** Checks the whole set-up; takes seconds. @throws only when `signal` aborts */
export async function checkSetup(question: SetupCheckRequest, signal: AbortSignal): Promise<Finding[]> {
  return findingsOf(await readSetup(question, signal));
}

async function readSetup(
  { runtime, images: requestedImages, workspaces, programs }: SetupCheckRequest,
  signal: AbortSignal,
): Promise<SetupFacts> {
  const { env, home, platform, imageMap, dockerEndpoint, pythonPath } = runtime;
  const images = requestedImages && 'images' in requestedImages ? requestedImages.images : [];
  const endpoint = dockerEndpoint === undefined ? {} : { endpoint: dockerEndpoint };
  const owner = ownerOfThisProcess(`${runtime.ownerSuffix}-doctor`);
  const sandboxCheck = checkSandbox({ owner, env, pythonPath }, signal);
  const [engine, dockerd, podman, hasSystemd, ...places] = await Promise.all([
    checkEngine({ ...endpoint, env, home, platform, imageMap, images }, signal),
    findPrograms('dockerd', env),
    findPrograms('podman', env),
    isThere('/run/systemd/system'),
    userPlaceFact('workspaces', workspaces),
    userPlaceFact('temporary', tmpdir()),
    userPlaceFact('cache', hubCacheFolder(env, home)),
    // The test of the sandbox ends, and its folder is gone, before this returns, whatever else fails.
  ]).finally(() => sandboxCheck);
  const sandbox = await sandboxCheck;
  signal.throwIfAborted();
  const dataRoot = engine.kind === 'answers' ? engine.engine.dataRoot : undefined;
  return {
    requestedRuntime: runtime.kind,
    platform,
    isRoot: process.getuid?.() === 0,
    engine,
    enginePrograms: [
      ...(dockerd.length > 0 ? (['dockerd'] as const) : []),
      ...(podman.length > 0 ? (['podman'] as const) : []),
    ],
    hasSystemd,
    imageMap,
    requestedImages,
    sandbox,
    places: [...(dataRoot === undefined ? [] : [await enginePlaceFact(dataRoot)]), ...places],
    programs,
  };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
