/** Finds the command whose exit status `$?` holds: the one right before it in the script. */
import type { PlacedLeaf } from '../script/contexts.ts';
import type { RecognisedGate } from './recognised.ts';
import { leavesOf, type Statement } from '../script/script.ts';

/** Commands that often stand between a command and the `$?` that means its status. */
const KEEPS_NO_STATUS =
  /^(echo|printf|set|export|unset|:|true|wait|cat|tee|cd|popd|shopt|trap|local|declare|sleep|kill)$/;

/** The id of the leaf whose status the leaf at index `at` reads by `$?`; undefined when the text does not tell. */
export function statusSource(
  placed: readonly PlacedLeaf[],
  at: number,
  classified: ReadonlyMap<number, RecognisedGate>,
  functions: ReadonlyMap<string, readonly Statement[]>,
): number | undefined {
  const reader = placed[at];
  const own = new Set(reader ? leavesOf(reader.leaf.substitutions).map(({ id }) => id) : []);
  let before = at - 1;
  while (before >= 0 && own.has(placed[before]?.leaf.id ?? -1)) before -= 1;
  const source = placed[before];
  if (!source || !reader || source.inFunction !== reader.inFunction) return undefined;
  const { leaf } = source;
  if (leaf.kind === 'assign') {
    const inside = leavesOf(leaf.substitutions).filter(({ kind }) => kind === 'command');
    return (inside.find(({ id }) => classified.has(id)) ?? inside.at(-1))?.id;
  }
  const members = source.frames.flatMap((frame) => (frame.kind === 'member' ? leavesOf(frame.members) : []));
  const gate = members.find(({ id }) => classified.has(id));
  if (gate) return gate.id;
  if (leaf.kind === 'test') return undefined;
  const program = leaf.words[0]?.text ?? '';
  return KEEPS_NO_STATUS.test(program) || functions.has(program) ? undefined : leaf.id;
}
