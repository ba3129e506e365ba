/**
 * Follows data through a script: `OUT=$(pytest …)`, `RC=$?` and `HASH=$(sha256sum "$SOL" | cut …)` to the commands that
 * read them. A variable or file may carry the output or status of a gate, or the digest or content of a file.
 */
import type { Recogniser } from './classify.ts';
import { type Constants, literalValue } from '../script/constants.ts';
import type { PlacedLeaf } from '../script/contexts.ts';
import { statusSource } from './statusSource.ts';
import type { RecognisedGate, FileRead } from './recognised.ts';
import { type Leaf, leavesOf, type Script, variablesOf, type Word } from '../script/script.ts';

export type Tag =
  /** The output or the status of the gate with the leaf id `leaf`. */
  | { readonly kind: 'result'; readonly leaf: number }
  /** The hash, a line or all of a file with a role. */
  | ({ readonly kind: 'file' } & FileRead);

export interface Dataflow {
  /** Leaves that are gates by their own words, by leaf id. */
  readonly classified: ReadonlyMap<number, RecognisedGate>;
  /** What each leaf reads, by leaf id. */
  readonly reads: ReadonlyMap<number, readonly Tag[]>;
}

/** What the search for gates starts from. */
export interface ScriptContext {
  readonly script: Script;
  readonly placed: readonly PlacedLeaf[];
  readonly constants: Constants;
  readonly recogniser: Recogniser;
  /** The words of a leaf as bash expanded them; undefined when the leaf did not run. */
  readonly wordsAsRun: (leaf: Leaf) => readonly string[] | undefined;
}

export function followData({ script, placed, constants, recogniser, wordsAsRun }: ScriptContext): Dataflow {
  const { functions } = script;
  const classified = new Map<number, RecognisedGate>();
  const reads = new Map<number, readonly Tag[]>();
  const variables = new Map<string, readonly Tag[]>();
  const files = new Map<string, readonly Tag[]>();
  let latestGate: number | undefined;

  const wordsOf = (leaf: Leaf): string[] =>
    leaf.kind === 'assign'
      ? []
      : [...(wordsAsRun(leaf) ?? leaf.words.map((word) => literalValue(word, constants) ?? ''))];

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

  /** A call reads the files that the function's body reads. */
  const tagsOfCall = (leaf: Leaf): Tag[] => {
    const body = leaf.kind === 'command' ? functions.get(leaf.words[0]?.text ?? '') : undefined;
    return body ? leavesOf(body).flatMap(tagsOfFiles) : [];
  };

  for (const [at, { leaf, frames }] of placed.entries()) {
    const words = wordsOf(leaf);
    const kind =
      leaf.kind === 'command' ? recogniser.recogniseCommand(words, leaf.heredocs[0]?.text) : undefined;
    if (kind) classified.set(leaf.id, kind);

    const own = leaf.kind === 'assign' ? [leaf.value] : [...leaf.words, ...leaf.heredocs];
    const inner = leavesOf(leaf.substitutions).flatMap((nested) => {
      const source = recogniser.fileRead([...wordsOf(nested), ...inputsOf(nested)]);
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
