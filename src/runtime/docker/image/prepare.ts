/** Finds, pulls or builds the image of a recipe on the engine. */
import { inWords } from '../../../fault/remedy.ts';
import type { ImageRecipe } from '../../plan.ts';
import type { PreparedImage } from '../../runtime.ts';
import { unlessAborted } from '../engine/abort.ts';
import { buildImage, builtImageName, type BuildNetwork } from './build.ts';
import { readContext } from './buildContext.ts';
import { noDockerfile } from './buildFailures.ts';
import type { Engine } from '../engine/connection.ts';
import { EngineFailure, statusOf } from '../engine/failures.ts';
import { mapImage, withTag, type ImageMap } from './imageMap.ts';
import { pullImage } from './pull.ts';
import type { SharedJobs } from './sharedJobs.ts';

export interface PrepareContext {
  readonly engine: Engine;
  readonly images: ImageMap;
  readonly buildNetwork: BuildNetwork;
  readonly jobs: SharedJobs<void>;
  readonly log: (line: string) => void;
  /** Called when something has to be built or pulled. */
  readonly started: () => void;
  readonly signal: AbortSignal;
}

/** @throws EngineFailure, Cancelled, or what the client of the engine throws. */
export async function prepareImage(context: PrepareContext, recipe: ImageRecipe): Promise<PreparedImage> {
  return recipe.kind === 'pull' ? preparePulled(context, recipe) : prepareBuilt(context, recipe);
}

/** The id of a recipe's image, if it is on the engine already. */
export async function findImage(
  context: Pick<PrepareContext, 'engine' | 'images' | 'signal'>,
  recipe: ImageRecipe,
): Promise<string | undefined> {
  if (recipe.kind === 'pull') return imageId(context, withTag(mapImage(recipe.name, context.images)));
  const build = readContext(recipe, context.images);
  return build && imageId(context, builtImageName(build));
}

async function preparePulled(
  context: PrepareContext,
  recipe: Extract<ImageRecipe, { kind: 'pull' }>,
): Promise<PreparedImage> {
  const name = withTag(mapImage(recipe.name, context.images));
  return findOrMake(context, name, (log, signal) =>
    pullImage(context.engine.docker, name, recipe.timeoutMs, log, signal),
  );
}

async function prepareBuilt(
  context: PrepareContext,
  recipe: Extract<ImageRecipe, { kind: 'build' }>,
): Promise<PreparedImage> {
  const build = readContext(recipe, context.images);
  if (!build) throw new EngineFailure(noDockerfile(recipe.dockerfile.path));
  const limits = { timeoutMs: recipe.timeoutMs, network: context.buildNetwork };
  return findOrMake(context, builtImageName(build), (log, signal) =>
    buildImage(context.engine, build, limits, log, signal),
  );
}

async function findOrMake(
  context: PrepareContext,
  name: string,
  make: (log: (line: string) => void, signal: AbortSignal) => Promise<void>,
): Promise<PreparedImage> {
  const present = await imageId(context, name);
  if (present !== undefined) return { id: present, buildMs: 0 };
  context.started();
  const since = performance.now();
  await context.jobs.join(name, make, context.log, context.signal);
  const made = await imageId(context, name);
  if (made === undefined) {
    throw new EngineFailure({
      reason: 'unexpected',
      message: `The engine said that ${name} is ready, and does not have it.`,
      remedies: [inWords('Run again; something else may have removed the image meanwhile.')],
    });
  }
  return { id: made, buildMs: Math.max(1, Math.round(performance.now() - since)) };
}

/** The id of an image by its name with a tag; undefined when the engine does not have it. */
export async function imageId(
  { engine, signal }: Pick<PrepareContext, 'engine' | 'signal'>,
  name: string,
): Promise<string | undefined> {
  const inspecting = engine.docker.getImage(name).inspect();
  const image = await unlessAborted(inspecting, signal).catch((error: unknown) => {
    if (statusOf(error) === 404) return undefined;
    throw error;
  });
  return image?.Id;
}
