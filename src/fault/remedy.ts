/**
 * What helps against a fault, as a value. Whoever finds a fault says what can be done about it, and each front end says
 * how: the editor by a setting, the command line by an option.
 */
import type * as z from 'zod';
import type { choiceNameSchema, remedySchema, settingNameSchema } from './remedySchema.ts';

export type SettingName = z.infer<typeof settingNameSchema>;
export type ChoiceName = z.infer<typeof choiceNameSchema>;
export type Remedy = Readonly<z.infer<typeof remedySchema>>;

export interface Fault {
  /** What happened, to what and why: whole sentences. */
  readonly message: string;
  /** What a person can do about it, the best first. */
  readonly remedies: readonly Remedy[];
}

/** One that is worded by a front end. */
export type RemedyToWord = Exclude<Remedy, { kind: 'words' }>;

/** Remedies as they are written down: several, one, or whole sentences. */
export type GivenRemedies = readonly Remedy[] | Remedy | string;

export function remediesOf(given: GivenRemedies): readonly Remedy[] {
  if (typeof given === 'string') return [inWords(given)];
  return 'kind' in given ? [given] : given;
}

/** @param text whole sentences */
export function inWords(text: string): Remedy {
  return { kind: 'words', text };
}

/** @param to in the infinitive, such as `map the image to a mirror` */
export function bySetting(
  name: SettingName,
  to: string,
  more: { readonly value?: string; readonly note?: string } = {},
): Remedy {
  return { kind: 'setting', name, to, ...more };
}

/** @param to in the infinitive, such as `start Docker` */
export function byCommand(line: string, to: string, note?: string): Remedy {
  return { kind: 'command', line, to, ...(note === undefined ? {} : { note }) };
}

/** @param to in the infinitive, such as `replace it` */
export function byChoice(name: ChoiceName, to: string): Remedy {
  return { kind: 'choice', name, to };
}

/**
 * Remedies as one text, in the words of a front end.
 * @param sentenceOf one that is not in words anyway, beginning with a small letter
 * @param or makes such a sentence another way out
 */
export function joinRemedies(
  remedies: readonly Remedy[],
  sentenceOf: (remedy: RemedyToWord) => string,
  or: (sentence: string) => string = (sentence) => `Or ${sentence}`,
): string {
  return remedies
    .flatMap((remedy, index) => {
      if (remedy.kind === 'words') return [remedy.text];
      const sentence = sentenceOf(remedy);
      return [
        index === 0 ? sentence.slice(0, 1).toUpperCase() + sentence.slice(1) : or(sentence),
        ...('note' in remedy && remedy.note !== undefined ? [remedy.note] : []),
      ];
    })
    .join(' ');
}
