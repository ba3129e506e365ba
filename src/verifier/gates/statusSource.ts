/** Whose exit status `$?` is: the command right before it in the script. */
import type { PlacedLeaf } from '../script/contexts.ts';
import type { Recognised } from './recognised.ts';
import { leavesOf, type Statement } from '../script/script.ts';

/** Commands whose own status nobody means when they read `$?`: they stand between a command and its reading. */
const BETWEEN =
  /^(echo|printf|set|export|unset|:|true|wait|cat|tee|cd|popd|shopt|trap|local|declare|sleep|kill)$/;

/**
 * The leaf that gives `$?` its value where leaf `at` reads it; undefined when the text alone does not tell.
 */
export function statusSource(
  placed: readonly PlacedLeaf[],
  at: number,
  classified: ReadonlyMap<number, Recognised>,
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
  return BETWEEN.test(program) || functions.has(program) ? undefined : leaf.id;
}
