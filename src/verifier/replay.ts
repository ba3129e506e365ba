/** Lays a trace over a script: which leaf ran when, and with which exit status. */
import { consumers, type Frame, type PlacedLeaf } from './contexts.ts';
import { isLeaf, type Leaf, type Statement } from './script.ts';
import { type Trace, type TraceEntry, traceWords } from './trace.ts';

/** One execution of a leaf. */
export interface Execution {
  readonly leaf: PlacedLeaf;
  /** Index of its trace entry. */
  readonly at: number;
  /** As bash expanded it. */
  readonly words: readonly string[];
  readonly command: string;
  /** Exact exit status where the trace shows it. */
  readonly status: number | undefined;
  /** Whether the status is zero; known more often than the status. */
  readonly succeeded: boolean | undefined;
  /** Nothing of the script ran after it. */
  readonly last: boolean;
}

export interface Replay {
  readonly executions: readonly Execution[];
  /** Index of the first entry of the EXIT trap. */
  readonly trapAt: number | undefined;
}

/**
 * @param exitCode exit status of the script, when it ended by itself
 * @param trapLeaves leaves of the EXIT trap's text; their lines count from 1 in that text
 */
export function replay(
  placed: readonly PlacedLeaf[],
  trace: Trace,
  exitCode: number | undefined,
  trapLeaves: readonly Leaf[],
): Replay {
  const { entries } = trace;
  const trapAt = trapStart(entries, trapLeaves);
  const matched = [
    ...matchEntries(placed, entries, 0, trapAt ?? entries.length),
    // A trap that calls a function of the script runs lines of the script; one with code of its own does not.
    ...(trapAt !== undefined && callsFunction(trapLeaves, placed)
      ? matchEntries(placed, entries, trapAt + 1, entries.length)
      : []),
  ];
  const leafAt = new Map(matched.map(({ at, leaf }) => [at, leaf]));
  const functions = new Set(placed.flatMap(({ inFunction }) => inFunction ?? []));
  const executions = matched.map(({ leaf, at, words }): Execution => {
    const next = nextIndex(leaf, at, entries, leafAt);
    return {
      leaf,
      at,
      words,
      command: entries[at]?.command ?? '',
      ...readStatus(leaf, at, next, { entries, leafAt, exitCode, functions }),
      last: next === undefined,
    };
  });
  return { executions, trapAt };
}

function callsFunction(trapLeaves: readonly Leaf[], placed: readonly PlacedLeaf[]): boolean {
  const [first] = trapLeaves;
  const name = first?.kind === 'command' ? first.words[0]?.text : undefined;
  return trapLeaves.length === 1 && placed.some(({ inFunction }) => inFunction === name);
}

/** The trap's first command stands at line 1 of its own text, where `test.sh` has its shebang. */
function trapStart(entries: readonly TraceEntry[], trapLeaves: readonly Leaf[]): number | undefined {
  const [first] = trapLeaves;
  if (!first) return undefined;
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry && entry.depth === 1 && entry.line === first.line && headMatches(first, entry)) return at;
  }
  return undefined;
}

interface Match {
  readonly leaf: PlacedLeaf;
  readonly at: number;
  readonly words: readonly string[];
}

function matchEntries(
  placed: readonly PlacedLeaf[],
  entries: readonly TraceEntry[],
  from: number,
  to: number,
): Match[] {
  const byLine = new Map<number, PlacedLeaf[]>();
  for (const candidate of placed) {
    for (let line = candidate.leaf.line; line <= candidate.leaf.endLine; line += 1) {
      const list = byLine.get(line) ?? [];
      list.push(candidate);
      byLine.set(line, list);
    }
  }
  const matches: Match[] = [];
  let previousId = -1;
  entries.slice(from, to).forEach((entry, index) => {
    const candidates = (byLine.get(entry.line) ?? []).filter(
      ({ leaf, depth }) => depth <= entry.depth && headMatches(leaf, entry),
    );
    const words = traceWords(entry.command);
    const leaf = best(candidates, words, previousId);
    if (!leaf) return;
    previousId = leaf.leaf.id;
    matches.push({ leaf, at: from + index, words });
  });
  return matches;
}

