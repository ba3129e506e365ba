// What a suite leaves on an engine that may be somebody's: nothing but the base images. Ours is what has the label of the base
// images: all images that test tasks make are made of one, so they inherit it, as do their containers, and nobody else's do.
import { z } from 'zod';
import { OWNER_LABEL, TASK_LABEL } from '../../src/runtime/docker/container/container.ts';
import { isOwnerAlive } from '../../src/runtime/owner.ts';
import { BASE_IMAGES, DEBUGPY_IMAGE, KEY_LABEL } from './baseImage.ts';
import type { Engine } from './engine.ts';
import { askEngine } from './engineApi.ts';
import { ifUnlocked, withSharedLock } from './locks.ts';
import { until } from './until.ts';

/** Removals that go on when a suite has ended may take so long. */
const SETTLE_MS = 15_000;
const KEPT = new Set([...Object.values(BASE_IMAGES), DEBUGPY_IMAGE]);

const containers = z.array(
  z.object({
    Id: z.string(),
    Names: z.array(z.string()),
    Status: z.string(),
    Labels: z.record(z.string(), z.string()),
  }),
);
const images = z.array(z.object({ Id: z.string(), RepoTags: z.array(z.string()).nullish() }));

type Container = z.infer<typeof containers>[number];

/**
 * Runs a suite that uses the engine, removes what it made there, and gives what it should have removed itself, in words.
 * While another run of tests uses the engine too, that is left to the one that ends last.
 */
export async function leavingNothing<T>(
  engine: Engine,
  suite: () => Promise<T>,
  settleMs: number = SETTLE_MS,
): Promise<{ readonly result: T; readonly left: readonly string[] }> {
  const lock = `users-of-${engine.host.replace(/\W+/g, '-')}`;
  let left: readonly string[] = [];
  const clean = async (): Promise<void> => {
    left = await removeAll(engine);
  };
  // What an earlier run was killed over is not this one's fault.
  await ifUnlocked(lock, clean);
  left = [];
  try {
    const result = await withSharedLock(lock, suite);
    await ifUnlocked(lock, async () => {
      await settled(engine, settleMs);
      await clean();
    });
    return { result, left };
  } catch (error) {
    await ifUnlocked(lock, clean);
    throw error;
  }
}

/** Waits for removals that are under way; what stays is told by who removes it. */
async function settled(engine: Engine, settleMs: number): Promise<void> {
  const isEmpty = async (): Promise<boolean> => (await containersOfTests(engine)).abandoned.length === 0;
  await until('no container is left', isEmpty, settleMs).catch(() => undefined);
}

/** Removes containers and images; gives the containers that were there, and the images that did not go. */
async function removeAll(engine: Engine): Promise<readonly string[]> {
  const { abandoned, inUse } = await containersOfTests(engine);
  for (const { Id } of abandoned) await remove(engine, `/containers/${Id}?force=true&v=true`);
  const stuck = inUse ? [] : await removeImages(engine);
  return [
    ...abandoned.map(({ Names, Status, Labels }) =>
      [`container ${Names.join()}`, `of task ${Labels[TASK_LABEL] ?? 'none'}`, Status].join(', '),
    ),
    ...stuck.map((name) => `image ${name}`),
  ];
}

/** Those of a living owner are in use by a person who works with the base images too. */
async function containersOfTests(
  engine: Engine,
): Promise<{ readonly abandoned: readonly Container[]; readonly inUse: boolean }> {
  const all = containers.parse(await list(engine, 'containers'));
  const abandoned = all.filter(({ Labels: { [OWNER_LABEL]: owner } }) => !owner || !isOwnerAlive(owner));
  return { abandoned, inUse: abandoned.length < all.length };
}

/** Removes all images but the base images; gives those that did not go. */
async function removeImages(engine: Engine): Promise<readonly string[]> {
  for (let before = Infinity; ;) {
    const names = images.parse(await list(engine, 'images')).flatMap(({ Id, RepoTags }) => {
      const tags = (RepoTags ?? []).filter((tag) => tag !== '<none>:<none>');
      return tags.length === 0 ? [Id] : tags.filter((tag) => !KEPT.has(tag));
    });
    if (names.length === 0 || names.length >= before) return names;
    before = names.length;
    // An image goes after those that are made of it, so this may take more than one round.
    for (const name of names) await remove(engine, `/images/${name}`);
  }
}

async function list(engine: Engine, kind: 'containers' | 'images'): Promise<unknown> {
  const query = new URLSearchParams({ all: '1', filters: JSON.stringify({ label: [KEY_LABEL] }) });
  const { status, body } = await askEngine(engine.host, 'GET', `/${kind}/json?${query}`);
  if (status !== 200) throw new Error(`The engine at ${engine.host} lists no ${kind}: ${body.trim()}`);
  return JSON.parse(body);
}

/** What does not go is listed again. */
async function remove(engine: Engine, path: string): Promise<void> {
  await askEngine(engine.host, 'DELETE', path);
}
