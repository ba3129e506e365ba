/** The smallest single replacement that turns one text into another: keeps cursors and folds where nothing changed. Pure. */

export interface TextChange {
  /** Offsets into the old text, end excluded. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Undefined when the texts are the same. Never splits a line ending or a surrogate pair. */
export function textChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && splits(before, after, start)) start--;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  while (tail > 0 && splitsAtEnd(before, after, tail)) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function splits(before: string, after: string, offset: number): boolean {
  return isInside(before, offset) || isInside(after, offset);
}

function splitsAtEnd(before: string, after: string, tail: number): boolean {
  return isInside(before, before.length - tail) || isInside(after, after.length - tail);
}

function isInside(text: string, offset: number): boolean {
  const pair = text.slice(offset - 1, offset + 1);
  return pair === '\r\n' || /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair);
}
