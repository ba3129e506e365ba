/** Parses the trace that `traceScript.ts` makes bash write. Pure; accepts cut traces and commands of several lines. */

/** One traced command. */
export interface TraceEntry {
  /** 1 for the script itself, one more for each substitution around the command. */
  readonly depth: number;
  /** Line of `test.sh`; inside a trap, of the trap's own text. */
  readonly line: number;
  /** Exit status of the previous command, except after `if`, `while` and `!`. */
  readonly previousStatus: number;
  /** The expanded command in bash's own quoting; may contain newlines. */
  readonly command: string;
}

export interface Trace {
  readonly entries: readonly TraceEntry[];
  /** Index of the first entry after a part that was left out; undefined when the trace is whole. */
  readonly cutBefore: number | undefined;
}

const ENTRY = /^(\++)(\d{1,10}):(\d{1,3}): ?([^]*)$/;
/** Characters that are kept of one command; only here-documents and file contents are longer. */
const MOST_COMMAND = 64 * 1024;
/** Entries that are kept: half from the start, half from the end. A script with more of them loops. */
const MOST_ENTRIES = 40_000;
/** Characters that are read: half from the start, half from the end. */
const MOST_TEXT = 4 * 1024 * 1024;

interface Part {
  readonly entries: readonly TraceEntry[];
  readonly cutBefore: number | undefined;
}

function parsePart(text: string, dropFirstLine: boolean): Part {
  const head: TraceEntry[] = [];
  let tail: TraceEntry[] = [];
  let cut = false;
  let open: { entry: Omit<TraceEntry, 'command'>; lines: string[]; size: number } | undefined;
  const close = (): void => {
    if (!open) return;
    const entry = { ...open.entry, command: open.lines.join('\n') };
    open = undefined;
    if (head.length < MOST_ENTRIES / 2) head.push(entry);
    else tail.push(entry);
    if (tail.length < MOST_ENTRIES) return;
    cut = true;
    tail = tail.slice(-MOST_ENTRIES / 2);
  };
  let from = dropFirstLine ? text.indexOf('\n') + 1 : 0;
  if (dropFirstLine && from === 0) return { entries: [], cutBefore: undefined };
  while (from < text.length) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(from, Math.min(end, from + MOST_COMMAND));
    from = end + 1;
    const match = line.startsWith('+') ? ENTRY.exec(line) : null;
    if (match) {
      close();
      const [, pluses = '+', lineNumber = '0', status = '0', command = ''] = match;
      const entry = { depth: pluses.length, line: Number(lineNumber), previousStatus: Number(status) };
      open = { entry, lines: [command], size: command.length };
    } else if (open && open.size < MOST_COMMAND) {
      open.lines.push(line);
      open.size += line.length + 1;
    }
  }
  close();
  return { entries: [...head, ...tail], cutBefore: cut ? head.length : undefined };
}

/** Parses a trace. `tail` is its last part when the middle was left out; the line cut in two is dropped. */
export function parseTrace(head: string, tail?: string): Trace {
  const long = head.length > MOST_TEXT || (tail !== undefined && tail.length > MOST_TEXT);
  if (long) return parseTrace(head.slice(0, MOST_TEXT / 2), (tail ?? head).slice(-MOST_TEXT / 2));
  const first = parsePart(head, false);
  if (tail === undefined) return first;
  const last = parsePart(tail, true);
  return { entries: [...first.entries, ...last.entries], cutBefore: first.entries.length };
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
  for (const [piece] of command.matchAll(WORD_PIECE)) {
    if (/^[ \n\t]/.test(piece)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + unquotedPiece(piece);
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Blanks, `'…'`, `$'…'`, an escaped character, plain characters; a quote that is not closed goes to the end. */
const WORD_PIECE = /[ \n\t]+|'[^']*(?:'|$)|\$'(?:[^'\\]|\\[^])*(?:'|\\?$)|\\[^]?|[^ \n\t'\\$]+|\$/g;

function unquotedPiece(piece: string): string {
  if (piece.startsWith("$'")) {
    const inside = piece.length > 2 && piece.endsWith("'") ? piece.slice(2, -1) : piece.slice(2);
    return inside.replace(/\\([^]?)/g, (_, escaped: string) => ANSI_C[escaped] ?? escaped);
  }
  if (piece.startsWith("'"))
    return piece.length > 1 && piece.endsWith("'") ? piece.slice(1, -1) : piece.slice(1);
  return piece.startsWith('\\') ? piece.slice(1) : piece;
}
