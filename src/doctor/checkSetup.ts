/** Looks at everything that a run needs, without changing any of it. */
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { hubCacheFolder } from '../dataset/hub/hubSettings.ts';
import type { RuntimeWish } from '../runtime/chooseRuntime.ts';
import { checkEngine } from '../runtime/docker/engineCheck.ts';
import { ownerOfThisProcess } from '../runtime/owner.ts';
import { checkSandbox } from '../runtime/sandbox/sandboxCheck.ts';
import { findPrograms } from '../runtime/sandbox/host/hostProgram.ts';
import type { Finding } from './finding.ts';
import { findingsOf } from './findings.ts';
import { enginePlace, ownPlace } from './lookAtPlaces.ts';
import type { ProgramFact, SetupFacts } from './setupFacts.ts';

export interface SetupQuestion {
  readonly wish: RuntimeWish;
  /** Tasks whose images to look for. */
  readonly asked: SetupFacts['asked'];
  /** Host path of the folder in which workspaces are made. */
  readonly workspaces: string;
  readonly programs: readonly ProgramFact[];
}

/** Checks the whole set-up; takes seconds. @throws only when `signal` aborts */
export async function checkSetup(question: SetupQuestion, signal: AbortSignal): Promise<Finding[]> {
  return findingsOf(await lookAtSetup(question, signal));
}

async function lookAtSetup(
  { wish, asked, workspaces, programs }: SetupQuestion,
  signal: AbortSignal,
): Promise<SetupFacts> {
  const { env, home, platform, imageMap, dockerEndpoint, pythonPath } = wish;
  const images = asked && 'images' in asked ? asked.images : [];
  const endpoint = dockerEndpoint === undefined ? {} : { endpoint: dockerEndpoint };
  const owner = ownerOfThisProcess(`${wish.ownerSuffix}-doctor`);
  const trial = checkSandbox({ owner, env, pythonPath }, signal);
  const [engine, dockerd, podman, hasSystemd, ...places] = await Promise.all([
    checkEngine({ ...endpoint, env, home, platform, imageMap, images }, signal),
    findPrograms('dockerd', env),
    findPrograms('podman', env),
    isThere('/run/systemd/system'),
    ownPlace('workspaces', workspaces),
    ownPlace('temporary', tmpdir()),
    ownPlace('cache', hubCacheFolder(env, home)),
    // Whatever else fails: the trial run is over, and its folder gone, before this ends.
  ]).finally(() => trial);
  const sandbox = await trial;
  signal.throwIfAborted();
  const dataRoot = engine.kind === 'answers' ? engine.engine.dataRoot : undefined;
  return {
    wish: wish.kind,
    platform,
    isRoot: process.getuid?.() === 0,
    engine,
    enginePrograms: [
      ...(dockerd.length > 0 ? (['dockerd'] as const) : []),
      ...(podman.length > 0 ? (['podman'] as const) : []),
    ],
    hasSystemd,
    imageMap,
    asked,
    sandbox,
    places: [...(dataRoot === undefined ? [] : [await enginePlace(dataRoot)]), ...places],
    programs,
  };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
