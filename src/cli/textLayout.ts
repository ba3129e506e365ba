/** Lays out text for a terminal: makes hostile text harmless, measures, wraps and indents. Pure. */

/** Control characters, which could move the cursor or hide text, and marks that turn the direction of writing. */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\u200b-\u200d\ufe0e\ufe0f]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}/u;

/** Text of a task, a tool or a person, safe to print: what is not printable is written as an escape. Tabs become blanks. */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '    ')
    .replace(UNSAFE, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code < 0x100
        ? `\\x${code.toString(16).padStart(2, '0')}`
        : `\\u${code.toString(16).padStart(4, '0')}`;
    });
}

/** {@link printable} on one line. */
export function oneLine(text: string): string {
  return printable(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

/** Columns that a text without escape sequences takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Cuts a text to `width` columns and says so. */
export function cut(text: string, width: number, ellipsis: string): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > width - ellipsis.length) break;
    kept += character;
  }
  return kept + ellipsis;
}

/** Breaks text into lines of at most `width` columns: at blanks where it can, inside a word where it must. */
export function wrap(text: string, width: number): string[] {
  return printable(text)
    .split('\n')
    .flatMap((line) => wrapLine(line, Math.max(width, 10)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = /^ */.exec(line)?.[0] ?? '';
  let empty = true;
  for (const word of line.trim().split(/ +/)) {
    if (!empty && displayWidth(current) + 1 + displayWidth(word) > width) {
      lines.push(current);
      current = '';
      empty = true;
    }
    current += empty ? word : ` ${word}`;
    empty = false;
    while (displayWidth(current) > width) {
      const head = cut(current, width, '');
      lines.push(head);
      current = current.slice(head.length);
    }
  }
  return [...lines, current];
}

/** Wraps text behind a first column: `first` on the first line, blanks of the same width on the others. */
export function hang(first: string, text: string, width: number): string[] {
  const indent = ' '.repeat(displayWidth(first));
  return wrap(text, width - displayWidth(first)).map((line, index) => (index === 0 ? first : indent) + line);
}

/** Milliseconds as a person reads them: `3 ms`, `0.4 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return secondsText(ms);
}

/** Milliseconds as seconds, one decimal: `0.4 s`; minutes when there are some. */
export function secondsText(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
