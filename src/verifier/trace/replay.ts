/** Lays a trace over a script: which leaf ran when, and with which exit status. */
import { consumers, type Frame, type PlacedLeaf } from '../script/contexts.ts';
import { headMatches, indexLeaves, matchEntries, startsWith } from './matchTrace.ts';
import { NextEntryFinder } from './nextEntry.ts';
import type { Leaf, Statement } from '../script/script.ts';
import { type Trace, type TraceEntry, traceWords } from './trace.ts';

/** One execution of a leaf. */
export interface Execution {
  readonly placed: PlacedLeaf;
  /** The leaf of `placed`. */
  readonly command: Leaf;
  /** Index of its trace entry. */
  readonly at: number;
  /** The line that bash names; for a command of several lines, any of them. */
  readonly line: number;
  /** As bash expanded them. */
  readonly words: readonly string[];
  readonly text: string;
  /** Exact exit status where the trace shows it. */
  readonly status: number | undefined;
  /** Whether the status is zero; known more often than the status. */
  readonly succeeded: boolean | undefined;
  /** Whether nothing of the script ran after it. */
  readonly isLast: boolean;
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
  const byLine = indexLeaves(placed);
  const inScript = matchEntries(byLine, entries, 0, trapAt ?? entries.length);
  // A trap that calls a function of the script runs lines of the script; one with code of its own does not.
  const inTrap =
    trapAt !== undefined && callsFunction(trapLeaves, placed)
      ? matchEntries(byLine, entries, trapAt + 1, entries.length)
      : [];
  const matched = inScript.concat(inTrap);
  const placedAt = new Map(matched.map((match) => [match.at, match.placed]));
  const functions = new Set(placed.flatMap(({ inFunction }) => inFunction ?? []));
  const following = new NextEntryFinder(entries, placedAt);
  /** The latest call of each function so far. */
  const calls = new Map<string, PlacedLeaf>();
  const executions = matched.map(({ placed: ran, at, words }): Execution => {
    const next = following.after(ran, at);
    const call = ran.inFunction === undefined ? undefined : calls.get(ran.inFunction);
    const command = ran.leaf;
    const called = command.kind === 'command' ? command.words[0]?.text : undefined;
    if (called !== undefined && functions.has(called)) calls.set(called, ran);
    const entry = entries[at];
    return {
      placed: ran,
      command,
      at,
      line: entry?.line ?? command.line,
      words,
      text: entry?.command ?? '',
      ...readStatus(ran, next, call, { entries, placedAt, exitCode }),
      isLast: next === undefined,
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
    if (
      entry &&
      entry.depth === 1 &&
      entry.line === first.line &&
      headMatches(first, entry, traceWords(entry.command)[0])
    )
      return at;
  }
  return undefined;
}

interface ExitReading {
  readonly status: number | undefined;
  readonly succeeded: boolean | undefined;
}

interface TraceContext {
  readonly entries: readonly TraceEntry[];
  readonly placedAt: ReadonlyMap<number, PlacedLeaf>;
  readonly exitCode: number | undefined;
}

/** What ran next: the entry, and the leaf that it shows. */
interface Next {
  readonly entry: TraceEntry;
  readonly placed: PlacedLeaf | undefined;
}

function readStatus(
  placed: PlacedLeaf,
  nextAt: number | undefined,
  call: PlacedLeaf | undefined,
  context: TraceContext,
): ExitReading {
  const frames = consumers(placed.frames);
  const entry = nextAt === undefined ? undefined : context.entries[nextAt];
  const next = entry && { entry, placed: nextAt === undefined ? undefined : context.placedAt.get(nextAt) };
  // A job in the background ends without an entry in the trace.
  if (placed.frames.some((frame) => frame.kind === 'background')) return UNKNOWN;
  const member = frames.find((frame) => frame.kind === 'member');
  if (member?.kind === 'member' && member.index < member.members.length - 1) {
    const status = pipeStatus(member.index, next);
    return { status, succeeded: status === undefined ? undefined : status === 0 };
  }
  const returned = call && returnsToCaller(placed, next) ? consumers(call.frames) : [];
  const truth = truthFromBranch([...frames, ...returned], next);
  const hidden = [frames, returned].some(
    (list) => list.some((frame) => frame.kind === 'not') || endsCondition(list, next),
  );
  const exact = hidden ? undefined : next ? next.entry.previousStatus : context.exitCode;
  if (truth === undefined) return { status: exact, succeeded: exact === undefined ? undefined : exact === 0 };
  const agrees = exact !== undefined && (exact === 0) === truth;
  return { status: agrees ? exact : undefined, succeeded: truth };
}

const UNKNOWN: ExitReading = { status: undefined, succeeded: undefined };

/** Whether a leaf's function returned right after it, so that the call has the leaf's status. */
function returnsToCaller(placed: PlacedLeaf, next: Next | undefined): boolean {
  if (placed.frames.some((frame) => frame.kind === 'substitution')) return false;
  return next?.placed?.inFunction !== placed.inFunction;
}

/** The status of a pipeline's member, where `X=${PIPESTATUS[0]}` or `exit ${PIPESTATUS[0]}` shows it next. */
function pipeStatus(index: number, next: Next | undefined): number | undefined {
  const asks = next?.placed?.leaf.text.match(/PIPESTATUS(?:\[(\d+)\])?/);
  if (!next || !asks || Number(asks[1] ?? 0) !== index) return undefined;
  const shown = /^(?:\w+ )?(?:\w+=|exit |return )(\d{1,3})$/.exec(next.entry.command)?.[1];
  return shown === undefined ? undefined : Number(shown);
}

/** Whether a condition ended here: after `if` and `while` bash shows status 0 whatever the condition gave. */
function endsCondition(frames: readonly Frame[], next: Next | undefined): boolean {
  for (const frame of frames) {
    if (frame.kind === 'condition' || frame.kind === 'loop-condition') return true;
    if (frame.kind === 'left' && next && startsNext([frame.right], next)) return false;
  }
  return false;
}

/** Whether the leaf succeeded, read from what ran next. */
function truthFromBranch(frames: readonly Frame[], next: Next | undefined): boolean | undefined {
  let negated = false;
  for (const frame of frames) {
    switch (frame.kind) {
      case 'not':
        negated = !negated;
        break;
      case 'left': {
        const ran = next !== undefined && startsNext([frame.right], next);
        return (frame.op === '&&') === ran ? !negated : negated;
      }
      case 'condition': {
        const then = next !== undefined && startsNext(frame.then, next);
        const otherwise = next !== undefined && startsNext(frame.otherwise, next);
        if (then && otherwise) return undefined;
        if (frame.then.length === 0 && !otherwise) return undefined;
        return then ? !negated : negated;
      }
      case 'loop-condition': {
        const ran = next !== undefined && startsNext(frame.body, next);
        return ran ? !negated : negated;
      }
      case 'right':
      case 'member':
      case 'block':
      case 'background':
      case 'substitution':
        break;
    }
  }
  return undefined;
}

function startsNext(statements: readonly Statement[], { entry, placed }: Next): boolean {
  return startsWith(statements, entry, placed?.leaf);
}
