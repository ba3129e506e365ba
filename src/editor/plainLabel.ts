/** Text of tasks and datasets in places where VS Code draws `$(name)` as an icon. */

/** Between the dollar and the bracket; takes no room and is not spoken. */
const WORD_JOINER = '\u2060';

/** The same text to look at, in which nothing is an icon, and nothing turns text round or steers. */
export function plainLabel(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').replaceAll('$(', `$${WORD_JOINER}(`);
}
