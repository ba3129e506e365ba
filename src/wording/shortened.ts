/** Long texts cut short. A cut never falls inside what a person sees as one character. */

/** A text of at most `most` UTF-16 units; where it was cut, the last of them is a `…`. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, edges(text, most - 1).before)}…` : text;
}

/** {@link shortened} on one line, with single blanks. */
export function shortenedLine(text: string, most: number): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), most);
}

/**
 * The beginning and the end of a text, where the news is: at most `most` UTF-16 units of it, and where it was cut the
 * words of `between`, which are told how many units were left out.
 */
export function shortenedInside(
  text: string,
  most: number,
  between: (omitted: number) => string,
): { readonly text: string; readonly omitted: number } {
  if (text.length <= most) return { text, omitted: 0 };
  const half = Math.floor(most / 2);
  const end = edges(text, half).before;
  const start = edges(text, text.length - half).after;
  const omitted = start - end;
  return { text: `${text.slice(0, end)}${between(omitted)}${text.slice(start)}`, omitted };
}

/** How far around a cut characters are looked for: further than any that was not made to be long. */
const REACH = 64;

/** The nearest places before and after `at`, or `at` itself, where a text can be cut. */
function edges(text: string, at: number): { readonly before: number; readonly after: number } {
  const from = Math.max(0, at - REACH);
  const here = at - from;
  const near = text.slice(from, at + REACH);
  // No marks that join what stands before them are below U+0300, but for the line feed after a carriage return.
  if (/^[^\r\u0300-\uffff][^\u0300-\uffff]/.test(near.slice(here - 1, here + 1)))
    return { before: at, after: at };
  const found = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(near).containing(here);
  if (!found || found.index === here) return { before: at, after: at };
  return { before: from + found.index, after: from + found.index + found.segment.length };
}
