// Podman's Docker API for tests: a service of our own with its own socket and storage, ours to stop.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheFolder } from './cacheFolder.ts';
import { findExecutable, lastLines } from './command.ts';
import type { Engine } from './engine.ts';
import { engineAnswers } from './engineApi.ts';
import { ensurePackages } from './packages.ts';

// `catatonit` is its init program; without one it refuses containers that ask for it.
const PACKAGES = ['podman', 'runc', 'conmon', 'catatonit'];
const START_MS = 30_000;
const STOP_MS = 10_000;
// Paths of sockets are limited to 107 bytes, so it cannot live in just any cache folder.
const RUN = '/run/repair-bench-podman';
const OCI_RUNTIME = join(import.meta.dirname, 'modestRunc.sh');

/** A service that answered when it was given out. */
export interface PodmanService extends Engine {
  /** Ends the service; its images stay in the cache folder for the next. */
  readonly stop: () => Promise<void>;
}

/**
 * Installs Podman when it is missing and starts a service that only this process uses.
 * Needs root, as a rootless one depends on `/etc/subuid` and a user session.
 * @throws Error with the last lines of the service's log.
 */
export async function startPodman(): Promise<PodmanService> {
  const how = await ensurePackages(...PACKAGES);
  const storage = join(cacheFolder(), 'podman');
  for (const folder of [RUN, storage]) await mkdir(folder, { recursive: true });
  const host = `unix://${join(RUN, `${process.pid}.sock`)}`;
  const logFile = join(storage, 'service.log');
  const log = openSync(logFile, 'w');
  const service = spawn(
    findExecutable('podman') ?? 'podman',
    [
      ...['--root', join(storage, 'root'), '--runroot', join(RUN, 'run'), '--tmpdir', join(RUN, 'tmp')],
      // What works without systemd.
      ...['--cgroup-manager=cgroupfs', '--events-backend=file', '--runtime', OCI_RUNTIME],
      ...['system', 'service', '--time=0', host],
    ],
    // It unpacks images there, and /tmp can be a small file system in memory.
    { stdio: ['ignore', log, log], env: { ...process.env, TMPDIR: storage } },
  );
  closeSync(log);
  const kill = (): boolean => service.kill();
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    await stopService(service);
    process.off('exit', kill);
    // It leaves a mount on its own storage, which would keep the cache from being deleted; one in use stays.
    spawnSync('umount', [join(storage, 'root/overlay')], { stdio: 'ignore' });
  };
  const deadline = Date.now() + START_MS;
  while (service.exitCode === null && Date.now() < deadline) {
    if (await engineAnswers(host)) return { host, how: how === 'reused' ? 'started' : how, stop };
    await delay(50);
  }
  await stop();
  const lines = lastLines(await readFile(logFile, 'utf8')).map((line) => `  | ${line}`);
  throw new Error(['`podman system service` did not come up.', ...lines, `Log: ${logFile}`].join('\n'));
}

async function stopService(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const exited = once(service, 'exit');
  service.kill('SIGTERM');
  const timer = setTimeout(() => service.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}
