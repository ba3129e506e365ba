/** Builds an image with the engine's classic builder, and leaves nothing behind but that image. */
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { inWords } from '../../../fault/remedy.ts';
import type { RuntimeFailure } from '../../runtime.ts';
import { timerMs } from '../../timers.ts';
import { limitText } from '../../../wording/durationText.ts';
import { packContext, type BuildContext } from './buildContext.ts';
import { buildFailure, refusedBuild } from './buildFailures.ts';
import { BuildTranscript } from './buildTranscript.ts';
import type { Engine } from '../engine/connection.ts';
import { Cancelled, EngineFailure, statusOf, errorText } from '../engine/failures.ts';

const MOST_LAYERS = 200;
const WIND_DOWN_MS = 10_000;
const WIND_DOWN_PAUSE_MS = 100;

/** What the containers of a build may reach. */
export type BuildNetwork = 'default' | 'none';

export interface BuildLimits {
  readonly timeoutMs: number;
  readonly network: BuildNetwork;
}

/** The name of an image that is built from these files: equal names mean equal content. */
export function builtImageName(context: BuildContext): string {
  return `repair-bench/${context.hash}:latest`;
}

/**
 * Builds and tags an image.
 * @throws EngineFailure: build-failed, build-timed-out, image-missing, unsupported-recipe and what an engine can cause;
 * Cancelled. Containers and images of an unfinished build are gone by then.
 */
export async function buildImage(
  engine: Engine,
  context: BuildContext,
  { timeoutMs, network }: BuildLimits,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const refused = refusedBuild(engine, context);
  if (refused) throw new EngineFailure(refused);
  const { docker } = engine;
  const before = await danglingImages(docker);
  const transcript = new BuildTranscript(log);
  const limit = AbortSignal.timeout(timerMs(timeoutMs));
  try {
    await followBuild(docker, context, network, transcript, AbortSignal.any([signal, limit]));
    if (transcript.error !== undefined)
      throw new EngineFailure(buildFailure(context, transcript, transcript.error));
  } catch (error) {
    const stopped = signal.aborted || limit.aborted;
    if (stopped) await waitForWindDown(docker, transcript);
    await removeUnfinished(docker, transcript, before);
    if (signal.aborted) throw new Cancelled();
    if (limit.aborted) throw new EngineFailure(timedOut(context, transcript, timeoutMs));
    const isRefusal = [400, 404, 500].includes(statusOf(error) ?? 0);
    throw isRefusal ? new EngineFailure(buildFailure(context, transcript, errorText(error))) : error;
  }
  // Stages that the image was not made of.
  if (context.dockerfile.stages > 1) await removeUnfinished(docker, transcript, before);
}

async function followBuild(
  docker: Docker,
  context: BuildContext,
  network: BuildNetwork,
  transcript: BuildTranscript,
  abortSignal: AbortSignal,
): Promise<void> {
  const archive = packContext(context);
  try {
    const stream = await docker.buildImage(archive, {
      t: builtImageName(context),
      dockerfile: context.dockerfile.path,
      ...(network === 'none' && { networkmode: 'none' }),
      rm: true,
      forcerm: true,
      abortSignal,
    });
    await transcript.follow(stream, abortSignal);
  } finally {
    archive.destroy();
  }
}

/** A builder whose connection closes kills the container of its step; until then it may still make an image. */
async function waitForWindDown(docker: Docker, transcript: BuildTranscript): Promise<void> {
  const deadline = performance.now() + WIND_DOWN_MS;
  while (transcript.container !== undefined && performance.now() < deadline) {
    const gone = await docker
      .getContainer(transcript.container)
      .inspect()
      .then(
        () => false,
        () => true,
      );
    if (gone) return;
    await delay(WIND_DOWN_PAUSE_MS);
  }
}

interface DanglingImage {
  readonly id: string;
  readonly parent: string;
}

/**
 * Removes what this build made and nothing is made of. The builder's words can be imitated by what a step prints,
 * so an image goes only if it also has no name, no child, and was not there before.
 */
async function removeUnfinished(
  docker: Docker,
  transcript: BuildTranscript,
  before: readonly DanglingImage[],
): Promise<void> {
  const isOurs = (id: string): boolean => transcript.images.some((start) => bare(id).startsWith(start));
  const old = new Set(before.map(({ id }) => id));
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const dangling = await danglingImages(docker).catch(() => []);
    const ours = dangling.filter(({ id, parent }) => !old.has(id) && (isOurs(id) || isOurs(parent)));
    const removals = await Promise.all(
      ours.map(({ id }) =>
        docker
          .getImage(id)
          .remove({ noprune: true })
          .then(
            () => true,
            () => false,
          ),
      ),
    );
    if (!removals.includes(true)) return;
  }
}

async function danglingImages(docker: Docker): Promise<DanglingImage[]> {
  const images = await docker.listImages({ filters: { dangling: ['true'] } });
  return images.map(({ Id, ParentId }) => ({ id: Id, parent: ParentId }));
}

function bare(id: string): string {
  return id.replace(/^sha256:/, '');
}

function timedOut(context: BuildContext, transcript: BuildTranscript, timeoutMs: number): RuntimeFailure {
  const { at } = buildFailure(context, transcript, '');
  return {
    reason: 'build-timed-out',
    message: `Building the image took longer than ${limitText(timeoutMs)}.`,
    detail: transcript.output,
    remedies: [
      inWords(
        'Look at what its last step waits for, such as a download, or raise build_timeout_sec in task.toml.',
      ),
    ],
    ...(at && { at }),
  };
}
