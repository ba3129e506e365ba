/**
 * Checks the engine for a person who sets up a machine: does it answer, may they use it, which images does it have?
 */
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { RuntimeFailure } from '../runtime.ts';
import { connect, sourcesOf, type Engine, type EngineLocation } from './engine/connection.ts';
import { chooseEndpoints, type EndpointSources } from './engine/endpoint.ts';
import { failureOf, statusOf } from './engine/failures.ts';
import { mapImage, withTag, type ImageMap } from './image/imageMap.ts';
import { imageId } from './image/prepare.ts';

/** An image that tasks ask for, and whether the engine has what is used in its place. */
export interface ImageFact {
  readonly requested: string;
  /** The name after substitution, with its tag. */
  readonly used: string;
  readonly present: boolean;
}

/** Who may use a socket of an engine. */
export interface SocketFact {
  readonly path: string;
  readonly mayUse: boolean;
  /** The group that owns it; undefined when it has no name. */
  readonly group: string | undefined;
  /** Whether `/etc/group` lists this user in that group, also when this session began before it did. */
  readonly userIsListed: boolean;
}

export type EngineCheck =
  | {
      readonly kind: 'answers';
      readonly engine: Pick<Engine, 'name' | 'where' | 'origin' | 'platform' | 'dataRoot' | 'unenforced'>;
      readonly images: readonly ImageFact[];
    }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure; readonly sockets: readonly SocketFact[] };

export interface EngineCheckRequest extends EngineLocation {
  readonly imageMap: ImageMap;
  /** Names of images as tasks write them. */
  readonly images: readonly string[];
}

/** Asks the engine; nothing is pulled, made or changed. Never throws but when `signal` aborts. */
export async function checkEngine(request: EngineCheckRequest, signal: AbortSignal): Promise<EngineCheck> {
  const sources = sourcesOf(request);
  try {
    const engine = await connect(sources, signal);
    const images = await Promise.all(
      request.images.map((image) => findImageFact(engine, image, request.imageMap, signal)),
    );
    return { kind: 'answers', engine, images };
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(error, 'being asked what it has');
    return { kind: 'failed', failure, sockets: await socketsOf(sources) };
  }
}

async function findImageFact(
  engine: Engine,
  requested: string,
  imageMap: ImageMap,
  signal: AbortSignal,
): Promise<ImageFact> {
  const used = withTag(mapImage(requested, imageMap));
  const id = await imageId({ engine, signal }, used).catch((error: unknown) => {
    // What the engine does not take for a name, it cannot have.
    if (statusOf(error) === 400) return undefined;
    throw error;
  });
  return { requested, used, present: id !== undefined };
}

/** Sockets that were tried and are there. */
async function socketsOf(sources: EndpointSources): Promise<SocketFact[]> {
  const choice = chooseEndpoints(sources);
  if (choice.kind === 'failed' || sources.platform === 'win32') return [];
  const paths = choice.endpoints.flatMap(({ address }) => (address.kind === 'socket' ? [address.path] : []));
  const facts = await Promise.all(paths.map(socketFact));
  return facts.filter((fact) => fact !== undefined);
}

async function socketFact(path: string): Promise<SocketFact | undefined> {
  const mayUse = await access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  const stats = await stat(path).catch(() => undefined);
  // A folder that cannot be entered hides whether there is a socket in it.
  if (stats === undefined) return undefined;
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  const [group, , , members = ''] =
    groups
      .split('\n')
      .map((line) => line.split(':'))
      .find(([, , gid]) => gid === String(stats.gid)) ?? [];
  return { path, mayUse, group, userIsListed: members.split(',').includes(userName()) };
}

/** A user id need not have a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
