/** Finds the leaf of a script that each entry of its trace shows. */
import type { PlacedLeaf } from '../script/contexts.ts';
import { isLeaf, type Leaf, type Statement, type Word } from '../script/script.ts';
import { type TraceEntry, traceWords } from './trace.ts';

export interface Match {
  readonly placed: PlacedLeaf;
  /** Index of the trace entry. */
  readonly at: number;
  readonly words: readonly string[];
}

/** Leaves of a script by line. */
export type LeafIndex = ReadonlyMap<number, readonly PlacedLeaf[]>;

/** A forged script may have few leaves over very many lines: only this many lines of a leaf are indexed. */
const MOST_LINES = 1000;

export function indexLeaves(placed: readonly PlacedLeaf[]): LeafIndex {
  const byLine = new Map<number, PlacedLeaf[]>();
  for (const candidate of placed) {
    const end = Math.min(candidate.leaf.endLine, candidate.leaf.line + MOST_LINES);
    for (let line = candidate.leaf.line; line <= end; line += 1) {
      const list = byLine.get(line) ?? [];
      list.push(candidate);
      byLine.set(line, list);
    }
  }
  return byLine;
}

/** Matches the entries from index `from` up to `to`. */
export function matchEntries(
  byLine: LeafIndex,
  entries: readonly TraceEntry[],
  from: number,
  to: number,
): Match[] {
  const matches: Match[] = [];
  let previousId = -1;
  for (let at = from; at < to; at += 1) {
    const entry = entries[at];
    const onLine = entry ? byLine.get(entry.line) : undefined;
    if (!entry || !onLine) continue;
    const words = traceWords(entry.command);
    const candidates = nearestLeaves(onLine, previousId).filter(
      ({ leaf, depth }) => depth <= entry.depth && headMatches(leaf, entry, words[0]),
    );
    const placed = bestMatch(candidates, words, previousId);
    if (!placed) continue;
    previousId = placed.leaf.id;
    matches.push({ placed, at, words });
  }
  return matches;
}

/** At most this many leaves of a line are compared: those nearest to the one that ran before. */
const MOST_ON_LINE = 64;

function nearestLeaves(onLine: readonly PlacedLeaf[], previousId: number): readonly PlacedLeaf[] {
  if (onLine.length <= MOST_ON_LINE) return onLine;
  let low = 0;
  let high = onLine.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((onLine[middle]?.leaf.id ?? 0) > previousId) high = middle;
    else low = middle + 1;
  }
  const from = Math.max(0, Math.min(low - MOST_ON_LINE / 4, onLine.length - MOST_ON_LINE));
  return onLine.slice(from, from + MOST_ON_LINE);
}

/** The leaf that is most like the words; among equals, the next in source order. */
function bestMatch(
  candidates: readonly PlacedLeaf[],
  words: readonly string[],
  previousId: number,
): PlacedLeaf | undefined {
  if (candidates.length <= 1) return candidates[0];
  const scored = candidates.map((candidate) => ({ candidate, score: likeness(candidate.leaf, words) }));
  const highest = Math.max(...scored.map(({ score }) => score));
  const tied = scored.filter(({ score }) => score === highest).map(({ candidate }) => candidate);
  return tied.find(({ leaf }) => leaf.id > previousId) ?? tied[0];
}

function plainText(word: Word): string {
  return word.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

function isPlain(word: Word): boolean {
  return word.pieces.every((piece) => piece.kind === 'text');
}

/** How many of a leaf's words the trace shows; a word without variables must be equal. */
function likeness(leaf: Leaf, words: readonly string[]): number {
  if (leaf.kind === 'assign') {
    const shown = words.at(-1)?.replace(/^[^=]*=/, '');
    if (isPlain(leaf.value)) return shown === plainText(leaf.value) ? 1 : -1;
    return 0;
  }
  const shared = leaf.words.filter((word, at) => {
    const text = plainText(word);
    if (isPlain(word)) return words[leaf.kind === 'test' ? at + 1 : at] === text || words.includes(text);
    return text !== '' && words.some((shownWord) => shownWord.includes(text));
  }).length;
  const expected = leaf.kind === 'test' ? leaf.words.length + 2 : leaf.words.length;
  return shared - (expected === words.length ? 0 : 0.5);
}

/** Whether a trace entry begins as the leaf would. `first` is its first word. */
export function headMatches(leaf: Leaf, entry: TraceEntry, first: string | undefined): boolean {
  if (leaf.kind === 'assign') return assigns(leaf.name, entry.command);
  if (leaf.kind === 'test')
    return entry.command.startsWith(leaf.open) || (leaf.open === '[' && entry.command.startsWith("'['"));
  const head = leaf.words[0];
  if (!head) return false;
  return isPlain(head) ? first === plainText(head) : true;
}

/** `X=…`, `X+=…`, `X[1]=…`, and `local 'X=…'` as bash quotes a declaration whose value needs it. */
function assigns(name: string, command: string): boolean {
  const start =
    /^(?:(?:local|declare|typeset|export|readonly) (?:-\w+ )*)?(?:\$?')?/.exec(command)?.[0] ?? '';
  if (!command.startsWith(name, start.length)) return false;
  const after = start.length + name.length;
  return /^(?:\[[^\]]{0,200}\])?\+?=/.test(command.slice(after, after + 210));
}

/** Whether an entry is the `X=1` that bash traces before `X=1 command`. */
function isPrefixOf(leaf: Leaf, entry: TraceEntry): boolean {
  return leaf.kind === 'command' && leaf.prefixes.some((name) => entry.command.startsWith(`${name}=`));
}

/**
 * Whether `entry` can be the first trace entry of these statements.
 * @param shown the leaf that the entry was matched with, if any
 */
export function startsWith(
  statements: readonly Statement[],
  entry: TraceEntry,
  shown: Leaf | undefined,
): boolean {
  const [first] = statements;
  if (!first) return false;
  if (isLeaf(first)) {
    if (startsWith(first.substitutions, entry, shown)) return true;
    if (shown) return shown.id === first.id || (shown.line === first.line && isPrefixOf(first, entry));
    const inside = first.line <= entry.line && entry.line <= first.endLine;
    return inside && (headMatches(first, entry, firstWord(entry)) || isPrefixOf(first, entry));
  }
  switch (first.kind) {
    case 'list':
      return startsWith([first.left], entry, shown);
    case 'not':
      return startsWith([first.body], entry, shown);
    case 'pipeline':
      return first.members.some((member) => startsWith([member], entry, shown));
    case 'background':
    case 'group':
      return startsWith(first.body, entry, shown);
    case 'if':
      return startsWith(first.condition, entry, shown);
    case 'loop':
      return first.condition.length > 0
        ? startsWith(first.condition, entry, shown)
        : /^(for|select)\b/.test(entry.command) || entry.command.startsWith('((');
    case 'case':
      return /^case\b/.test(entry.command);
    case 'function':
      return startsWith(statements.slice(1), entry, shown);
  }
}

function firstWord(entry: TraceEntry): string | undefined {
  return traceWords(entry.command.slice(0, 4096))[0];
}
