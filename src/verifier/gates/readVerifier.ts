/** Reads a script together with its trace: its gates, what ran, where it stopped and which line wrote the reward. */
import type { StepEnd } from '../../runtime/evidence.ts';
import { placeLeaves, type PlacedLeaf } from '../script/contexts.ts';
import { rewardTarget } from './effects.ts';
import { findGates, type FoundGates } from './findGates.ts';
import type { GatePaths } from './gatePaths.ts';
import { type Execution, replay, type Replay } from '../trace/replay.ts';
import { leavesOf, type Script } from '../script/script.ts';
import type { Trace } from '../trace/trace.ts';

export interface TracedVerifier {
  readonly script: Script;
  readonly found: FoundGates;
  readonly replayed: Replay;
  /** Line at which the script switched its trace off, when the trace ends there. */
  readonly untracedFrom: number | undefined;
}

/** Lays the trace over the script first, so that gates are then found by the words as they ran. */
export function readVerifier(script: Script, trace: Trace, end: StepEnd, paths: GatePaths): TracedVerifier {
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
export function stoppedAt(seen: TracedVerifier, end: StepEnd): Execution | undefined {
  const { script, replayed } = seen;
  if (end.how !== 'exited' || (!script.stopsOnError && !script.errorTrap)) return undefined;
  const handlers = commandsOf(script.errorTrap);
  const isHandler = ({ inFunction }: PlacedLeaf): boolean =>
    inFunction !== undefined && handlers.has(inFunction);
  const handled = handlers.size > 0 && replayed.executions.some(({ placed }) => isHandler(placed));
  if (end.code === 0 && !handled) return undefined;
  return replayed.executions.findLast(
    ({ at, placed }) =>
      (replayed.trapAt === undefined || at < replayed.trapAt) &&
      !isHandler(placed) &&
      !isInBackground(placed),
  );
}

function commandsOf(trap: Script | undefined): ReadonlySet<string> {
  const leaves = trap ? leavesOf(trap.statements) : [];
  return new Set(leaves.flatMap((leaf) => (leaf.kind === 'command' ? (leaf.words[0]?.text ?? []) : [])));
}

/** Whether a leaf is in a background job or a process substitution, which bash does not wait for. */
function isInBackground({ frames }: PlacedLeaf): boolean {
  return frames.some(({ kind }) => kind === 'background' || kind === 'substitution');
}

/** The last line that wrote the reward, where the trace shows it. */
export function rewardLineOf(seen: TracedVerifier, end: StepEnd): number | undefined {
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
