// A Docker engine for tests: the one that answers already, else our own `dockerd`, which is ours to stop.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { How } from './cache.ts';
import { cacheFolder } from './cacheFolder.ts';
import { findExecutable, lastLines, runCommand } from './command.ts';
import { engineAnswers } from './engineApi.ts';
import { withLock } from './locks.ts';
import { ensurePackages } from './packages.ts';

const DEFAULT_HOST = 'unix:///var/run/docker.sock';
const START_MS = 60_000;
const STOP_MS = 30_000;
// Bridge and firewall need kernel features that some machines lack; containers without a network do not.
const WITHOUT_BRIDGE = ['--bridge=none', '--iptables=false', '--ip-forward=false', '--ip-masq=false'];

/** A Docker engine that answered when it was given out. */
export interface Engine {
  /** As `DOCKER_HOST` wants it, such as `unix:///var/run/docker.sock`. */
  readonly host: string;
  readonly how: How;
  /** How to start it; absent if somebody else did, who may keep it. */
  readonly daemon?: EngineDaemon;
}

/** A `dockerd` of ours. */
export interface EngineDaemon {
  readonly host: string;
  readonly pidFile: string;
  readonly logFile: string;
  /** Where it keeps its sockets and those of its containerd. */
  readonly execRoot: string;
  readonly flags: readonly string[];
  /** Whether it has a network namespace of its own. */
  readonly ownNetwork: boolean;
  /** What ends with the engine; the default engine keeps its images where the system keeps them. */
  readonly folders: readonly string[];
}

/** An engine that is ours alone: tests may kill it and start it again. */
export interface PrivateEngine extends Engine {
  readonly daemon: EngineDaemon;
}

/**
 * Gives the engine at `DOCKER_HOST`, at the default socket, or one that it installs and starts there.
 * @throws Error that says what is missing, or the last lines of the engine's log.
 */
export async function ensureEngine(): Promise<Engine> {
  const given = process.env['DOCKER_HOST'];
  if (given && given !== DEFAULT_HOST) {
    if (await engineAnswers(given)) return { host: given, how: 'reused' };
    throw new Error(`No Docker engine answers at DOCKER_HOST=${given}. Start it or unset DOCKER_HOST.`);
  }
  const daemon = defaultDaemon();
  return withLock('engine', async () => {
    if (await engineAnswers(DEFAULT_HOST)) return withOwner({ host: DEFAULT_HOST, how: 'reused' }, daemon);
    const how = await installDaemon();
    // The package starts the engine itself on a machine that has an init system.
    if (await engineAnswers(DEFAULT_HOST)) return { host: DEFAULT_HOST, how };
    await startEngine(daemon);
    return { host: DEFAULT_HOST, how, daemon };
  });
}

/**
 * Gives a second engine with its own socket, data and containerd, so that a test may kill it without
 * hurting anyone. Its network is its own too and leads nowhere. End it with {@link removePrivateEngine}.
 */
export async function ensurePrivateEngine(name: string): Promise<PrivateEngine> {
  const daemon = privateDaemon(name);
  return withLock(`engine-${name}`, async () => {
    if (await engineAnswers(daemon.host)) return { host: daemon.host, how: 'reused', daemon };
    const how = await installDaemon();
    await startEngine(daemon);
    return { host: daemon.host, how, daemon };
  });
}

/** Starts an engine and waits until it answers; it outlives this process. */
export async function startEngine(daemon: EngineDaemon): Promise<void> {
  const ending = await launch(daemon, []);
  if (ending === undefined) return;
  if (!/iptables|bridge|nftables|netlink/i.test(ending)) throw startFailure(daemon, ending);
  const again = await launch(daemon, WITHOUT_BRIDGE);
  if (again !== undefined) throw startFailure(daemon, again);
}

/** Kills an engine at once, as a crash would: its containers go on until it is started again. */
export async function killEngine(daemon: EngineDaemon): Promise<void> {
  const pid = runningPid(daemon);
  if (pid === undefined) return;
  // Its containerd follows it, but slowly enough that a successor would take it for alive.
  const containerd = containerdPid(daemon);
  for (const each of [pid, containerd]) if (each !== undefined) process.kill(each, 'SIGKILL');
  for (const each of [pid, containerd]) if (each !== undefined) await waitForEnd(each, STOP_MS);
}

/** Stops an engine that tests started, and its containers with it; any other is left alone. */
export async function stopEngine(engine: Engine): Promise<void> {
  const pid = engine.daemon && runningPid(engine.daemon);
  if (!engine.daemon || pid === undefined) return;
  process.kill(pid, 'SIGTERM');
  if (!(await waitForEnd(pid, STOP_MS))) await killEngine(engine.daemon);
  await rm(engine.daemon.pidFile, { force: true });
}

