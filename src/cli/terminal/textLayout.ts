/** Lays out text for a terminal: makes hostile text harmless, measures, wraps and indents. Pure. */

/**
 * Control characters, which could move the cursor or hide text, marks that turn the direction of writing, and
 * characters that nobody sees: the byte order mark and the tags of plane 14.
 */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;
/** What JSON leaves as it is, and a terminal must not get. */
const UNSAFE_IN_JSON =
  /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
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

/** The text of a JSON document, safe to print: the same document, with what is not printable as `\\uXXXX`. */
export function printableJson(text: string): string {
  return text.replace(UNSAFE_IN_JSON, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index);
      return `\\u${unit.toString(16).padStart(4, '0')}`;
    }).join(''),
  );
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

/** Cuts a text to `width` columns and says so. Looks at no more of it than that. */
export function cut(text: string, width: number, ellipsis: string): string {
  const room = width - ellipsis.length;
  let used = 0;
  let end = 0;
  let kept = 0;
  for (const character of text) {
    used += displayWidth(character);
    end += character.length;
    if (used <= room) kept = end;
    if (used > width) return text.slice(0, kept) + ellipsis;
  }
  return text;
}

/** Breaks text into lines of at most `width` columns: at blanks where it can, inside a word where it must. */
export function wrap(text: string, width: number): string[] {
  return printable(text)
    .split('\n')
    .flatMap((line) => wrapLine(line, Math.max(width, 10)));
}

/** Every character is measured once, however long a word is. */
function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = /^ */.exec(line)?.[0] ?? '';
  let used = current.length;
  let empty = true;
  for (const word of line.trim().split(/ +/)) {
    const wordWidth = displayWidth(word);
    if (!empty && used + 1 + wordWidth > width) {
      lines.push(current);
      current = '';
      used = 0;
      empty = true;
    }
    const joined = empty ? word : ` ${word}`;
    if (used + (empty ? 0 : 1) + wordWidth <= width) {
      current += joined;
      used += (empty ? 0 : 1) + wordWidth;
    } else
      for (const character of joined) {
        const columns = displayWidth(character);
        if (used + columns > width) {
          lines.push(current);
          current = '';
          used = 0;
        }
        current += character;
        used += columns;
      }
    empty = false;
  }
  return [...lines, current];
}

/** Wraps text behind a first column: `first` on the first line, blanks of the same width on the others. */
export function hang(first: string, text: string, width: number): string[] {
  const indent = ' '.repeat(displayWidth(first));
  return wrap(text, width - displayWidth(first)).map((line, index) => (index === 0 ? first : indent) + line);
}
