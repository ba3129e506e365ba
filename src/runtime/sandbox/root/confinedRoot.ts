/**
 * Safe access of the host to the run's file system. A step may have planted links anywhere in it, so every path is
 * walked by hand and links are resolved inside the root. No process of the run may be alive meanwhile: the walk is safe
 * only if nobody changes a folder between the check and the use.
 */
import { constants, type Stats } from 'node:fs';
import {
  chmod,
  chown,
  type FileHandle,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  symlink,
  unlink,
} from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../host/errno.ts';
import type { HostIdentity } from '../host/identity.ts';
import { removeTree } from './removeTree.ts';

/** Where a container path is on the host; `stats` is undefined when nothing is there. */
export interface Located {
  readonly hostPath: string;
  /** The path with the links of its parents resolved. */
  readonly containerPath: string;
  readonly stats: Stats | undefined;
}

/** Why a path could not be used. */
export class ConfinedPathError extends Error {
  readonly reason: 'read-only' | 'not-a-directory' | 'too-many-links';
  /** For `read-only`: the path in the host's system that was asked for. */
  readonly systemPath: string | undefined;

  constructor(reason: ConfinedPathError['reason'], message: string, systemPath?: string) {
    super(message);
    this.reason = reason;
    this.systemPath = systemPath;
  }
}

const MOST_LINKS = 40;
const DIRECTORY_MODE = 0o755;
/** `/tests` and `/logs/verifier` are open to all, as in Harbor. */
const OPEN_TO_ALL = 0o777;
const PERMISSIONS = 0o7777;
const OWNER_ALL = 0o700;

export class ConfinedRoot {
  readonly #root: string;
  readonly #owner: HostIdentity;
  readonly #isReadOnly: (containerPath: string) => boolean;

  private constructor(root: string, owner: HostIdentity, isReadOnly: (containerPath: string) => boolean) {
    this.#root = root;
    this.#owner = owner;
    this.#isReadOnly = isReadOnly;
  }

  /**
   * Makes the root folder.
   * @param isReadOnly whether a container path belongs to the host's system instead of to this root.
   */
  static async make(
    root: string,
    owner: HostIdentity,
    isReadOnly: (containerPath: string) => boolean,
  ): Promise<ConfinedRoot> {
    await mkdir(root);
    await chmod(root, DIRECTORY_MODE);
    if (owner.dropped) await chown(root, owner.uid, owner.gid);
    return new ConfinedRoot(root, owner, isReadOnly);
  }

