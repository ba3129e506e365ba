// How long texts and times are written in messages.

/** A text of at most `most` characters; the last one says that there was more. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Milliseconds as seconds, with a decimal where there is one: `0.4 s`, `60 s`. */
export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
