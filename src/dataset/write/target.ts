/** Where a dataset is written to: beside the target first, and in its place when it is whole. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { byChoice, inWords } from '../../fault/remedy.ts';
import type { Dataset } from '../dataset.ts';
import { DatasetError } from '../datasetError.ts';
import { FileSink } from './fileSink.ts';
import { asWriteError } from './writeErrors.ts';

export type TargetFormat = 'parquet' | 'arrow' | 'tar' | 'folder';

/** What the target's name asks for; a name without a known ending is that of a folder. Throws `DatasetError`. */
export function targetFormat(target: string): TargetFormat {
  if (/\.parquet$/i.test(target)) return 'parquet';
  if (/\.arrow$/i.test(target)) return 'arrow';
  if (/\.(tar\.gz|tgz)$/i.test(target)) return 'tar';
  const [ending] = /\.(tar|zip|gz|zst|7z|jsonl?|csv|tsv|feather|ipc)$/i.exec(target) ?? [];
  if (ending === undefined) return 'folder';
  throw new DatasetError(
    'unsupported-target',
    `${target} cannot be written: datasets are not written as ${ending} files.`,
    'Give a target that ends with .parquet, .arrow or .tar.gz, or the name of a folder.',
  );
}

/** Throws a `DatasetError` when the target is the source or a part of it, or is there already. */
export async function checkTarget(
  source: Pick<Dataset, 'location' | 'files'>,
  target: string,
  force: boolean,
): Promise<void> {
  for (const own of [source.location, ...source.files]) {
    if (!(await isWithin(own, target))) continue;
    throw new DatasetError(
      'target-is-source',
      `${target} is ${resolve(own) === resolve(target) ? '' : 'in '}the dataset that is read, and that is never changed.`,
      'Choose another target.',
    );
  }
  await refuseExisting(target, force);
}

/** Writes a file with `write` and puts it in the target's place. Whatever goes wrong, nothing is left behind. */
export async function writeFileTarget(
  target: string,
  force: boolean,
  write: (sink: FileSink) => Promise<void>,
): Promise<void> {
  const temporary = temporaryBeside(target);
  try {
    const handle = await open(temporary, 'wx', 0o644);
    try {
      const sink = new FileSink(handle);
      await write(sink);
      await sink.finish();
    } finally {
      await handle.close();
    }
    await refuseExisting(target, force);
    await rename(temporary, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw asWriteError(error, target);
  }
}

/** The same for a folder, which `write` fills. A folder that is there is only taken when it is empty. */
export async function writeFolderTarget(
  target: string,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  const temporary = temporaryBeside(target);
  try {
    await mkdir(temporary);
    await write(temporary);
    await refuseExisting(target, false);
    await rmdir(target).catch(() => undefined);
    await rename(temporary, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
    throw asWriteError(error, target);
  }
}

async function refuseExisting(target: string, force: boolean): Promise<void> {
  const stats = await stat(target).catch(() => undefined);
  if (stats === undefined) return;
  if (targetFormat(target) === 'folder') {
    if (stats.isDirectory() && (await readdir(target)).length === 0) return;
    throw new DatasetError(
      'target-exists',
      `${target} is there already${stats.isDirectory() ? ' and not empty' : ' and no folder'}.`,
      'Choose another folder, or empty this one: a folder with files in it is never replaced.',
    );
  }
  if (stats.isDirectory())
    throw new DatasetError('target-exists', `${target} is a folder.`, 'Choose another name for the file.');
  if (force) return;
  throw new DatasetError('target-exists', `${target} is there already.`, [
    inWords('Choose another target.'),
    byChoice('replace', 'replace it'),
  ]);
}

/** Whether `target` is `own`, under whatever name, or lies in it. */
async function isWithin(own: string, target: string): Promise<boolean> {
  const [ownStats, targetStats] = await Promise.all(
    [own, target].map((path) => stat(path).catch(() => undefined)),
  );
  if (ownStats !== undefined && targetStats !== undefined) {
    if (ownStats.dev === targetStats.dev && ownStats.ino === targetStats.ino) return true;
  }
  if (ownStats?.isDirectory() !== true) return false;
  const way = relative(await realpath(own), await whereItWillBe(target));
  return way !== '..' && !way.startsWith(`..${sep}`) && !/^([A-Za-z]:|[\\/])/.test(way);
}

async function whereItWillBe(target: string): Promise<string> {
  const folder = dirname(resolve(target));
  return join(await realpath(folder).catch(() => folder), basename(target));
}

function temporaryBeside(target: string): string {
  return join(dirname(target), `.${basename(target).slice(0, 60)}.${randomBytes(6).toString('hex')}.tmp`);
}

/** Makes the new name durable too. Not every system can; the rename itself is whole anyway. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
