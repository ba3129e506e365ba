// What a build must know of a Dockerfile: base images, lines of steps, and what the classic builder cannot do.
import { DockerfileParser, type Dockerfile, type Flag } from 'dockerfile-ast';
import type { ImageMap } from './imageMap.ts';
import { mapImage } from './imageMap.ts';

/** A place in a Dockerfile, and what is there. */
export interface DockerfilePlace {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

type TextRange = ReturnType<Flag['getRange']>;

/** Flags that only BuildKit knows: https://docs.docker.com/reference/dockerfile/ */
const BUILDKIT_FLAGS: Readonly<Record<string, readonly string[]>> = {
  RUN: ['mount', 'network', 'security', 'device'],
  COPY: ['link', 'chmod', 'parents', 'exclude'],
  ADD: ['link', 'chmod', 'checksum', 'keep-git-dir', 'exclude'],
};

/** Rewrites the base images of `FROM` and `COPY --from` that the map names; names of stages are left alone. */
export function substituteBaseImages(text: string, images: ImageMap): string {
  if (Object.keys(images).length === 0) return text;
  const edits = imagesIn(text).flatMap(({ image, range }) => {
    const mapped = mapImage(image, images);
    return mapped === image ? [] : [{ range, image: mapped }];
  });
  return edited(text, edits);
}

/** The images that a Dockerfile's `FROM` and `COPY --from` name, each once, in order; no stages and not `scratch`. */
export function namedImages(text: string): string[] {
  return [...new Set(imagesIn(text).map(({ image }) => image))].filter((image) => image !== 'scratch');
}

function imagesIn(text: string): { readonly image: string; readonly range: TextRange }[] {
  const dockerfile = DockerfileParser.parse(text);
  const stages = new Set<string>();
  const images: { image: string; range: TextRange }[] = [];
  const consider = (name: string | null, range: TextRange | null, line: number): void => {
    if (!name || !range || stages.has(name.toLowerCase()) || /^\d+$/.test(name)) return;
    images.push({ range, image: expand(name, dockerfile, line) });
  };
  for (const from of dockerfile.getFROMs()) {
    consider(from.getImage(), from.getImageRange(), from.getRange().start.line);
    const stage = from.getBuildStage();
    if (stage) stages.add(stage.toLowerCase());
  }
  for (const copy of dockerfile.getCOPYs()) {
    const flag = copy.getFromFlag();
    if (flag) consider(flag.getValue(), flag.getValueRange(), copy.getRange().start.line);
  }
  return images;
}

/** The instruction that the classic builder counts as step `number`, from 1. */
export function stepPlace(text: string, number: number): DockerfilePlace | undefined {
  const instruction = DockerfileParser.parse(text).getInstructions()[number - 1];
  if (!instruction) return undefined;
  return { line: instruction.getRange().start.line + 1, text: instruction.getTextContent() };
}

/** The first instruction with a flag that needs BuildKit. */
export function buildKitFlag(text: string): DockerfilePlace | undefined {
  const dockerfile = DockerfileParser.parse(text);
  for (const instruction of dockerfile.getInstructions()) {
    const known = BUILDKIT_FLAGS[instruction.getKeyword()] ?? [];
    const flag = flagsOf(instruction).find((candidate) => known.includes(candidate.getName()));
    if (flag) {
      const line = instruction.getRange().start.line + 1;
      return { line, text: `${instruction.getKeyword()} --${flag.getName()}` };
    }
  }
  return undefined;
}

/** The first instruction with a here-document, which needs BuildKit. */
export function hereDocument(text: string): DockerfilePlace | undefined {
  const lines = text.split(/\r?\n/);
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const line = instruction.getRange().start.line;
    const keyword = instruction.getKeyword();
    const isOpen = /(^|\s)\d*<<-?["']?[A-Za-z_]\w*["']?/.test(lines[line] ?? '');
    if (['RUN', 'COPY', 'ADD'].includes(keyword) && isOpen) {
      return { line: line + 1, text: `a here-document in ${keyword}` };
    }
  }
  return undefined;
}

function flagsOf(instruction: object): Flag[] {
  if (!('getFlags' in instruction) || typeof instruction.getFlags !== 'function') return [];
  const flags: unknown = instruction.getFlags();
  return Array.isArray(flags) ? flags : [];
}

/** Replaces `$NAME`, `${NAME}` and `${NAME:-default}` by the values of `ARG`s before the first `FROM`. */
function expand(text: string, dockerfile: Dockerfile, line: number): string {
  return text.replace(
    /\$(?:\{(\w+)(?::-([^}]*))?\}|(\w+))/g,
    (whole, braced?: string, fallback?: string, bare?: string) =>
      dockerfile.resolveVariable(braced ?? bare ?? '', line) ?? fallback ?? whole,
  );
}

function edited(text: string, edits: readonly { range: TextRange; image: string }[]): string {
  const lines = text.split('\n');
  const fromLast = [...edits].sort(
    (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character,
  );
  for (const { range, image } of fromLast) {
    const line = lines[range.start.line] ?? '';
    lines[range.start.line] = line.slice(0, range.start.character) + image + line.slice(range.end.character);
  }
  return lines.join('\n');
}
