/** Where the bash grammar lies: beside the bundle in a release, in node_modules when run from its sources. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GrammarFiles, grammarIn } from '../../verifier/script/bashGrammar.ts';

export function grammarFiles(): GrammarFiles {
  const beside = grammarIn(dirname(fileURLToPath(import.meta.url)));
  if (existsSync(beside.grammar)) return beside;
  const { resolve } = createRequire(import.meta.url);
  return {
    runtime: resolve('web-tree-sitter/web-tree-sitter.wasm'),
    grammar: resolve('tree-sitter-bash/tree-sitter-bash.wasm'),
  };
}
