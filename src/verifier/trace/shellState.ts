/** Follows the folder and the variables of a script's shells along its trace. Pure. */
import { posix } from 'node:path';
import type { PlacedLeaf, Subshell } from '../script/contexts.ts';

const MOST_VARIABLES = 200;
export const MOST_CHARACTERS = 64 * 1024;
const MOST_FOLDER = 4096;
/** The home folder, while the script does not tell where it is. */
export const HOME = '~';

/** The script's own shell and its subshells. */
export class Shells {
  readonly #own = new ShellState();
  readonly #inside = new Map<Subshell, ShellState>();
  /** The shell in which a command of this name was called last; it may be a function. */
  readonly #calls = new Map<string, ShellState>();
  #current = this.#own;

  /** The shell of the leaf that was entered last. */
  get current(): ShellState {
    return this.#current;
  }

  /** Switches to the shell in which a leaf runs. The first leaf of a subshell starts it afresh, as in a loop. */
  enter({ leaf, subshell, inFunction }: PlacedLeaf): void {
    for (let begun = subshell; begun?.first === leaf.id; begun = begun.outer) this.#inside.delete(begun);
    const caller = inFunction === undefined ? undefined : this.#calls.get(inFunction);
    this.#current = this.#shellOf(subshell, caller ?? this.#own);
    const called = leaf.kind === 'command' ? leaf.words[0]?.text : undefined;
    if (called !== undefined) this.#calls.set(called, this.#current);
  }

  #shellOf(subshell: Subshell | undefined, caller: ShellState): ShellState {
    if (!subshell) return caller;
    const known = this.#inside.get(subshell);
    if (known) return known;
    let { outer } = subshell;
    while (outer && !this.#inside.has(outer)) outer = outer.outer;
    const made = ((outer && this.#inside.get(outer)) ?? caller).copy();
    this.#inside.set(subshell, made);
    return made;
  }
}

/** A shell's folder and variables, as far as the trace shows them. */
export class ShellState {
  /** Absolute, or from {@link HOME}, or relative to the folder in which the script began. */
  folder: string | undefined;
  readonly #before: (string | undefined)[] = [];
  readonly #values = new Map<string, string>();
  readonly #exported = new Set<string>(['PATH', 'HOME', 'PYTHONPATH']);
  #exportsAll = false;

  copy(): ShellState {
    const copy = new ShellState();
    copy.folder = this.folder;
    copy.#before.push(...this.#before);
    copy.#exportsAll = this.#exportsAll;
    for (const [name, value] of this.#values) copy.#values.set(name, value);
    for (const name of this.#exported) copy.#exported.add(name);
    return copy;
  }

  apply(words: readonly string[]): void {
    const [head = '', ...rest] = words;
    if (words.length === 1 && isAssignment(head)) this.#assign(head);
    else if (head === 'cd') this.#changeFolder(rest.at(-1));
    else if (head === 'pushd') this.#changeFolder(rest.at(-1));
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
    const [, name = '', appends, value = ''] = /^(\w+)(\+)?=([^]*)$/.exec(word) ?? [];
    const before = this.#values.get(name);
    const newValue = appends === undefined ? value : `${before ?? ''}${value}`;
    const room = before !== undefined || this.#values.size < MOST_VARIABLES || this.#exported.has(name);
    if (room && newValue.length <= MOST_CHARACTERS) this.#values.set(name, newValue);
  }

  #changeFolder(to: string | undefined): void {
    if (to === '-') {
      this.folder = this.#before.pop();
      return;
    }
    this.#before.push(this.folder);
    if (this.#before.length > MOST_VARIABLES) this.#before.shift();
    if (to === undefined) this.folder = this.#values.get('HOME') ?? HOME;
    // Only the container knows where `..` leads from the home folder.
    else if (isBelowHome(this.folder) && !to.startsWith('/')) this.folder = short(`${this.folder}/${to}`);
    else this.folder = short(posix.join(to.startsWith('/') ? '/' : (this.folder ?? ''), to));
  }
}

function isBelowHome(folder: string | undefined): boolean {
  return folder?.split('/', 1)[0] === HOME;
}

function short(folder: string): string {
  return folder.slice(0, MOST_FOLDER);
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}
