/** Connects to an engine: to the first endpoint that answers. */
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type Docker from 'dockerode';
import * as z from 'zod';
import { inWords } from '../../../fault/remedy.ts';
import { limitText } from '../../../wording/durationText.ts';
import { unlessAborted, withTimeout } from './abort.ts';
import { failingOnBrokenAnswers } from './brokenAnswers.ts';
import { chooseEndpoints, type Endpoint, type EndpointSources, NAME_ENGINE } from './endpoint.ts';
import { Cancelled, EngineFailure, noEngine } from './failures.ts';

/** Where to look for an engine on this machine. */
export interface EngineLocation {
  /** The user's setting; empty or undefined means that the environment tells. */
  readonly endpoint?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** An engine that answered, with its own description. */
export interface Engine {
  readonly docker: Docker;
  /** Such as `Docker 20.10.24` or `Podman 4.3.1`. */
  readonly name: string;
  readonly where: string;
  /** Who named the endpoint, such as `DOCKER_HOST`. */
  readonly origin: string;
  /** Where it keeps its images, on the machine that it runs on. */
  readonly dataRoot: string | undefined;
  /** Such as `linux/amd64`. */
  readonly platform: string;
  readonly cpus: number;
  /** Whether it has an init program to reap what a verifier leaves. */
  readonly hasInit: boolean;
  /** Limits that its kernel or its rootless mode cannot enforce. */
  readonly unenforced: readonly ('cpus' | 'memory' | 'pids')[];
}

const PROBE_MS = 10_000;

const version = z.object({
  Version: z.string(),
  Os: z.string(),
  Arch: z.string(),
  Components: z.array(z.object({ Name: z.string() })).optional(),
});
const info = z.object({
  NCPU: z.number().optional(),
  InitBinary: z.string().optional(),
  CpuCfsQuota: z.boolean().optional(),
  MemoryLimit: z.boolean().optional(),
  PidsLimit: z.boolean().optional(),
  DockerRootDir: z.string().optional(),
});

/** The facts of this machine that locate the engine. */
export function sourcesOf({ endpoint, env, home, platform }: EngineLocation): EndpointSources {
  return { ...(endpoint && { setting: endpoint }), env, home, platform, readFile };
}

/**
 * Connects to the first endpoint of the chain that answers.
 * @throws EngineFailure with what was tried in order; Cancelled.
 */
export async function connect(sources: EndpointSources, signal: AbortSignal | undefined): Promise<Engine> {
  const choice = chooseEndpoints(sources);
  if (choice.kind === 'failed') throw new EngineFailure(choice.failure);
  const tried: { endpoint: Endpoint; error: unknown }[] = [];
  for (const endpoint of choice.endpoints) {
    try {
      return await identifyEngine(endpoint, signal);
    } catch (error) {
      if (signal?.aborted) throw new Cancelled();
      if (error instanceof EngineFailure) throw error;
      tried.push({ endpoint, error });
    }
  }
  throw new EngineFailure(noEngine(tried));
}

async function identifyEngine(endpoint: Endpoint, signal: AbortSignal | undefined): Promise<Engine> {
  const docker = await openClient(endpoint);
  const answers = Promise.all([
    docker.version().then((answer) => version.parse(answer)),
    docker.info().then((answer: unknown) => info.parse(answer)),
  ]);
  const answer = await withTimeout(unlessAborted(answers, signal), PROBE_MS, undefined);
  if (!answer) throw new Error(`no answer within ${limitText(PROBE_MS)}`);
  const [about, facts] = answer;
  const isPodman = about.Components?.some(({ Name }) => Name.startsWith('Podman')) ?? false;
  if (about.Os === 'windows') throw new EngineFailure(windowsContainers(endpoint));
  return {
    docker,
    name: `${isPodman ? 'Podman' : 'Docker'} ${about.Version.replace(/\+.*$/, '')}`,
    where: endpoint.where,
    origin: endpoint.origin,
    dataRoot: facts.DockerRootDir,
    platform: `${about.Os}/${about.Arch}`,
    cpus: facts.NCPU ?? Number.POSITIVE_INFINITY,
    // Podman does not say.
    hasInit: isPodman || Boolean(facts.InitBinary),
    unenforced: [
      ...(facts.CpuCfsQuota === false ? (['cpus'] as const) : []),
      ...(facts.MemoryLimit === false ? (['memory'] as const) : []),
      ...(facts.PidsLimit === false ? (['pids'] as const) : []),
    ],
  };
}

/**
 * A client for exactly this endpoint. The client library lets `DOCKER_HOST` override what it was given, so every
 * option it reads is set; and it is loaded late because it is large.
 */
async function openClient(endpoint: Endpoint): Promise<Docker> {
  const { default: Client } = await import('dockerode');
  const { address } = endpoint;
  const unset = { username: '', ca: undefined, cert: undefined, key: undefined, timeout: undefined };
  if (address.kind === 'socket') {
    return new Client({
      ...unset,
      host: undefined,
      port: undefined,
      protocol: 'http',
      socketPath: address.path,
      ...withAgent(new HttpAgent({ keepAlive: false })),
    });
  }
  const { host, port, tls } = address;
  return new Client({
    ...unset,
    socketPath: undefined,
    host,
    port,
    protocol: tls ? 'https' : 'http',
    ca: tls?.ca,
    cert: tls?.cert,
    key: tls?.key,
    ...withAgent(tls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false })),
  });
}

/** A fresh connection per request: a pooled one may belong to an engine that has been restarted since. */
function withAgent(agent: HttpAgent): object {
  return { agent: failingOnBrokenAnswers(agent), pathPrefix: '/', headers: {} };
}

function windowsContainers(endpoint: Endpoint): EngineFailure['failure'] {
  return {
    reason: 'unsupported-endpoint',
    message: `The engine at ${endpoint.where} runs Windows containers; tasks need Linux containers.`,
    remedies: [inWords('Switch Docker Desktop to Linux containers.'), NAME_ENGINE],
  };
}

function readFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
