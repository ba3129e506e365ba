/** Finds how test runners were started: their words, and the folder and variables that the script had set by then. Pure. */
import type { Execution } from './replay.ts';
import { MOST_CHARACTERS, Shells, type ShellState } from './shellState.ts';
import { type TraceEntry, traceWords } from './trace.ts';
import type { Launch } from '../verdict/verdict.ts';

const MOST_WORDS = 200;
/** A verifier starts a handful of runners; a forged one may start thousands. */
const MOST_LAUNCHES = 20;
/** Commands that are read before a runner in the same `$(…)`. */
const MOST_BEFORE = 20;

/** Commands that can change folder or variables; no others are split into words. */
const CHANGES_SHELL =
  /^(cd|pushd|popd|unset|set|export|declare|typeset|source|\.|eval) |^(cd|popd)$|^[A-Za-z_]\w*\+?=/;

/** How each of `runners` was started; one with a very long command is left out. */
export function launchesOf(
  runners: readonly Execution[],
  executions: readonly Execution[],
  entries: readonly TraceEntry[],
): ReadonlyMap<Execution, Launch> {
  const wanted = new Map(runners.slice(0, MOST_LAUNCHES).map((execution) => [execution.at, execution]));
  const end = Math.max(-1, ...wanted.keys());
  const launches = new Map<Execution, Launch>();
  const placedAt = new Map(executions.map(({ at, placed }) => [at, placed]));
  const shells = new Shells();
  let open = 1;
  for (let at = 0; at <= end; at += 1) {
    const entry = entries[at];
    if (!entry) break;
    const placed = placedAt.get(at);
    if (placed) shells.enter(placed);
    const shell = shells.current;
    const execution = wanted.get(at);
    const launch = execution && launchOf(execution, stateInSubshell(shell, entries, at, open));
    if (launch) launches.set(execution, launch);
    if (entry.depth > open) continue;
    const ran = CHANGES_SHELL.test(entry.command) ? traceWords(entry.command) : [];
    shell.apply(ran);
    // What `source` and `eval` run counts, though bash shows it one level deeper.
    open = /^(source|\.|eval)$/.test(ran[0] ?? '') ? entry.depth + 1 : Math.max(1, entry.depth);
  }
  return launches;
}

/** The state that a runner inside `$(…)` sees: that of the shell, and what the subshell did before. */
function stateInSubshell(
  shell: ShellState,
  entries: readonly TraceEntry[],
  at: number,
  open: number,
): ShellState {
  const depth = entries[at]?.depth ?? 1;
  if (depth <= open) return shell;
  const inside = shell.copy();
  let from = at;
  while (from > Math.max(0, at - MOST_BEFORE) && (entries[from - 1]?.depth ?? 0) >= depth) from -= 1;
  for (const entry of entries.slice(from, at))
    if (entry.depth === depth) inside.apply(traceWords(entry.command));
  return inside;
}

function launchOf({ words, command }: Execution, shell: ShellState): Launch | undefined {
  if (words.length > MOST_WORDS || words.join('').length > MOST_CHARACTERS) return undefined;
  const prefixes = command.kind === 'command' ? command.prefixes : [];
  return {
    words: [...words],
    ...(shell.folder === undefined ? {} : { folder: shell.folder }),
    env: shell.environment(prefixes),
  };
}
