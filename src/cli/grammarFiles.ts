/** Where the bash grammar lies: beside the bundle in a release, in node_modules when run from its sources. */
import { createRequire } from 'node:module';
import { type GrammarFiles, grammarIn } from '../verifier/bashGrammar.ts';

export function grammarFiles(): GrammarFiles {
  // The build replaces `import.meta.url` by `undefined`: a bundle is CommonJS and has `__dirname` instead.
  const source: string | undefined = import.meta.url;
  if (source === undefined) return grammarIn(__dirname);
  const { resolve } = createRequire(source);
  return {
    runtime: resolve('web-tree-sitter/web-tree-sitter.wasm'),
    grammar: resolve('tree-sitter-bash/tree-sitter-bash.wasm'),
  };
}
