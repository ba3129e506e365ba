/** Text that others wrote, made plain for a place that would act on parts of it: labels, output, notifications. */
import { shortened } from '../../../wording/shortened.ts';

/** Between the dollar and the bracket; takes no room and is not spoken. */
const WORD_JOINER = '\u2060';
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const CONTROLS = /[^\P{Cc}\t\n]/gu;
const MOST_NOTIFICATION = 1000;

/** A label that looks the same. VS Code draws `$(name)` as an icon: nothing here is one, and nothing turns text round or steers. */
export function plainLabel(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').replaceAll('$(', `$${WORD_JOINER}(`);
}

/** What a terminal acts on, as colours, links and cursors, means nothing in text; and task output must not act on one. */
export function plainOutput(text: string): string {
  return text.replace(ANSI, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

/**
 * A message without links. VS Code makes `[text](command:…)` in a notification a link that runs the command when it is
 * clicked, and parts of messages come from tasks. Characters that steer a terminal or turn text round go too.
 */
export function plainNotification(message: string): string {
  return shortened(message, MOST_NOTIFICATION)
    .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll('](', '] (');
}
