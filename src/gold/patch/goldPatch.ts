/**
 * Writes `gold.patch`: the unified diff from the starter to the solution, which `git apply` and `patch -p1` both apply.
 * It is made of bytes, read as Latin-1, so that no encoding and no line ending is lost.
 */
import { createHash } from 'node:crypto';
import { structuredPatch } from 'diff';
import type { ContainerPath } from '../../task/containerPath.ts';
import { gitName, sectionLine } from './gitNames.ts';

/** One file before and after; `undefined` where there is none. */
export interface PatchedFile {
  readonly path: ContainerPath;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Permission bits. */
  readonly mode: number;
}

export interface GoldPatch {
  readonly bytes: Uint8Array;
  /** Binary files: a unified diff cannot hold them. */
  readonly binaryFiles: readonly ContainerPath[];
}

export const NO_NEWLINE = '\\ No newline at end of file';
/** Above this many changed lines a file is replaced as a whole, since finding the fewest would take for ever. */
const MOST_EDITS = 1000;

/** The patch for these files, in their order; each of them differs. */
export function goldPatch(files: readonly PatchedFile[]): GoldPatch {
  const binaryFiles = files.filter(isBinary).map(({ path }) => path);
  const lines = [
    ...(binaryFiles.length === 0 ? [] : binaryNotice(binaryFiles)),
    ...files.flatMap((file) => (isBinary(file) ? binarySection(file) : textSection(file))),
  ];
  return {
    bytes: new Uint8Array(Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')),
    binaryFiles: binaryFiles,
  };
}

/** As git tells: a file with a NUL byte is no text. */
function isBinary({ before, after }: PatchedFile): boolean {
  return before?.includes(0) === true || after?.includes(0) === true;
}

function binaryNotice(left: readonly ContainerPath[]): string[] {
  return [
    'This patch does not hold these binary files; solution/solve.sh puts them in place:',
    ...left.map((path) => `  ${gitName('b', path)}`),
    '',
  ];
}

/** `git apply` refuses such a part, so that nobody takes half a fix for a whole one. */
function binarySection(file: PatchedFile): string[] {
  const { before, after, path } = file;
  const old = before === undefined ? '/dev/null' : gitName('a', path);
  const now = after === undefined ? '/dev/null' : gitName('b', path);
  return [...header(file), `Binary files ${old} and ${now} differ`];
}

function textSection(file: PatchedFile): string[] {
  const before = textOf(file.before);
  const after = textOf(file.after);
  // An empty file that comes or goes has a header and nothing else.
  if (before === after) return header(file);
  return [
    ...header(file),
    `--- ${file.before === undefined ? '/dev/null' : gitName('a', file.path)}`,
    `+++ ${file.after === undefined ? '/dev/null' : gitName('b', file.path)}`,
    ...hunks(before, after),
  ];
}

function header({ path, before, after, mode }: PatchedFile): string[] {
  const gitMode = (mode & 0o111) === 0 ? '100644' : '100755';
  const change = `${blobId(before)}..${blobId(after)}`;
  if (before === undefined) return [sectionLine(path), `new file mode ${gitMode}`, `index ${change}`];
  if (after === undefined) return [sectionLine(path), `deleted file mode ${gitMode}`, `index ${change}`];
  return [sectionLine(path), `index ${change} ${gitMode}`];
}

function hunks(before: string, after: string): string[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: MOST_EDITS });
  if (!patch) return replaced(before, after);
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    range(oldStart, oldLines, newStart, newLines),
    ...lines,
  ]);
}

function replaced(before: string, after: string): string[] {
  const gone = linesOf(before);
  const come = linesOf(after);
  return [
    range(1, gone.length, 1, come.length),
    ...gone.flatMap((line) => marked('-', line)),
    ...come.flatMap((line) => marked('+', line)),
  ];
}

function marked(sign: '+' | '-', line: string): string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, NO_NEWLINE];
}

/** A range of no lines is named by the line before it. */
function range(oldStart: number, oldLines: number, newStart: number, newLines: number): string {
  const from = oldLines === 0 ? oldStart - 1 : oldStart;
  const to = newLines === 0 ? newStart - 1 : newStart;
  return `@@ -${from},${oldLines} +${to},${newLines} @@`;
}

/** A text's lines, each with the newline that ends it. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

export function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('latin1');
}

/** Git's name of these bytes; all zeros for no file. */
function blobId(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return '0'.repeat(40);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
