// Base-image substitution: for people behind mirrors, and for machines without a registry.

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

/** The keys of a map that stand for none of these images, in any spelling. */
export function unusedMappings(images: ImageMap, asked: readonly string[]): string[] {
  const wanted = new Set(asked.map(canonical));
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