/** Of several leaves with the same head on a line: the one most like the words; then the next in source order. */
function best(
  candidates: readonly PlacedLeaf[],
  words: readonly string[],
  previousId: number,
): PlacedLeaf | undefined {
  if (candidates.length <= 1) return candidates[0];
  const scored = candidates.map((candidate) => ({ candidate, score: likeness(candidate.leaf, words) }));
  const top = Math.max(...scored.map(({ score }) => score));
  const tied = scored.filter(({ score }) => score === top).map(({ candidate }) => candidate);
  return tied.find(({ leaf }) => leaf.id > previousId) ?? tied[0];
}

function likeness(leaf: Leaf, words: readonly string[]): number {
  if (leaf.kind === 'assign') return 0;
  const own = leaf.words.map((word) =>
    word.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''),
  );
  const shared = own.filter((text) => text !== '' && words.some((word) => word.includes(text))).length;
  const expected = leaf.kind === 'test' ? own.length + 2 : own.length;
  return shared - (expected === words.length ? 0 : 0.5);
}

/** Whether a trace entry begins as the leaf would. */
function headMatches(leaf: Leaf, entry: TraceEntry): boolean {
  if (leaf.kind === 'assign') return new RegExp(`^(\\w+ )?${leaf.name}\\+?=`).test(entry.command);
  if (leaf.kind === 'test')
    return entry.command.startsWith(leaf.open) || (leaf.open === '[' && entry.command.startsWith("'['"));
  const head = leaf.words[0];
  if (!head) return false;
  const [first] = traceWords(entry.command);
  return head.pieces.every((piece) => piece.kind === 'text')
    ? first === head.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
    : true;
}

/** Whether an entry is the `X=1` that bash traces before `X=1 command`. */
function isPrefixOf(leaf: Leaf, entry: TraceEntry): boolean {
  return leaf.kind === 'command' && leaf.prefixes.some((name) => entry.command.startsWith(`${name}=`));
}

/**
 * Index of the next entry at this shell's level that is not another member of the same pipeline and, after a call of a
 * function, not part of its body (which may also source files whose lines are not the script's).
 */
function nextIndex(
  placed: PlacedLeaf,
  at: number,
  entries: readonly TraceEntry[],
  leafAt: ReadonlyMap<number, PlacedLeaf>,
): number | undefined {
  const depth = entries[at]?.depth ?? 1;
  const calls = calledFunction(placed, leafAt.get(at + 1)) !== undefined;
  const siblings = placed.frames.flatMap((frame) => (frame.kind === 'member' ? frame.members : []));
  for (let index = at + 1; index < entries.length; index += 1) {
    const entry = entries[index];
    if (!entry || entry.depth > depth) continue;
    if (siblings.some((sibling) => startsWith([sibling], entry))) continue;
    const leaf = leafAt.get(index);
    if (calls && (!leaf || leaf.inFunction !== placed.inFunction)) continue;
    return index;
  }
  return undefined;
}

/** Whether `entry` can be the first thing traced of these statements. */
export function startsWith(statements: readonly Statement[], entry: TraceEntry): boolean {
  const [first] = statements;
  if (!first) return false;
  if (isLeaf(first)) {
    const inside = first.line <= entry.line && entry.line <= first.endLine;
    return (
      (inside && (headMatches(first, entry) || isPrefixOf(first, entry))) ||
      startsWith(first.substitutions, entry)
    );
  }
  switch (first.kind) {
    case 'list':
      return startsWith([first.left], entry);
    case 'not':
      return startsWith([first.body], entry);
    case 'pipeline':
      return first.members.some((member) => startsWith([member], entry));
    case 'group':
      return startsWith(first.body, entry);
    case 'if':
      return startsWith(first.condition, entry);
    case 'loop':
      return first.condition.length > 0 ? startsWith(first.condition, entry) : /^for\b/.test(entry.command);
    case 'case':
      return /^case\b/.test(entry.command);
    case 'function':
      return startsWith(statements.slice(1), entry);
  }
}

interface Reading {
  readonly status: number | undefined;
  readonly succeeded: boolean | undefined;
}

/** The function that a leaf calls, seen from what ran right after it. */
function calledFunction({ leaf }: PlacedLeaf, next: PlacedLeaf | undefined): string | undefined {
  const name = leaf.kind === 'command' ? leaf.words[0]?.text : undefined;
  return name !== undefined && next?.inFunction === name ? name : undefined;
}

