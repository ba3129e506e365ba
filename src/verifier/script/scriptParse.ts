/** Parses a shell script into statements, functions and traps, and lists the lines that tree-sitter could not read. */
import type { ParseBash, SyntaxNode } from './bashGrammar.ts';
import { type Constants, constantsOf, literalValue } from './constants.ts';
import { type Leaf, leavesOf, type Script, type Statement } from './script.ts';
import { ScriptReader } from './scriptReader.ts';
import { childrenOf, namedChildrenOf } from './scriptWords.ts';

/** Levels of traps that set traps. */
const MOST_TRAPS = 4;
/** Characters; the grammar takes seconds for more. */
const MOST_SOURCE = 512 * 1024;
/** Levels of syntax; nobody writes deeper ones, and code that reads the tree recurses. */
const MOST_LEVELS = 600;
/** Commands; only generated scripts have more, and following data takes quadratic time. */
const MOST_LEAVES = 4000;

function unreadableScript(line: number): Script {
  return {
    statements: [],
    functions: new Map(),
    exitTrap: undefined,
    errorTrap: undefined,
    stopsOnError: false,
    errorLines: [line],
  };
}

/** The line where the syntax is nested too deeply to be read. */
function deepLine(root: SyntaxNode): number | undefined {
  const cursor = root.walk();
  try {
    let depth = 0;
    for (;;) {
      if (depth > MOST_LEVELS) return cursor.startPosition.row + 1;
      if (cursor.gotoFirstChild()) {
        depth += 1;
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return undefined;
        depth -= 1;
      }
    }
  } finally {
    cursor.delete();
  }
}

/** Parses a script that bash runs: its shebang names bash, or it has none. Undefined for any other. */
export function parseBashScript(source: string, parse: ParseBash): Script | undefined {
  return source.startsWith('#!') && !/^#!.*\bbash\b/.test(source) ? undefined : parseScript(source, parse);
}

/** Parses a script. Never throws: what the grammar cannot read becomes `errorLines`. */
function parseScript(source: string, parse: ParseBash, depth = 0): Script {
  if (depth > MOST_TRAPS || source.length > MOST_SOURCE) return unreadableScript(1);
  const tree = parse(source);
  const tooDeep = deepLine(tree.rootNode);
  if (tooDeep !== undefined) {
    tree.delete();
    return unreadableScript(tooDeep);
  }
  const reader = new ScriptReader();
  const statements = reader.statements(namedChildrenOf(tree.rootNode));
  const functions = new Map<string, readonly Statement[]>();
  collectFunctions(statements, functions);
  const leaves = leavesOf([...statements, ...[...functions.values()].flat()]);
  const beyond = leaves[MOST_LEAVES];
  if (beyond) {
    tree.delete();
    return unreadableScript(beyond.line);
  }
  const constants = constantsOf(leaves);
  const trapOf = (signals: RegExp): Script | undefined => {
    const text = trapText(leaves, constants, signals);
    return text === undefined || text === '' ? undefined : parseScript(text, parse, depth + 1);
  };
  const script: Script = {
    statements,
    functions,
    exitTrap: trapOf(/^(SIG)?(EXIT|0)$/i),
    errorTrap: trapOf(/^(SIG)?ERR$/i),
    stopsOnError: leaves.some(setsErrexit) || /^#!.*\bbash\s+-\w*e/.test(source),
    errorLines: errorLines(tree.rootNode),
  };
  tree.delete();
  return script;
}

/** The action of the first `trap` for one of the signals, by the text alone. */
function trapText(leaves: readonly Leaf[], constants: Constants, signals: RegExp): string | undefined {
  for (const leaf of leaves) {
    if (leaf.kind !== 'command' || leaf.words[0]?.text !== 'trap') continue;
    const action = leaf.words.find((word, index) => index > 0 && !word.text.startsWith('-'));
    if (action && leaf.words.some((word) => word !== action && signals.test(word.text)))
      return literalValue(action, constants) ?? unquoted(action.text);
  }
  return undefined;
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