/** Stops a private engine, also one that was killed, and deletes its images and containers. */
export async function removePrivateEngine(engine: PrivateEngine): Promise<void> {
  const { daemon } = engine;
  // What a killed engine left running is ended by its successor.
  if (runningPid(daemon) === undefined && (await hasLeftovers(daemon))) await startEngine(daemon);
  await stopEngine(engine);
  for (const folder of daemon.folders) {
    await unmountBelow(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function installDaemon(): Promise<'started' | 'installed'> {
  const installed = findExecutable('dockerd') && findExecutable('iptables');
  if (!installed) await ensurePackages('docker.io', 'iptables');
  mustBeRoot();
  return installed ? 'started' : 'installed';
}

function mustBeRoot(): void {
  if (process.getuid?.() === 0) return;
  throw new Error(
    'No Docker engine answers and only root can start one. Start Docker, or set DOCKER_HOST to the socket of a rootless one.',
  );
}

function defaultDaemon(): EngineDaemon {
  const folder = join(cacheFolder(), 'engine');
  const pidFile = join(folder, 'dockerd.pid');
  return {
    host: DEFAULT_HOST,
    pidFile,
    logFile: join(folder, 'dockerd.log'),
    execRoot: '/var/run/docker',
    flags: ['--host', DEFAULT_HOST, '--pidfile', pidFile],
    ownNetwork: false,
    folders: [],
  };
}

function privateDaemon(name: string): EngineDaemon {
  const data = join(cacheFolder(), 'engines', name);
  // Paths of sockets are limited to 107 bytes, so they cannot live in just any cache folder.
  const run = join('/run', `repair-bench-${name}`);
  const host = `unix://${join(run, 'docker.sock')}`;
  const pidFile = join(run, 'dockerd.pid');
  const execRoot = join(run, 'exec');
  const places = ['--pidfile', pidFile, '--data-root', join(data, 'data'), '--exec-root', execRoot];
  return {
    host,
    pidFile,
    logFile: join(data, 'dockerd.log'),
    execRoot,
    flags: ['--host', host, ...places, '--shutdown-timeout=1'],
    // Two engines in one network take each other's bridge and firewall rules away.
    ownNetwork: true,
    folders: [data, run],
  };
}

function withOwner(engine: Engine, daemon: EngineDaemon): Engine {
  return runningPid(daemon) === undefined ? engine : { ...engine, daemon };
}

/** Starts `dockerd`; the text of its log if it ended or did not answer in time. */
async function launch(daemon: EngineDaemon, extra: readonly string[]): Promise<string | undefined> {
  for (const file of [daemon.pidFile, daemon.logFile]) await mkdir(dirname(file), { recursive: true });
  // A dead predecessor that init has not reaped yet counts as running to `dockerd`.
  if (runningPid(daemon) === undefined) await rm(daemon.pidFile, { force: true });
  if (containerdPid(daemon) === undefined) await rm(containerdPidFile(daemon), { force: true });
  const log = openSync(daemon.logFile, 'w');
  const dockerd = [findExecutable('dockerd') ?? 'dockerd', ...daemon.flags, ...extra];
  const [command = '', ...args] = daemon.ownNetwork ? ['unshare', '--net', ...dockerd] : dockerd;
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let ended = false;
  child.once('exit', () => (ended = true));
  child.once('error', () => (ended = true));
  child.unref();
  const deadline = Date.now() + START_MS;
  while (!ended && Date.now() < deadline) {
    if (await engineAnswers(daemon.host)) return undefined;
    await delay(100);
  }
  if (!ended && child.pid) process.kill(child.pid, 'SIGKILL');
  return readFile(daemon.logFile, 'utf8');
}

function startFailure(daemon: EngineDaemon, log: string): Error {
  const lines = lastLines(log).map((line) => `  | ${line}`);
  return new Error(
    [
      '`dockerd` did not come up.',
      ...lines,
      `Log: ${daemon.logFile}`,
      'Next: it needs root, cgroups and overlayfs; a container must be privileged. Or point DOCKER_HOST at an engine.',
    ].join('\n'),
  );
}

/** The process of the daemon, if it runs and is really ours and not a later process of the same number. */
function runningPid(daemon: EngineDaemon): number | undefined {
  return pidWith(daemon.pidFile, daemon.pidFile);
}

function containerdPid(daemon: EngineDaemon): number | undefined {
  return pidWith(containerdPidFile(daemon), join(daemon.execRoot, 'containerd', 'containerd.toml'));
}

function containerdPidFile(daemon: EngineDaemon): string {
  return join(daemon.execRoot, 'containerd', 'containerd.pid');
}

/** The process that a pid file names, if its command line has `argument`. */
function pidWith(pidFile: string, argument: string): number | undefined {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number(readFileSync(pidFile, 'utf8').trim());
  return commandLine(pid).includes(argument) ? pid : undefined;
}

function commandLine(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

async function hasLeftovers(daemon: EngineDaemon): Promise<boolean> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return processes.some((pid) => daemon.folders.some((folder) => commandLine(pid).includes(`${folder}/`)));
}

/** A killed engine leaves its mounts behind, and they keep its folders from being deleted. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const mount of mounts.reverse().filter((point) => `${point}/`.startsWith(`${folder}/`))) {
    const advice = `find out what uses ${mount}, then run \`umount ${mount}\`.`;
    await runCommand({ command: 'umount', args: ['-l', mount], advice });
  }
}

async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (commandLine(pid) === '') return true;
    await delay(50);
  }
  return false;
}
