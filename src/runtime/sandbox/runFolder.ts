/** The private folder of one run: made closed to others, named after its owner, removed whatever is in it. */
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdtemp, readdir, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pidNamespace, processStart } from '../owner.ts';
import { othersMayEnter } from './host/hostFolder.ts';
import type { HostIdentity } from './host/identity.ts';
import { removeTree } from './root/removeTree.ts';

const PREFIX = 'repair-bench-sandbox';
const NAME = new RegExp(`^${PREFIX}-[0-9a-f]{8}-(\\d+)-(\\d+)-(\\d+)-`);
const PRIVATE = 0o700;

/** Where run folders go: the wanted place when the run's user can get there, else the system's own. */
export async function chooseTemporaryFolder(
  wanted: string | undefined,
  identity: HostIdentity,
): Promise<string | undefined> {
  const candidates = wanted === undefined ? [os.tmpdir(), '/tmp', '/var/tmp'] : [wanted];
  for (const name of candidates) {
    const candidate = await realpath(name).catch(() => name);
    if (!identity.dropped || (await othersMayEnter(candidate))) return candidate;
  }
  return undefined;
}

/** Makes a folder that only the run's user (and root) can enter. */
export async function makeRunFolder(parent: string, owner: string, identity: HostIdentity): Promise<string> {
  const start = processStart(process.pid);
  if (start === undefined) throw new Error('/proc does not show this process.');
  const id = createHash('sha256').update(owner).digest('hex').slice(0, 8);
  const name = `${PREFIX}-${id}-${process.pid}-${start}-${pidNamespace()}-`;
  const folder = await mkdtemp(path.join(parent, name));
  await chmod(folder, PRIVATE);
  if (identity.dropped) await chown(folder, identity.uid, identity.gid);
  return folder;
}

/** Removes the folders whose processes are gone. Those of other users and other containers are left alone. */
export async function sweepRunFolders(parent: string): Promise<void> {
  const here = pidNamespace();
  const own = process.getuid?.() ?? 0;
  const entries = await readdir(parent).catch(() => []);
  for (const entry of entries) {
    const [, pid, start, namespace] = NAME.exec(entry) ?? [];
    if (pid === undefined || namespace !== here) continue;
    const folder = path.join(parent, entry);
    const stats = await lstat(folder).catch(() => undefined);
    if (!stats?.isDirectory() || (own !== 0 && stats.uid !== own)) continue;
    // A folder that another sweep removes at the same moment is gone either way.
    if (processStart(Number(pid)) !== start) await removeTree(folder).catch(() => undefined);
  }
}
