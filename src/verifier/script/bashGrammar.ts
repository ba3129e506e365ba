/** Loads tree-sitter with its bash grammar. The only place that touches WebAssembly. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Node, Tree } from 'web-tree-sitter';

export type SyntaxNode = Node;
export type ParseBash = (source: string) => Tree;

/** Paths of the two WebAssembly files: beside the bundle in a release, in node_modules in tests. */
export interface GrammarFiles {
  /** `web-tree-sitter.wasm` */
  readonly runtime: string;
  /** `tree-sitter-bash.wasm` */
  readonly grammar: string;
}

/** The grammar's files when both lie in `folder`, as the build puts them. */
export function grammarIn(folder: string): GrammarFiles {
  return { runtime: join(folder, 'web-tree-sitter.wasm'), grammar: join(folder, 'tree-sitter-bash.wasm') };
}

/**
 * Loads the grammar.
 * @throws when one of the files is missing: the installation is damaged.
 */
export async function loadBashGrammar(files: GrammarFiles): Promise<ParseBash> {
  const { Parser, Language } = await import('web-tree-sitter');
  const [runtime, grammar] = await Promise.all([readFile(files.runtime), readFile(files.grammar)]);
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(new Uint8Array(grammar)));
  return (source) => {
    const tree = parser.parse(source);
    if (!tree) throw new Error('The bash grammar is not loaded.');
    return tree;
  };
}