interface Surroundings {
  readonly functions: ReadonlySet<string>;
  readonly entries: readonly TraceEntry[];
  readonly leafAt: ReadonlyMap<number, PlacedLeaf>;
  readonly exitCode: number | undefined;
}

function readStatus(
  placed: PlacedLeaf,
  at: number,
  nextAt: number | undefined,
  around: Surroundings,
): Reading {
  const frames = consumers(placed.frames);
  const next = nextAt === undefined ? undefined : around.entries[nextAt];
  const member = frames.find((frame) => frame.kind === 'member');
  if (member?.kind === 'member' && member.index < member.members.length - 1) {
    const reader = nextAt === undefined ? undefined : around.leafAt.get(nextAt);
    const status = pipeStatus(member.index, next, reader);
    return { status, succeeded: status === undefined ? undefined : status === 0 };
  }
  const returned = returnedCall(placed, at, nextAt, around);
  const truth = truthFromBranch([...frames, ...(returned ? consumers(returned.frames) : [])], next);
  const hidden = [frames, returned ? consumers(returned.frames) : []].some(
    (around) => around.some((frame) => frame.kind === 'not') || endsCondition(around, next),
  );
  const exact = hidden ? undefined : next ? next.previousStatus : around.exitCode;
  if (truth === undefined) return { status: exact, succeeded: exact === undefined ? undefined : exact === 0 };
  const agrees = exact !== undefined && (exact === 0) === truth;
  return { status: agrees ? exact : undefined, succeeded: truth };
}

/** The call that a leaf's function was returned from right after it: the leaf's status is then the call's. */
function returnedCall(
  placed: PlacedLeaf,
  at: number,
  nextAt: number | undefined,
  { leafAt, functions }: Surroundings,
): PlacedLeaf | undefined {
  const { inFunction } = placed;
  if (inFunction === undefined || !functions.has(inFunction)) return undefined;
  if (nextAt !== undefined && leafAt.get(nextAt)?.inFunction === inFunction) return undefined;
  for (let index = at - 1; index >= 0; index -= 1) {
    const candidate = leafAt.get(index);
    if (candidate?.leaf.kind === 'command' && candidate.leaf.words[0]?.text === inFunction) return candidate;
  }
  return undefined;
}

/** `X=${PIPESTATUS[0]}` and `exit ${PIPESTATUS[0]}` show the status of an earlier member of the pipeline before. */
function pipeStatus(
  index: number,
  next: TraceEntry | undefined,
  reader: PlacedLeaf | undefined,
): number | undefined {
  const asks = reader?.leaf.text.match(/PIPESTATUS(?:\[(\d+)\])?/);
  if (!next || !asks || Number(asks[1] ?? 0) !== index) return undefined;
  const shown = /^(?:\w+ )?(?:\w+=|exit |return )(\d+)$/.exec(next.command)?.[1];
  return shown === undefined ? undefined : Number(shown);
}

/** After `if` and `while` bash shows status 0 whichever way the condition went. */
function endsCondition(frames: readonly Frame[], next: TraceEntry | undefined): boolean {
  for (const frame of frames) {
    if (frame.kind === 'condition' || frame.kind === 'loop-condition') return true;
    if (frame.kind === 'left' && next && startsWith([frame.right], next)) return false;
  }
  return false;
}

/** Whether the leaf succeeded, read from what ran next. */
function truthFromBranch(frames: readonly Frame[], next: TraceEntry | undefined): boolean | undefined {
  let negated = false;
  for (const frame of frames) {
    switch (frame.kind) {
      case 'not':
        negated = !negated;
        break;
      case 'left': {
        const ran = next !== undefined && startsWith([frame.right], next);
        return (frame.op === '&&') === ran ? !negated : negated;
      }
      case 'condition': {
        const then = next !== undefined && startsWith(frame.then, next);
        const otherwise = next !== undefined && startsWith(frame.otherwise, next);
        if (then && otherwise) return undefined;
        if (frame.then.length === 0 && !otherwise) return undefined;
        return then ? !negated : negated;
      }
      case 'loop-condition': {
        const ran = next !== undefined && startsWith(frame.body, next);
        return ran ? !negated : negated;
      }
      case 'right':
      case 'member':
      case 'block':
      case 'substitution':
        break;
    }
  }
  return undefined;
}
