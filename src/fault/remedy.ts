/**
 * What helps against a fault, as a value. Whoever finds a fault says what can be done about it, and each front end says
 * how: the editor by a setting, the command line by an option.
 */
import type * as z from 'zod';
import type { choiceNameSchema, remedySchema, settingNameSchema } from './remedySchema.ts';

export type SettingName = z.infer<typeof settingNameSchema>;
export type ChoiceName = z.infer<typeof choiceNameSchema>;
export type Remedy = Readonly<z.infer<typeof remedySchema>>;

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
 * @param phraseOf one of them as sentences, which may begin with a small letter
 * @param or makes such a phrase another way out
 */
export function joinRemedies(
  remedies: readonly Remedy[],
  phraseOf: (remedy: Remedy) => string,
  or: (phrase: string) => string = (phrase) => `Or ${phrase}`,
): string {
  return remedies
    .map((remedy, index) => {
      if (remedy.kind === 'words') return remedy.text;
      return index === 0 ? capitalised(phraseOf(remedy)) : or(phraseOf(remedy));
    })
    .join(' ');
}

export function capitalised(phrase: string): string {
  return phrase.slice(0, 1).toUpperCase() + phrase.slice(1);
}
