// What a repository of the test hub holds, named by hashes as the real hub names it.
import { createHash } from 'node:crypto';

/** Contents by path. */
export type RepoFiles = Readonly<Record<string, Uint8Array | string>>;

/** Whether the hub keeps a file outside of Git; what is below `git/` it does not. */
export function isLarge(path: string): boolean {
  return /\.(parquet|arrow|tar|tgz|gz)$/.test(path) && !path.startsWith('git/');
}

/** The commit that a revision stands for. */
export function commitOf(files: RepoFiles): string {
  return sha1(
    Object.entries(files)
      .map(([path, content]) => `${path} ${sha1(content)}`)
      .join('\n'),
  );
}

/** An entry of the list of files, as the hub gives it. */
export function entryOf(path: string, content: Uint8Array | string) {
  const bytes = Buffer.from(content);
  const large = isLarge(path);
  const git = sha1(Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]));
  const oid = createHash('sha256').update(bytes).digest('hex');
  return {
    type: 'file',
    path,
    size: bytes.length,
    oid: git,
    ...(large ? { lfs: { oid, size: bytes.length, pointerSize: 134 } } : {}),
  };
}

/** The answer to a question for single paths; `body` is the request's. */
export function pathsInfo(files: RepoFiles, body: string): unknown[] {
  const { paths } = JSON.parse(body) as { paths: string[] };
  return paths.flatMap((path): unknown[] => {
    const content = files[path];
    if (content !== undefined) return [entryOf(path, content)];
    const isFolder = Object.keys(files).some((each) => each.startsWith(`${path}/`));
    return isFolder ? [{ type: 'directory', path, size: 0, oid: sha1(path) }] : [];
  });
}

function sha1(content: Uint8Array | string): string {
  return createHash('sha1').update(content).digest('hex');
}
