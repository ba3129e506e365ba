/** Finds variables whose value the text alone shows, so that `"$SOL"` is a path before anything ran. */
import type { Leaf, Word } from './script.ts';

export type Constants = ReadonlyMap<string, string>;

/**
 * Constants of a script: variables that are assigned one literal value only.
 * A default such as `${VAR:-text}` counts, since a verifier's environment rarely overrides it.
 */
export function constantsOf(leaves: readonly Leaf[]): Constants {
  const constants = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const leaf of leaves) {
    if (leaf.kind !== 'assign' || ambiguous.has(leaf.name)) continue;
    const value = literalValue(leaf.value, constants);
    const known = constants.get(leaf.name);
    if (value === undefined || (known !== undefined && known !== value)) {
      ambiguous.add(leaf.name);
      constants.delete(leaf.name);
    } else constants.set(leaf.name, value);
  }
  return constants;
}

/** The word's value; undefined when the text alone does not show it. */
export function literalValue(word: Word, constants: Constants): string | undefined {
  let value = '';
  for (const piece of word.pieces) {
    if (piece.kind === 'text') value += piece.text;
    else {
      const expanded =
        piece.kind === 'variable' ? constants.get(piece.name) : defaultExpansion(piece.text, constants);
      if (expanded === undefined) return undefined;
      value += expanded;
    }
  }
  return value;
}

function defaultExpansion(text: string, constants: Constants): string | undefined {
  const match = /^\$\{(\w+):?-([^${}]*)\}$/.exec(text);
  if (!match) return undefined;
  return constants.get(match[1] ?? '') ?? match[2]?.replace(/^(["'])(.*)\1$/s, '$2');
}
