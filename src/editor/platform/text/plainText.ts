/** Makes text that others wrote plain for places that would act on parts of it: labels, output, notifications. */
import { shortened } from '../../../wording/shortened.ts';

/** Goes between the dollar and the bracket; it has no width, and screen readers do not speak it. */
const WORD_JOINER = '\u2060';
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const CONTROLS = /[^\P{Cc}\t\n]/gu;
const MOST_NOTIFICATION = 1000;

/** The same label without icons, which VS Code draws for `$(name)`, and without characters that steer or reverse text. */
export function plainLabel(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').replaceAll('$(', `$${WORD_JOINER}(`);
}

/** The text without what a terminal acts on, such as colours, links and cursor moves. */
export function plainOutput(text: string): string {
  return text.replace(ANSI, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

/**
 * A message without links: in a notification VS Code makes `[text](command:…)` a link that runs the command, and parts
 * of messages come from tasks. Characters that steer a terminal or reverse text are dropped too.
 */
export function plainNotification(message: string): string {
  return shortened(message, MOST_NOTIFICATION)
    .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll('](', '] (');
}
