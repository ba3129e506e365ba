/** Substitutes base images, for people behind mirrors and machines without a registry. */
import type { PlannedDockerfile } from '../../plan.ts';

/** From the name that a task uses to the name to use instead. */
export type ImageMap = Readonly<Record<string, string>>;

/** The substitute of an image, or its own name; `docker.io/library/` and `:latest` may be left out on either side. */
export function mapImage(name: string, images: ImageMap): string {
  const exact = Object.hasOwn(images, name) ? images[name] : undefined;
  if (exact !== undefined) return exact;
  const wanted = canonical(name);
  const found = Object.entries(images).find(([key]) => canonical(key) === wanted);
  return found ? found[1] : name;
}

/** Rewrites the images of a Dockerfile that the map names, where the plan says they stand. */
export function substituteBaseImages(
  text: string,
  named: PlannedDockerfile['images'],
  images: ImageMap,
): string {
  const lines = text.split('\n');
  // From the last: what is longer or shorter moves what follows it.
  for (const { name, line, start, end } of named.toReversed()) {
    const before = lines[line - 1] ?? '';
    const mapped = mapImage(name, images);
    if (mapped !== name) lines[line - 1] = before.slice(0, start) + mapped + before.slice(end);
  }
  return lines.join('\n');
}

/** The keys of a map that stand for none of these images, in any spelling. */
export function unusedMappings(images: ImageMap, requested: readonly string[]): string[] {
  const wanted = new Set(requested.map(canonical));
  return Object.keys(images).filter((key) => !wanted.has(canonical(key)));
}

/** A name with its tag: an engine that is asked to pull a name without a tag pulls all of them. */
export function withTag(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last.includes(':') || last.includes('@') ? name : `${name}:latest`;
}

function canonical(name: string): string {
  return withTag(name.replace(/^(index\.)?docker\.io\//, '').replace(/^library\//, ''));
}
