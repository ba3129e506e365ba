/** The files that a build sends to the engine, and the hash that stands for them. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pack, type Pack } from 'tar-stream';
import type { ImageRecipe, PlannedDockerfile } from '../../plan.ts';
import { type ImageMap, substituteBaseImages } from './imageMap.ts';

export type BuildRecipe = Extract<ImageRecipe, { kind: 'build' }>;

export interface BuildContext {
  readonly dockerfile: PlannedDockerfile;
  /** Its text after base-image substitution; its lines are those of the original. */
  readonly text: string;
  readonly files: BuildRecipe['context'];
  /** Equal hashes mean equal builds. */
  readonly hash: string;
}

const FORMAT = 1;

/** The build's context, or undefined when it has no Dockerfile. */
export function readContext(recipe: BuildRecipe, images: ImageMap): BuildContext | undefined {
  const { dockerfile } = recipe;
  const original = recipe.context.find((file) => file.path === dockerfile.path);
  if (!original) return undefined;
  // Without a byte order mark, as places in the text are counted.
  const decodedText = new TextDecoder().decode(decoded(original.base64));
  const text = substituteBaseImages(decodedText, dockerfile.images, images);
  const files = recipe.context.filter((file) => file !== original).sort((a, b) => (a.path < b.path ? -1 : 1));
  const hash = createHash('sha256');
  hash.update(JSON.stringify([FORMAT, dockerfile.path, text]));
  for (const file of files) hash.update(JSON.stringify([file.path, file.mode & 0o777, file.base64]));
  return { dockerfile, text, files, hash: hash.digest('hex').slice(0, 40) };
}

/** The context as an archive that is made while it is read. */
export function packContext(context: BuildContext): Readable {
  const archive = pack();
  fill(archive, context).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return Readable.from(archive, { objectMode: false });
}

async function fill(archive: Pack, { dockerfile, text, files }: BuildContext): Promise<void> {
  // A fixed time keeps equal contexts equal for the engine's own build cache.
  const mtime = new Date(0);
  await write(archive, { name: dockerfile.path, mode: 0o644, mtime }, Buffer.from(text));
  for (const { path, mode, base64 } of files) {
    if (archive.destroyed) return;
    await write(archive, { name: path, mode: mode & 0o777, mtime }, decoded(base64));
  }
  archive.finalize();
}

async function write(
  archive: Pack,
  header: { name: string; mode: number; mtime: Date },
  bytes: Buffer,
): Promise<void> {
  const sink = archive.entry({ ...header, size: bytes.length });
  const closed = once(sink, 'close');
  sink.end(bytes);
  await closed;
}

function decoded(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
