/** Reads a path of a container as the archive that the engine returns for it. */
import type Docker from 'dockerode';
import { extract, type Header } from 'tar-stream';
import { z } from 'zod';
import { statusOf, errorText } from '../engine/failures.ts';

/** One member; read it to its end before asking for the next. */
export interface ArchiveEntry extends AsyncIterable<unknown> {
  readonly header: Header;
  readonly resume: () => unknown;
}

export interface PathArchive {
  /** Where the path leads when it is itself a symbolic link: Docker then has only the link in it, Podman what it leads to. */
  readonly linkTarget: string | undefined;
  readonly entries: AsyncIterable<ArchiveEntry>;
}

/** https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Container/operation/ContainerArchiveInfo */
const pathStat = z.object({ mode: z.number(), linkTarget: z.string() });
/** Of Go's `fs.FileMode`. */
const SYMLINK_BIT = 1 << 27;

/** Calls `use` with the archive of a path, and then ends the request. Undefined when the path does not exist. */
export async function readArchive<T>(
  container: Docker.Container,
  path: string,
  use: (archive: PathArchive) => Promise<T>,
  abortSignal?: AbortSignal,
): Promise<T | undefined> {
  const asked = container.getArchive({ path, ...(abortSignal && { abortSignal }) });
  const stream = await asked.catch((error: unknown) => {
    // A container that is gone says nothing of its paths.
    if (statusOf(error) === 404 && !/no such container/i.test(errorText(error))) return undefined;
    throw error;
  });
  if (!stream) return undefined;
  const reader = extract();
  stream.on('error', (error: Error) => reader.destroy(error));
  stream.pipe(reader);
  try {
    return await use({ linkTarget: linkTargetOf(stream), entries: reader });
  } finally {
    stream.unpipe(reader);
    destroy(stream);
    reader.destroy();
  }
}

/** Ends the request that a stream belongs to. */
export function destroy(stream: NodeJS.ReadableStream): void {
  if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
}

function linkTargetOf(stream: NodeJS.ReadableStream): string | undefined {
  const headers: unknown = 'headers' in stream ? stream.headers : undefined;
  const parsed = z.object({ 'x-docker-container-path-stat': z.base64() }).safeParse(headers);
  if (!parsed.success) return undefined;
  const json = Buffer.from(parsed.data['x-docker-container-path-stat'], 'base64').toString('utf8');
  const { mode, linkTarget } = pathStat.parse(JSON.parse(json));
  return mode & SYMLINK_BIT ? linkTarget : undefined;
}
