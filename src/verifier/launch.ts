/** How a test runner was started: its words, and the folder and variables that the script had set by then. Pure. */
import { posix } from 'node:path';
import type { Execution } from './replay.ts';
import { type TraceEntry, traceWords } from './trace.ts';
import type { Launch } from './verdict.ts';

const MOST_WORDS = 200;
const MOST_VARIABLES = 200;
const MOST_CHARACTERS = 64 * 1024;
const MOST_FOLDER = 4096;
/** A verifier starts a handful of runners; a forged one may start as many as its trace holds. */
const MOST_LAUNCHES = 20;
/** Commands before a runner in the same `$(…)`. */
const MOST_BEFORE = 20;

/** Commands that can change folder or variables; the rest of a trace is not taken apart. */
const MATTERS = /^(cd|pushd|popd|unset|set|export|declare|typeset|source|\.|eval) |^popd$|^[A-Za-z_]\w*\+?=/;

/** Reads the trace once, up to the last of `executions`. One whose command is too long to be kept is left out. */
export function launchesOf(
  executions: readonly Execution[],
  entries: readonly TraceEntry[],
): ReadonlyMap<Execution, Launch> {
  const wanted = new Map(executions.slice(0, MOST_LAUNCHES).map((execution) => [execution.at, execution]));
  const end = Math.max(-1, ...wanted.keys());
  const launches = new Map<Execution, Launch>();
  const shell = new ShellState();
  let open = 1;
  for (let at = 0; at <= end; at += 1) {
    const entry = entries[at];
    if (!entry) break;
    const execution = wanted.get(at);
    const launch = execution && launchOf(execution, insideOf(shell, entries, at, open));
    if (launch) launches.set(execution, launch);
    if (entry.depth > open) continue;
    const ran = MATTERS.test(entry.command) ? traceWords(entry.command) : [];
    shell.apply(ran);
    // What `source` and `eval` run counts, though bash shows it one level deeper.
    open = /^(source|\.|eval)$/.test(ran[0] ?? '') ? entry.depth + 1 : Math.max(1, entry.depth);
  }
  return launches;
}

/** A runner inside `$(…)` sees what that subshell did before it as well. */
function insideOf(shell: ShellState, entries: readonly TraceEntry[], at: number, open: number): ShellState {
  const depth = entries[at]?.depth ?? 1;
  if (depth <= open) return shell;
  const inside = shell.copy();
  let from = at;
  while (from > Math.max(0, at - MOST_BEFORE) && (entries[from - 1]?.depth ?? 0) >= depth) from -= 1;
  for (const entry of entries.slice(from, at))
    if (entry.depth === depth) inside.apply(traceWords(entry.command));
  return inside;
}

function launchOf({ words, leaf }: Execution, shell: ShellState): Launch | undefined {
  if (words.length > MOST_WORDS || words.join('').length > MOST_CHARACTERS) return undefined;
  const prefixes = leaf.leaf.kind === 'command' ? leaf.leaf.prefixes : [];
  return {
    words: [...words],
    ...(shell.folder === undefined ? {} : { folder: shell.folder }),
    env: shell.environment(prefixes),
  };
}

/** A shell's folder and variables, as far as its trace tells. */
class ShellState {
  /** Relative to where the script began when it does not start with `/`. */
  folder: string | undefined;
  readonly #before: (string | undefined)[] = [];
  readonly #values = new Map<string, string>();
  readonly #exported = new Set<string>(['PATH', 'HOME', 'PYTHONPATH']);
  #exportsAll = false;

  copy(): ShellState {
    const copy = new ShellState();
    copy.folder = this.folder;
    copy.#exportsAll = this.#exportsAll;
    for (const [name, value] of this.#values) copy.#values.set(name, value);
    for (const name of this.#exported) copy.#exported.add(name);
    return copy;
  }

  apply(words: readonly string[]): void {
    const [head = '', ...rest] = words;
    if (words.length === 1 && isAssignment(head)) this.#assign(head);
    else if (head === 'cd') this.#go(rest.at(-1));
    else if (head === 'pushd') this.#go(rest.at(-1));
    else if (head === 'popd') this.folder = this.#before.pop();
    else if (head === 'unset') rest.forEach((name) => this.#values.delete(name));
    else if (head === 'set') this.#exportsAll ||= rest.some((word) => /^-[a-z]*a/.test(word));
    else if (head === 'export' || (/^(declare|typeset)$/.test(head) && rest.includes('-x')))
      rest
        .filter((word) => !word.startsWith('-'))
        .forEach((word) => {
          if (isAssignment(word)) this.#assign(word);
          if (this.#exported.size < MOST_VARIABLES) this.#exported.add(word.replace(/\+?=[^]*$/, ''));
        });
  }

  environment(prefixes: readonly string[]): Record<string, string> {
    const shown = [...this.#values].filter(
      ([name]) => this.#exportsAll || this.#exported.has(name) || prefixes.includes(name),
    );
    let left = MOST_CHARACTERS;
    return Object.fromEntries(shown.filter(([name, value]) => (left -= name.length + value.length) >= 0));
  }

  #assign(word: string): void {
    const [, name = '', more, value = ''] = /^(\w+)(\+)?=([^]*)$/.exec(word) ?? [];
    const before = this.#values.get(name);
    const now = more === undefined ? value : `${before ?? ''}${value}`;
    const room = before !== undefined || this.#values.size < MOST_VARIABLES || this.#exported.has(name);
    if (room && now.length <= MOST_CHARACTERS) this.#values.set(name, now);
  }

  #go(to: string | undefined): void {
    if (to === '-') {
      this.folder = this.#before.pop();
      return;
    }
    this.#before.push(this.folder);
    if (this.#before.length > MOST_VARIABLES) this.#before.shift();
    // Without a name it goes home, and where that is the trace does not say.
    if (to === undefined) this.folder = undefined;
    else this.folder = posix.join(to.startsWith('/') ? '/' : (this.folder ?? ''), to).slice(0, MOST_FOLDER);
  }
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}
