// Images for tests, made from Debian packages because no registry can be reached.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureCached, type How } from './cache.ts';
import { runCommand } from './command.ts';
import type { Engine } from './engine.ts';
import { askEngine } from './engineApi.ts';
import { ensurePackages, unpackPackage } from './packages.ts';

/** Debian 12 with bash, Python 3.11, pytest and pip. */
export const BASE_IMAGE = 'repair-bench-test/base:bookworm';

/** A busybox and nothing else: no bash, no Python. */
export const NO_BASH_IMAGE = 'repair-bench-test/nobash:latest';

/** {@link BASE_IMAGE} with debugpy. */
export const DEBUGPY_IMAGE = 'repair-bench-test/debugpy:bookworm';

/** Debian's debugpy, and what it needs that no test image has. */
const DEBUGPY_PACKAGES = ['python3-debugpy', 'python3-pydevd', 'python3-bytecode'];

/** What stands in for the images that tasks name; the base-image substitution that tests set. */
export const BASE_IMAGES: Readonly<Record<string, string>> = {
  'python:3.10-slim': BASE_IMAGE,
  'python:3.11-slim': BASE_IMAGE,
  'python:3.11-slim-bookworm': BASE_IMAGE,
  'python:3.12-slim': BASE_IMAGE,
  'python:3.10': BASE_IMAGE,
  'python:3.11': BASE_IMAGE,
  'ubuntu:22.04': BASE_IMAGE,
  'ubuntu:24.04': BASE_IMAGE,
  'debian:bookworm-slim': BASE_IMAGE,
  'alpine:3.20': NO_BASH_IMAGE,
  'busybox:latest': NO_BASH_IMAGE,
};

/** The label of these images, which all that is made of them inherits, containers too. */
export const KEY_LABEL = 'repair-bench-test.key';
const INCLUDE = ['python3', 'python3-pytest', 'python3-pip', 'python-is-python3', 'diffutils'];
const MMDEBSTRAP = [
  '--variant=minbase',
  `--include=${INCLUDE.join(',')}`,
  '--dpkgopt=path-exclude=/usr/share/doc/*',
  '--dpkgopt=path-exclude=/usr/share/man/*',
  '--dpkgopt=path-exclude=/usr/share/locale/*',
  // As in the official Python images, so that `pip install pytest` in a Dockerfile finds it satisfied.
  '--customize-hook=rm -f "$1"/usr/lib/python3.11/EXTERNALLY-MANAGED',
];

const BASE_KEY = `base-bookworm-${digest(MMDEBSTRAP)}`;
const BASE_CHANGES = ['CMD ["bash"]', 'ENV LANG=C.UTF-8'];

interface ImageSource {
  readonly image: string;
  /** Changes with the recipe, so that an older import is replaced. */
  readonly key: string;
  readonly build: (tar: string) => Promise<void>;
  readonly changes: readonly string[];
}

/** Makes sure that the engine has {@link BASE_IMAGE}; its file system is cached and imported again if the engine lost it. */
export async function ensureBaseImage(engine: Engine): Promise<How> {
  return ensureImage(engine, {
    image: BASE_IMAGE,
    key: BASE_KEY,
    build: buildBase,
    changes: BASE_CHANGES,
  });
}

/** Makes sure that the engine has {@link DEBUGPY_IMAGE}. */
export async function ensureDebugpyImage(engine: Engine): Promise<How> {
  return ensureImage(engine, {
    image: DEBUGPY_IMAGE,
    key: `debugpy-${BASE_KEY}`,
    build: buildWithDebugpy,
    changes: BASE_CHANGES,
  });
}

/** The folder that Python imports debugpy from, outside any image. */
export async function ensureDebugpyFolder(): Promise<string> {
  const { folder } = await ensureCached('debugpy-bookworm', async (into) => {
    for (const name of DEBUGPY_PACKAGES) await unpackPackage(name, into);
  });
  return join(folder, 'usr/lib/python3/dist-packages');
}