  /**
   * Finds a path, resolving links inside the root.
   * @param last what to do with a link at the end: `follow` it, or give the link itself.
   * Throws ConfinedPathError for a path that lies in the read-only system or has no end.
   */
  async locate(containerPath: string, last: 'follow' | 'itself'): Promise<Located> {
    let pending = names(containerPath);
    let current = '/';
    let links = 0;
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (name === '..') {
        current = path.posix.dirname(current);
        continue;
      }
      const next = path.posix.join(current, name);
      this.#refuseReadOnly(next, pending);
      const stats = await this.#stats(next);
      if (stats?.isSymbolicLink() && (pending.length > 0 || last === 'follow')) {
        if (++links > MOST_LINKS) {
          throw new ConfinedPathError('too-many-links', `${containerPath} leads through too many links.`);
        }
        const target = await readlink(this.#onHost(next));
        if (target.startsWith('/')) current = '/';
        pending = [...names(target), ...pending];
        continue;
      }
      current = next;
      if (stats !== undefined) continue;
      // Below something that does not exist there are no links.
      current = path.posix.join(current, ...pending);
      this.#refuseReadOnly(current, []);
      return { hostPath: this.#onHost(current), containerPath: current, stats: undefined };
    }
    return { hostPath: this.#onHost(current), containerPath: current, stats: await this.#stats(current) };
  }

  /** Makes a directory and its parents; the mode is for the last one, new or not. */
  async makeDirectory(containerPath: string, mode?: number): Promise<void> {
    const { containerPath: real } = await this.locate(containerPath, 'follow');
    let current = '/';
    for (const name of names(real)) {
      const next = path.posix.join(current, name);
      const stats = await this.#stats(next);
      if (stats === undefined) await this.#makeFolder(next);
      else if (!stats.isDirectory()) {
        throw new ConfinedPathError(
          'not-a-directory',
          `${next} is in the way of ${containerPath}: not a folder.`,
        );
      }
      current = next;
    }
    if (mode !== undefined) await chmod(this.#onHost(current), mode);
  }

  /** Puts a file in place, replacing what is there; `keep` takes the mode of the file it replaces. */
  async writeFile(
    containerPath: string,
    bytes: Uint8Array,
    mode: number,
    owner: 'keep' | 'root' = 'root',
  ): Promise<void> {
    await this.makeDirectory(path.posix.dirname(containerPath));
    const replaced = owner === 'keep' ? await this.#fileAt(containerPath) : undefined;
    const { hostPath, stats } = replaced ?? (await this.locate(containerPath, 'itself'));
    if (stats?.isDirectory()) {
      throw new ConfinedPathError('not-a-directory', `${containerPath} is a folder and was to be a file.`);
    }
    const kept = replaced?.stats === undefined ? mode : replaced.stats.mode & PERMISSIONS;
    // A new file beside the old one: what a link, a FIFO or a second name of the old one leads to stays as it is.
    const fresh = `${hostPath}.new-${process.pid}`;
    const file = await this.#unlocked(hostPath, () =>
      open(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600),
    );
    try {
      await file.writeFile(bytes);
      if (this.#owner.dropped) await file.chown(this.#owner.uid, this.#owner.gid);
      await file.chmod(kept);
    } finally {
      await file.close();
    }
    await rename(fresh, hostPath);
  }

  /** Makes a symbolic link, in a folder that no step has been in yet. */
  async link(target: string, containerPath: string): Promise<void> {
    const hostPath = this.#onHost(containerPath);
    await symlink(target, hostPath);
    if (this.#owner.dropped) await lchown(hostPath, this.#owner.uid, this.#owner.gid);
  }

  /** Deletes a file, a link or a folder; nothing there is fine. */
  async remove(containerPath: string): Promise<void> {
    const { hostPath, stats } = await this.locate(containerPath, 'itself');
    if (stats === undefined || hostPath === this.#root) return;
    await this.#unlocked(hostPath, () => (stats.isDirectory() ? removeTree(hostPath) : unlink(hostPath)));
  }

  /** Makes a new, empty folder, open to all; a link of that name is replaced by a real folder. */
  async makeEmpty(containerPath: string): Promise<void> {
    await this.remove(containerPath);
    await this.makeDirectory(containerPath, OPEN_TO_ALL);
  }

  /** Whether there is a folder with something in it. */
  async hasContent(containerPath: string): Promise<boolean> {
    const { hostPath, stats } = await this.locate(containerPath, 'itself');
    return stats?.isDirectory() === true && (await readdir(hostPath)).length > 0;
  }

  /** Opens a regular file for reading, or gives undefined for anything else; never waits for a FIFO. */
  async openRegular(hostPath: string | Buffer): Promise<FileHandle | undefined> {
    if (!(await lstat(hostPath)).isFile()) return undefined;
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(hostPath, flags).catch(async (error: unknown) => {
      if (!hasCode(error, 'EACCES')) throw error;
      await chmod(hostPath, 0o600);
      return open(hostPath, flags);
    });
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  }

  #onHost(containerPath: string): string {
    return containerPath === '/' ? this.#root : this.#root + containerPath;
  }

  #refuseReadOnly(containerPath: string, below: readonly string[]): void {
    if (!this.#isReadOnly(containerPath)) return;
    throw new ConfinedPathError(
      'read-only',
      `${containerPath} is the host's own and read-only.`,
      path.posix.join(containerPath, ...below),
    );
  }

  async #stats(containerPath: string): Promise<Stats | undefined> {
    const hostPath = this.#onHost(containerPath);
    try {
      return await this.#unlocked(hostPath, () => lstat(hostPath));
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
  }

  /** The regular file that a path leads to, if it leads to one that may be replaced. */
  async #fileAt(containerPath: string): Promise<Located | undefined> {
    try {
      const located = await this.locate(containerPath, 'follow');
      return located.stats?.isFile() ? located : undefined;
    } catch (error) {
      if (error instanceof ConfinedPathError) return undefined;
      throw error;
    }
  }

  async #makeFolder(containerPath: string): Promise<void> {
    const hostPath = this.#onHost(containerPath);
    await this.#unlocked(hostPath, () => mkdir(hostPath, { mode: DIRECTORY_MODE }));
    await chmod(hostPath, DIRECTORY_MODE);
    if (this.#owner.dropped) await chown(hostPath, this.#owner.uid, this.#owner.gid);
  }

  /** Retries with rights on the parent folder: in a container root may enter every folder, a host user may not. */
  async #unlocked<T>(hostPath: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (!hasCode(error, 'EACCES') || hostPath === this.#root) throw error;
      const parent = path.dirname(hostPath);
      const { mode } = await lstat(parent);
      if ((mode & OWNER_ALL) === OWNER_ALL) throw error;
      await chmod(parent, (mode & PERMISSIONS) | OWNER_ALL);
      return action();
    }
  }
}

function names(containerPath: string): string[] {
  return containerPath.split('/').filter((name) => name !== '' && name !== '.');
}
