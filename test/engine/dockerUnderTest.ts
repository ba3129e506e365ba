// A Docker runtime over the test engine, and what the engine says without it.
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { z } from 'zod';
import { createDockerRuntime, type DockerRuntimeOptions } from '../../src/runtime/docker/dockerRuntime.ts';
import { ownerOfThisProcess } from '../../src/runtime/owner.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { BASE_IMAGES, ensureBaseImage, ensureNoBashImage } from '../host/baseImage.ts';
import { ensureEngine, type Engine } from '../host/engine.ts';
import { askEngine } from '../host/engineApi.ts';

export interface DockerUnderTest {
  readonly engine: Engine;
  readonly owner: string;
  readonly runtime: Runtime;
}

const containers = z.array(z.object({ Id: z.string(), Names: z.array(z.string()), State: z.string() }));
const images = z.array(z.object({ Id: z.string(), RepoTags: z.array(z.string()).nullable() }));

export type ListedContainer = z.infer<typeof containers>[number];
export type ListedImage = z.infer<typeof images>[number];

/** The engine with the images that tests use. */
export async function readyEngine(): Promise<Engine> {
  const engine = await ensureEngine();
  await ensureBaseImage(engine);
  await ensureNoBashImage(engine);
  return engine;
}

/** A runtime with an owner of its own. */
export function dockerRuntime(engine: Engine, options: Partial<DockerRuntimeOptions> = {}): DockerUnderTest {
  const owner = options.owner ?? ownerOfThisProcess(randomUUID());
  const runtime = createDockerRuntime({
    owner,
    endpoint: engine.host,
    env: {},
    home: homedir(),
    platform: process.platform,
    imageMap: BASE_IMAGES,
    // Nothing that a test builds needs a network, and a private engine has none.
    buildNetwork: 'none',
    ...options,
  });
  return { engine, owner, runtime };
}

/** Containers with this label, in any state. */
export async function containersWith(engine: Engine, label: string): Promise<ListedContainer[]> {
  return listContainers(engine, { label: [label] });
}

/** Containers with this label that the engine has noted as running. */
export async function runningContainersWith(engine: Engine, label: string): Promise<ListedContainer[]> {
  return listContainers(engine, { label: [label], status: ['running'] });
}

async function listContainers(
  engine: Engine,
  filters: Readonly<Record<string, readonly string[]>>,
): Promise<ListedContainer[]> {
  const query = new URLSearchParams({ all: '1', filters: JSON.stringify(filters) });
  const answer = await askEngine(engine.host, 'GET', `/containers/json?${query}`);
  return containers.parse(JSON.parse(answer.body));
}

/** Images with this label that have neither a name nor a child. */
export async function danglingImagesWith(engine: Engine, label: string): Promise<ListedImage[]> {
  const filters = JSON.stringify({ label: [label], dangling: ['true'] });
  const answer = await askEngine(engine.host, 'GET', `/images/json?${new URLSearchParams({ filters })}`);
  return images.parse(JSON.parse(answer.body));
}
