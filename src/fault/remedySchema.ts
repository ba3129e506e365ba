/** What a remedy is, as a schema: verdicts carry remedies, and verdicts are stored. */
import * as z from 'zod';

/** What a person may set: each is a setting of the editor, and an option or a variable of the command line. */
export const settingNameSchema = z.enum([
  'runtime',
  'dockerEndpoint',
  'images',
  'timeoutSeconds',
  'allowNetwork',
  'hostVariables',
  'workspaceFolder',
]);

/** What whoever starts an operation may choose: replace what is there, name the dataset, leave out what fits no row. */
export const choiceNameSchema = z.enum(['replace', 'dataset', 'skip-unmatched']);

/** What it does, in the infinitive and without a full stop: `map the image to a mirror`. */
const to = z.string();
/** Sentences to read before doing it. */
const note = z.string().optional();

export const remedySchema = z.discriminatedUnion('kind', [
  /** `value`: what to set it to, where one value alone helps. */
  z.object({
    kind: z.literal('setting'),
    name: settingNameSchema,
    to,
    value: z.string().optional(),
    note,
  }),
  /** A line for a shell of this machine; nothing of a task is ever in it. */
  z.object({ kind: z.literal('command'), line: z.string(), to, note }),
  z.object({ kind: z.literal('choice'), name: choiceNameSchema, to }),
  /** Whole sentences. */
  z.object({ kind: z.literal('words'), text: z.string() }),
]);

/** In the order in which to try them: each is one way out. */
export const remediesSchema = z.array(remedySchema).readonly();
