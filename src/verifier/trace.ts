/** Reads the trace that `traceScript.ts` makes bash write. Pure; tolerant of cuts and of multi-line commands. */

/** One traced command. */
export interface TraceEntry {
  /** 1 for the script itself, one more for each substitution around the command. */
  readonly depth: number;
  /** Line of `test.sh`; of the trap's own text inside a trap. */
  readonly line: number;
  /** Exit status of the command before, where bash keeps it (not after `if`, `while`, `!`). */
  readonly previousStatus: number;
  /** The command as expanded, in bash's own quoting; may hold newlines. */
  readonly command: string;
}

export interface Trace {
  readonly entries: readonly TraceEntry[];
  /** Index of the first entry after a part that was left out; undefined when the trace is whole. */
  readonly cutBefore: number | undefined;
}

const ENTRY = /^(\++)(\d+):(\d+): ?(.*)$/;

function parsePart(text: string, dropFirstLine: boolean): TraceEntry[] {
  const entries: TraceEntry[] = [];
  const lines = text.split('\n');
  if (dropFirstLine) lines.shift();
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const match = ENTRY.exec(line);
    if (match) {
      const [, pluses = '+', lineNumber = '0', status = '0', command = ''] = match;
      entries.push({
        depth: pluses.length,
        line: Number(lineNumber),
        previousStatus: Number(status),
        command,
      });
      continue;
    }
    const last = entries.at(-1);
    if (last) entries[entries.length - 1] = { ...last, command: `${last.command}\n${line}` };
  }
  return entries;
}

/**
 * Parses a trace. `tail` is its last part when the middle was left out: the line that was cut in two is dropped.
 */
export function parseTrace(head: string, tail?: string): Trace {
  const entries = parsePart(head, false);
  if (tail === undefined) return { entries, cutBefore: undefined };
  const cutBefore = entries.length;
  return { entries: [...entries, ...parsePart(tail, true)], cutBefore };
}

const ANSI_C: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
};

/**
 * Splits a traced command into its words, undoing bash's xtrace quoting: `'…'`, `$'…'` and backslashes.
 * Source: bash manual, "Quoting"; `sh_contains_shell_metas`/`ansic_quote` decide which one bash uses.
 */
export function traceWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < command.length) {
    const char = command.charAt(at);
    if (char === ' ' || char === '\n' || char === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else if (char === "'") {
      const end = command.indexOf("'", at + 1);
      const stop = end === -1 ? command.length : end;
      word = (word ?? '') + command.slice(at + 1, stop);
      at = stop + 1;
    } else if (char === '$' && command.charAt(at + 1) === "'") {
      at += 2;
      let text = '';
      while (at < command.length && command.charAt(at) !== "'") {
        if (command.charAt(at) === '\\') {
          const escaped = command.charAt(at + 1);
          text += ANSI_C[escaped] ?? escaped;
          at += 2;
        } else {
          text += command.charAt(at);
          at += 1;
        }
      }
      word = (word ?? '') + text;
      at += 1;
    } else if (char === '\\') {
      word = (word ?? '') + command.charAt(at + 1);
      at += 2;
    } else {
      word = (word ?? '') + char;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}
