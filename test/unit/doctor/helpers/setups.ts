// Set-ups to show to the doctor: one where everything works, to be changed by a test.
import { byCommand, inWords } from '../../../../src/fault/remedy.ts';
import type { EngineCheck } from '../../../../src/runtime/docker/engineCheck.ts';
import type { SetupFacts } from '../../../../src/doctor/setupFacts.ts';
import type { RuntimeFailure } from '../../../../src/runtime/runtime.ts';

const GIB = 1024 ** 3;

export const ANSWERS: Extract<EngineCheck, { kind: 'answers' }> = {
  kind: 'answers',
  engine: {
    name: 'Docker 28.2.2',
    where: '/var/run/docker.sock',
    origin: 'the default socket',
    platform: 'linux/amd64',
    dataRoot: '/var/lib/docker',
    unenforced: [],
  },
  images: [{ requested: 'python:3.10-slim', used: 'python:3.10-slim', present: true }],
};

export const WORKING: SetupFacts = {
  requestedRuntime: 'auto',
  platform: 'linux',
  isRoot: false,
  engine: ANSWERS,
  enginePrograms: ['dockerd'],
  hasSystemd: true,
  imageMap: {},
  requestedImages: { from: 'tasks.parquet', tasks: 10, unread: 0, images: ['python:3.10-slim'] },
  sandbox: {
    probe: { available: true, name: 'bubblewrap 0.8.0', where: '/usr/bin/bwrap', platform: 'linux/amd64' },
    namespaces: {},
    interpreter: { executable: '/usr/bin/python3', version: '3.11.2', pytestVersion: '7.2.1' },
  },
  places: [
    { what: 'engine', path: '/var/lib/docker', freeBytes: 50 * GIB, writable: undefined },
    { what: 'workspaces', path: '/home/ada/w', freeBytes: 50 * GIB, writable: true },
    { what: 'temporary', path: '/tmp', freeBytes: 50 * GIB, writable: true },
    { what: 'cache', path: '/home/ada/.cache/huggingface/hub', freeBytes: 50 * GIB, writable: true },
  ],
  programs: [{ name: 'Node', version: '20.11.1', least: '20' }],
};

export const NO_ENGINE: RuntimeFailure = {
  reason: 'no-engine',
  message: 'No Docker engine answers. Tried: /var/run/docker.sock.',
  detail: '/var/run/docker.sock (the default socket): connect ENOENT /var/run/docker.sock',
  remedies: [inWords('Start Docker or Podman.')],
};

export const WITHOUT_ENGINE: SetupFacts = {
  ...WORKING,
  engine: { kind: 'failed', failure: NO_ENGINE, sockets: [] },
};

export const NO_SANDBOX: SetupFacts['sandbox']['probe'] = {
  available: false,
  failure: {
    reason: 'no-sandbox',
    message: 'The sandbox needs bwrap, which is not on PATH.',
    remedies: [byCommand('sudo apt-get install bubblewrap', 'install bubblewrap')],
  },
};