/** Makes sure that the engine has {@link NO_BASH_IMAGE}. */
export async function ensureNoBashImage(engine: Engine): Promise<How> {
  return ensureImage(engine, {
    image: NO_BASH_IMAGE,
    key: 'nobash-1',
    build: buildNoBash,
    changes: ['CMD ["sh"]'],
  });
}

async function ensureImage(engine: Engine, source: ImageSource): Promise<How> {
  const known = await askEngine(engine.host, 'GET', `/images/${source.image}/json`);
  if (known.status === 200 && known.body.includes(`"${KEY_LABEL}":"${source.key}"`)) return 'reused';
  const cached = await ensureCached(`images/${source.key}`, (folder) =>
    source.build(join(folder, 'image.tar')),
  );
  await importImage(engine, source, join(cached.folder, 'image.tar'));
  return 'installed';
}

/** https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Image/operation/ImageCreate */
async function importImage(engine: Engine, source: ImageSource, tar: string): Promise<void> {
  const [repo = '', tag = 'latest'] = source.image.split(':');
  const query = new URLSearchParams({ fromSrc: '-', repo, tag });
  for (const change of [...source.changes, `LABEL ${KEY_LABEL}=${source.key}`])
    query.append('changes', change);
  const answer = await askEngine(engine.host, 'POST', `/images/create?${query}`, createReadStream(tar));
  if (answer.status === 200 && !answer.body.includes('"errorDetail"')) return nameImport(engine, repo, tag);
  throw new Error(
    `The engine at ${engine.host} did not import ${source.image}: ${answer.body.trim()}\n` +
      `Next: delete ${tar} with its folder, check the free space of the disk, and run this again.`,
  );
}

/** Podman 4 names an import `latest`, whatever tag it was asked for. */
async function nameImport(engine: Engine, repo: string, tag: string): Promise<void> {
  const { status } = await askEngine(engine.host, 'GET', `/images/${repo}:${tag}/json`);
  if (status === 200) return;
  await askEngine(engine.host, 'POST', `/images/${repo}:latest/tag?${new URLSearchParams({ repo, tag })}`);
}

async function buildBase(tar: string): Promise<void> {
  await ensurePackages('mmdebstrap', 'debian-archive-keyring');
  await runCommand({
    command: 'mmdebstrap',
    args: [...MMDEBSTRAP, 'bookworm', tar],
    advice: 'check that the Debian mirror answers, then run this again.',
  });
}

async function buildWithDebugpy(tar: string): Promise<void> {
  const base = await ensureCached(`images/${BASE_KEY}`, (folder) => buildBase(join(folder, 'image.tar')));
  await copyFile(join(base.folder, 'image.tar'), tar);
  // Files alone: an engine refuses an archive that names a folder twice.
  await runCommand({
    command: 'sh',
    args: [
      '-c',
      'find ./usr/lib/python3/dist-packages -type f | tar --append --owner=0 --group=0 --file="$1" --files-from=-',
      'sh',
      tar,
    ],
    cwd: join(await ensureDebugpyFolder(), '../../../..'),
    advice: 'check the free space of the disk, then run this again.',
  });
}

async function buildNoBash(tar: string): Promise<void> {
  const folder = dirname(tar);
  const root = join(folder, 'root');
  await mkdir(root);
  await unpackPackage('busybox-static', root);
  const applets = await runCommand({
    command: join(root, 'bin/busybox'),
    args: ['--list'],
    advice: 'this machine cannot run the unpacked busybox; is it of another architecture?',
  });
  for (const applet of applets.split('\n').filter((name) => name && name !== 'busybox')) {
    await symlink('busybox', join(root, 'bin', applet));
  }
  for (const name of ['etc', 'tmp', 'root', 'proc', 'sys', 'dev'])
    await mkdir(join(root, name), { recursive: true });
  await writeFile(
    join(root, 'etc/passwd'),
    'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n',
  );
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
  await runCommand({
    command: 'sh',
    args: [
      '-c',
      'rm -rf root/usr/share && chmod 1777 root/tmp && tar --owner=0 --group=0 -cf image.tar -C root . && rm -rf root',
    ],
    cwd: folder,
    advice: 'check the free space of the disk, then run this again.',
  });
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}
