/** What a script and its trace tell together: the gates, what ran, how it stopped and which line wrote the reward. */
import type { StepEnd } from '../../runtime/evidence.ts';
import { placeLeaves, type PlacedLeaf } from '../script/contexts.ts';
import { rewardTarget } from './effects.ts';
import { findGates, type FoundGates } from './findGates.ts';
import type { GatePaths } from './gatePaths.ts';
import { type Execution, replay, type Replay } from '../trace/replay.ts';
import { leavesOf, type Script } from '../script/script.ts';
import type { Trace } from '../trace/trace.ts';

export interface SeenVerifier {
  readonly script: Script;
  readonly found: FoundGates;
  readonly replayed: Replay;
  /** Line at which the script switched its trace off, when nothing is seen after it. */
  readonly untracedFrom: number | undefined;
}

/** Reads the script twice: once to lay the trace over it, then again with the words as they ran. */
export function readVerifier(script: Script, trace: Trace, end: StepEnd, paths: GatePaths): SeenVerifier {
  const trapLeaves = script.exitTrap ? leavesOf(script.exitTrap.statements) : [];
  const exitCode = end.how === 'exited' ? end.code : undefined;
  const placed = placeLeaves(script);
  const replayed = replay(placed, trace, exitCode, trapLeaves);
  const words = new Map(replayed.executions.map((execution) => [execution.command.id, execution.words]));
  const found = findGates(script, placed, paths, (leaf) => words.get(leaf.id));
  const last = replayed.executions.at(-1);
  return {
    script,
    found,
    replayed,
    untracedFrom: last && endsTrace(last) ? last.command.line : undefined,
  };
}

/** `set +x`, or a PS4 or BASH_XTRACEFD of the script's own. */
function endsTrace({ command, words }: Execution): boolean {
  if (command.kind === 'assign') return command.name === 'PS4' || command.name === 'BASH_XTRACEFD';
  return words[0] === 'set' && words.some((word) => /^\+[a-wyz]*x/.test(word) || word === 'xtrace');
}

/** The command under `set -e` or an ERR trap that ended the script by failing. */
export function stoppedAt(seen: SeenVerifier, end: StepEnd): Execution | undefined {
  const { script, replayed } = seen;
  if (end.how !== 'exited' || (!script.stopsOnError && !script.errorTrap)) return undefined;
  const handlers = calledBy(script.errorTrap);
  const isHandler = ({ inFunction }: PlacedLeaf): boolean =>
    inFunction !== undefined && handlers.has(inFunction);
  const handled = handlers.size > 0 && replayed.executions.some(({ placed }) => isHandler(placed));
  if (end.code === 0 && !handled) return undefined;
  return replayed.executions.findLast(
    ({ at, placed }) =>
      (replayed.trapAt === undefined || at < replayed.trapAt) && !isHandler(placed) && !isAside(placed),
  );
}

function calledBy(trap: Script | undefined): ReadonlySet<string> {
  const leaves = trap ? leavesOf(trap.statements) : [];
  return new Set(leaves.flatMap((leaf) => (leaf.kind === 'command' ? (leaf.words[0]?.text ?? []) : [])));
}

/** Of a process substitution or a job in the background bash waits for no end. */
function isAside({ frames }: PlacedLeaf): boolean {
  return frames.some(({ kind }) => kind === 'background' || kind === 'substitution');
}

/** The last line that wrote the reward, as far as the trace shows it. */
export function rewardLineOf(seen: SeenVerifier, end: StepEnd): number | undefined {
  const { found, replayed, script } = seen;
  const writes = new Set(found.rewardWrites.map(({ leaf }) => leaf.id));
  const last = replayed.executions.findLast(({ command }) => writes.has(command.id));
  const trapLine = (signal: 'EXIT' | 'ERR', trap: Script | undefined): number | undefined => {
    const inline = trap && leavesOf(trap.statements).some((leaf) => rewardTarget(leaf, found.constants));
    const set = found.placed.find(
      ({ leaf }) =>
        leaf.kind === 'command' &&
        leaf.words[0]?.text === 'trap' &&
        (signal === 'ERR') === leaf.words.some(({ text }) => /^(SIG)?ERR$/i.test(text)),
    );
    return inline ? set?.leaf.line : undefined;
  };
  if (replayed.trapAt === undefined)
    return end.how === 'exited' && end.code !== 0 && stoppedAt(seen, end)
      ? (trapLine('ERR', script.errorTrap) ?? last?.command.line)
      : last?.command.line;
  if (last && last.at > replayed.trapAt) return last.command.line;
  return trapLine('EXIT', script.exitTrap) ?? last?.command.line;
}
