/**
 * Which variables and files of a script carry what: the output or status of a gate's command, or the digest or
 * content of a file. `OUT=$(pytest …)`, `RC=$?`, `HASH=$(sha256sum "$SOL" | cut …)` are followed to where they are read.
 */
import type { Recogniser } from './classify.ts';
import { type Constants, literalValue } from '../script/constants.ts';
import type { PlacedLeaf } from '../script/contexts.ts';
import { statusSource } from './statusSource.ts';
import type { Recognised, Taken } from './recognised.ts';
import { type Leaf, leavesOf, type Script, variablesOf, type Word } from '../script/script.ts';

export type Tag =
  /** What the command of gate leaf `leaf` printed or exited with. */
  | { readonly kind: 'result'; readonly leaf: number }
  /** Something taken from a file with a role: its hash, a line, all of it. */
  | ({ readonly kind: 'file' } & Taken);

export interface Dataflow {
  /** Gate kind of each leaf that is recognised by its own words. */
  readonly classified: ReadonlyMap<number, Recognised>;
  /** What each leaf reads. */
  readonly reads: ReadonlyMap<number, readonly Tag[]>;
}

/** What is known of a script before its gates are. */
export interface KnownScript {
  readonly script: Script;
  readonly placed: readonly PlacedLeaf[];
  readonly constants: Constants;
  readonly recogniser: Recogniser;
  /** Words of a leaf as they ran, where it did: they beat what the text alone tells. */
  readonly expanded: (leaf: Leaf) => readonly string[] | undefined;
}

export function followData({ script, placed, constants, recogniser, expanded }: KnownScript): Dataflow {
  const { functions } = script;
  const classified = new Map<number, Recognised>();
  const reads = new Map<number, readonly Tag[]>();
  const variables = new Map<string, readonly Tag[]>();
  const files = new Map<string, readonly Tag[]>();
  let latestGate: number | undefined;

  const wordsOf = (leaf: Leaf): string[] =>
    leaf.kind === 'assign'
      ? []
      : [...(expanded(leaf) ?? leaf.words.map((word) => literalValue(word, constants) ?? ''))];

  const tagsOfWord = (word: Word, at: number): Tag[] => {
    const named = variablesOf(word).flatMap((name) => [...(variables.get(name) ?? [])]);
    if (/\$!/.test(word.text) && latestGate !== undefined)
      return [...named, { kind: 'result', leaf: latestGate }];
    if (!/\$\?|\$\{?PIPESTATUS/.test(word.text)) return named;
    const source = statusSource(placed, at, classified, functions) ?? latestGate;
    return source === undefined ? named : [...named, { kind: 'result', leaf: source }];
  };
  const inputsOf = (leaf: Leaf): string[] =>
    leaf.redirects.flatMap(({ operator, target }) =>
      target && operator.startsWith('<') ? [literalValue(target, constants) ?? ''] : [],
    );
  const tagsOfFiles = (leaf: Leaf): Tag[] => {
    const mentioned =
      leaf.kind === 'assign' ? [] : leaf.words.map((word) => literalValue(word, constants) ?? '');
    const inputs = inputsOf(leaf);
    const code = [...mentioned, ...leaf.heredocs.map((word) => word.text)];
    return [...files].flatMap(([path, tags]) =>
      inputs.includes(path) || code.some((text) => text === path || text.includes(path)) ? [...tags] : [],
    );
  };

  /** A function reads what its body reads at the time of the call. */
  const tagsOfCall = (leaf: Leaf): Tag[] => {
    const body = leaf.kind === 'command' ? functions.get(leaf.words[0]?.text ?? '') : undefined;
    return body ? leavesOf(body).flatMap(tagsOfFiles) : [];
  };

  for (const [at, { leaf, frames }] of placed.entries()) {
    const words = wordsOf(leaf);
    const kind = leaf.kind === 'command' ? recogniser.command(words, leaf.heredocs[0]?.text) : undefined;
    if (kind) classified.set(leaf.id, kind);

    const own = leaf.kind === 'assign' ? [leaf.value] : [...leaf.words, ...leaf.heredocs];
    const inner = leavesOf(leaf.substitutions).flatMap((nested) => {
      const source = recogniser.taken([...wordsOf(nested), ...inputsOf(nested)]);
      const result: Tag[] = classified.has(nested.id) ? [{ kind: 'result', leaf: nested.id }] : [];
      const file: Tag[] = source ? [{ kind: 'file', ...source }] : [];
      return [...result, ...file, ...(reads.get(nested.id) ?? []), ...tagsOfCall(nested)];
    });
    const piped = frames.flatMap((frame) =>
      frame.kind === 'member'
        ? leavesOf(frame.members.slice(0, frame.index)).flatMap(({ id }): Tag[] => [
            ...(classified.has(id) ? [{ kind: 'result' as const, leaf: id }] : []),
            ...(reads.get(id) ?? []),
          ])
        : [],
    );
    const tags = unique([
      ...own.flatMap((word) => tagsOfWord(word, at)),
      ...tagsOfFiles(leaf),
      ...tagsOfCall(leaf),
      ...inner,
      ...piped,
    ]);
    reads.set(leaf.id, tags);

    if (leaf.kind === 'assign') {
      const keeps = /^\$\{?\w+:?-/.test(leaf.value.text) || variablesOf(leaf.value).includes(leaf.name);
      variables.set(leaf.name, unique([...tags, ...(keeps ? (variables.get(leaf.name) ?? []) : [])]));
    } else if (leaf.kind === 'command') {
      if (words[0] === 'read') words.slice(1).forEach((name) => variables.set(name, tags));
      const written: Tag[] = kind ? [{ kind: 'result', leaf: leaf.id }] : [...tags];
      for (const path of writtenFiles(leaf, words, constants))
        files.set(path, unique([...(files.get(path) ?? []), ...written]));
    }
    if (kind && kind.kind !== 'exists') latestGate = leaf.id;
  }
  return { classified, reads };
}

function writtenFiles(leaf: Leaf, words: readonly string[], constants: Constants): string[] {
  const redirected = leaf.redirects.flatMap(({ operator, target }) =>
    target && operator.includes('>') ? [literalValue(target, constants) ?? ''] : [],
  );
  const teed = words[0] === 'tee' ? words.slice(1).filter((word) => !word.startsWith('-')) : [];
  return [...redirected, ...teed].filter((path) => path !== '' && path !== '/dev/null');
}

function unique(tags: readonly Tag[]): readonly Tag[] {
  const seen = new Set<string>();
  return tags.filter((tag) => {
    const key = JSON.stringify(tag);
    return !seen.has(key) && seen.add(key);
  });
}
