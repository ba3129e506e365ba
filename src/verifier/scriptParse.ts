/** Parses a shell script: its statements, functions, traps and what tree-sitter could not read. */
import type { ParseBash, SyntaxNode } from './bashGrammar.ts';
import { constantsOf, literalValue } from './constants.ts';
import { leavesOf, type Script, type Statement } from './script.ts';
import { ScriptReader } from './scriptReader.ts';
import { childrenOf, named } from './scriptWords.ts';

/** Parses a script. Never throws: what the grammar cannot read becomes `errorLines`. */
export function parseScript(source: string, parse: ParseBash): Script {
  const tree = parse(source);
  const reader = new ScriptReader();
  const statements = reader.statements(named(tree.rootNode));
  const functions = new Map<string, readonly Statement[]>();
  collectFunctions(statements, functions);
  const leaves = leavesOf([...statements, ...[...functions.values()].flat()]);
  const constants = constantsOf(leaves);
  const trapText = leaves.flatMap((leaf) => {
    if (leaf.kind !== 'command' || leaf.words[0]?.text !== 'trap') return [];
    const last = leaf.words.at(-1)?.text.toUpperCase();
    const action = leaf.words.find((word, index) => index > 0 && !word.text.startsWith('-'));
    if (!action || (last !== 'EXIT' && last !== '0' && last !== 'SIGEXIT')) return [];
    return [literalValue(action, constants) ?? unquoted(action.text)];
  })[0];
  const script: Script = {
    statements,
    functions,
    exitTrap: trapText === undefined || trapText === '' ? undefined : parseScript(trapText, parse),
    stopsOnError: leaves.some(setsErrexit) || /^#!.*\bbash\s+-\w*e/.test(source),
    errorLines: errorLines(tree.rootNode),
  };
  tree.delete();
  return script;
}

function setsErrexit(leaf: Statement): boolean {
  if (leaf.kind !== 'command' || leaf.words[0]?.text !== 'set') return false;
  const options = leaf.words.slice(1).map((word) => word.text);
  return options.some(
    (text, index) => /^-[a-z]*e/.test(text) || (text === 'errexit' && options[index - 1]?.endsWith('o')),
  );
}

function unquoted(text: string): string {
  return /^(['"]).*\1$/s.test(text) ? text.slice(1, -1) : text;
}

function errorLines(root: SyntaxNode): number[] {
  if (!root.hasError) return [];
  const lines: number[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.isError || node.isMissing) lines.push(node.startPosition.row + 1);
    else if (node.hasError) childrenOf(node).forEach(visit);
  };
  visit(root);
  return lines;
}

function collectFunctions(statements: readonly Statement[], into: Map<string, readonly Statement[]>): void {
  for (const statement of statements) {
    if (statement.kind === 'function') {
      into.set(statement.name, statement.body);
      collectFunctions(statement.body, into);
    } else if (statement.kind === 'group') collectFunctions(statement.body, into);
    else if (statement.kind === 'if') collectFunctions([...statement.then, ...statement.otherwise], into);
  }
}
