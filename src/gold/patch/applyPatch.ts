/** Applies a `gold.patch` to the starter, every line exactly, so that a check knows what the patch really says. Pure. */
import type { ContainerPath } from '../../task/containerPath.ts';
import { sectionLine } from './gitNames.ts';
import { linesOf, NO_NEWLINE, textOf } from './goldPatch.ts';

/** What a patch leaves: a file's bytes, or `undefined` for one that it deletes. */
export type PatchResult =
  | { readonly ok: true; readonly files: ReadonlyMap<ContainerPath, Uint8Array | undefined> }
  /** 1-based line of the patch. */
  | { readonly ok: false; readonly line: number; readonly because: string };

class PatchRefused extends Error {
  readonly line: number;

  constructor(line: number, because: string) {
    super(because);
    this.line = line;
  }
}

/** Applies `patch` to files named by `before`; `paths` are those that it may name. Binary parts are passed over. */
export function applyPatch(
  patch: Uint8Array,
  paths: readonly ContainerPath[],
  before: (path: ContainerPath) => Uint8Array | undefined,
): PatchResult {
  const lines = textOf(patch).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const sections = new Map(paths.map((path) => [sectionLine(path), path]));
  const files = new Map<ContainerPath, Uint8Array | undefined>();
  try {
    let at = lines.findIndex(isSectionLine);
    while (at !== -1 && at < lines.length) {
      const path = sections.get(lines[at] ?? '');
      if (path === undefined) throw new PatchRefused(at + 1, 'it names a file that is no part of the fix');
      if (files.has(path)) throw new PatchRefused(at + 1, 'it names a file for the second time');
      const end = endOfSection(lines, at);
      if (!lines.slice(at, end).some(isBinaryLine))
        files.set(path, sectionResult(lines, at, end, before(path)));
      at = end;
    }
    return { ok: true, files };
  } catch (error) {
    if (error instanceof PatchRefused) return { ok: false, line: error.line, because: error.message };
    throw error;
  }
}

function isSectionLine(line: string): boolean {
  return line.startsWith('diff --git ');
}

function isBinaryLine(line: string): boolean {
  return line.startsWith('Binary files ');
}

/** Lines of a hunk start with a sign, so a line that starts with `diff` is none of them. */
function endOfSection(lines: readonly string[], start: number): number {
  for (let at = start + 1; at < lines.length; at++) if (isSectionLine(lines[at] ?? '')) return at;
  return lines.length;
}

function sectionResult(
  lines: readonly string[],
  start: number,
  end: number,
  before: Uint8Array | undefined,
): Uint8Array | undefined {
  const header = lines.slice(start, end).findIndex((line) => line.startsWith('@@'));
  const firstHunk = header === -1 ? end : start + header;
  const head = lines.slice(start, firstHunk);
  const isNew = head.some((line) => line.startsWith('new file mode '));
  if (isNew !== (before === undefined))
    throw new PatchRefused(
      start + 1,
      isNew ? 'it adds a file that is there already' : 'it changes a file that is not there',
    );
  const after = applyHunks(lines, firstHunk, end, linesOf(textOf(before)));
  if (!head.some((line) => line.startsWith('deleted file mode ')))
    return new Uint8Array(Buffer.from(after, 'latin1'));
  if (after !== '') throw new PatchRefused(start + 1, 'it deletes a file and leaves some of its lines');
  return undefined;
}

const RANGE = /^@@ -(\d{1,9}),(\d{1,9}) \+\d{1,9},(\d{1,9}) @@/;

function applyHunks(lines: readonly string[], start: number, end: number, before: readonly string[]): string {
  const after: string[] = [];
  let position = 0;
  let at = start;
  while (at < end) {
    const [, from, gone, come] = RANGE.exec(lines[at] ?? '') ?? [];
    if (from === undefined) throw new PatchRefused(at + 1, 'the head of a hunk belongs there');
    const first = Number(gone) === 0 ? Number(from) : Number(from) - 1;
    if (first < position) throw new PatchRefused(at + 1, 'this hunk overlaps the one before it');
    after.push(before.slice(position, first).join(''));
    position = first;
    const counts = { gone: Number(gone), come: Number(come) };
    at += 1;
    while (counts.gone > 0 || counts.come > 0) {
      const line = lines[at];
      if (line === undefined || at >= end) throw new PatchRefused(at, 'a hunk ends too early');
      const bare = lines[at + 1] === NO_NEWLINE;
      const text = line.slice(1) + (bare ? '' : '\n');
      const sign = line.slice(0, 1);
      if (sign !== '+' && sign !== '-' && sign !== ' ')
        throw new PatchRefused(at + 1, 'a line of a hunk starts with +, - or a blank');
      if (sign !== '+') {
        if (before[position] !== text) throw new PatchRefused(at + 1, 'the starter has another line there');
        position += 1;
        counts.gone -= 1;
      }
      if (sign !== '-') {
        after.push(text);
        counts.come -= 1;
      }
      at += bare ? 2 : 1;
    }
  }
  return after.join('') + before.slice(position).join('');
}
