/** Turns tree-sitter's syntax tree of a shell script into the statements that gates are found in. */
import type { ParseBash, SyntaxNode } from './bashGrammar.ts';
import type { Redirect, Script, Statement, TestLeaf, Word, WordPiece } from './script.ts';
import { leavesOf } from './script.ts';
import { constantsOf, literalValue } from './constants.ts';

type Nodes = readonly SyntaxNode[];

const WORD_NODES = new Set([
  'word',
  'string',
  'raw_string',
  'ansi_c_string',
  'translated_string',
  'number',
  'concatenation',
  'simple_expansion',
  'expansion',
  'command_substitution',
  'process_substitution',
  'arithmetic_expansion',
  'brace_expression',
  'regex',
  'extglob_pattern',
  'variable_name',
  'array',
]);

const STATEMENT_NODES = new Set([
  'command',
  'declaration_command',
  'unset_command',
  'test_command',
  'variable_assignment',
  'variable_assignments',
  'list',
  'pipeline',
  'negated_command',
  'redirected_statement',
  'compound_statement',
  'subshell',
  'if_statement',
  'while_statement',
  'for_statement',
  'c_style_for_statement',
  'case_statement',
  'function_definition',
]);

function named(node: SyntaxNode): Nodes {
  return node.namedChildren.filter((child): child is SyntaxNode => child !== null);
}

function childrenOf(node: SyntaxNode): Nodes {
  return node.children.filter((child): child is SyntaxNode => child !== null);
}

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

/** Reads one tree; holds nothing but the number of the next leaf. */
class ScriptReader {
  #nextId = 0;

  statements(nodes: Nodes): Statement[] {
    return nodes.flatMap((node) => this.#statement(node));
  }

  #one(node: SyntaxNode | undefined | null): Statement {
    const found = node ? this.#statement(node) : [];
    const [only] = found;
    return found.length === 1 && only ? only : { kind: 'group', body: found, redirects: [] };
  }

  #statement(node: SyntaxNode): Statement[] {
    switch (node.type) {
      case 'command':
        return [this.#command(node, [])];
      case 'declaration_command':
        return this.#declaration(node);
      case 'unset_command':
        return [this.#bare(node)];
      case 'test_command':
        return [this.#test(node, [])];
      case 'variable_assignment':
        return [this.#assign(node)];
      case 'variable_assignments':
        return named(node).map((child) => this.#assign(child));
      case 'list': {
        const [left, right] = named(node);
        const op = childrenOf(node).some((child) => child.type === '&&') ? '&&' : '||';
        return [{ kind: 'list', op, left: this.#one(left), right: this.#one(right) }];
      }
      case 'pipeline':
        return [{ kind: 'pipeline', members: named(node).map((child) => this.#one(child)) }];
      case 'negated_command':
        return [{ kind: 'not', body: this.#one(named(node).at(-1)) }];
      case 'redirected_statement':
        return this.#redirected(node);
      case 'compound_statement':
      case 'subshell':
      case 'do_group':
      case 'else_clause':
        return isArithmetic(node)
          ? [this.#test(node, [])]
          : [{ kind: 'group', body: this.statements(named(node)), redirects: [] }];
      case 'if_statement':
        return [this.#if(node)];
      case 'while_statement':
        return [this.#loop(node)];
      case 'for_statement':
      case 'c_style_for_statement':
        return [{ kind: 'loop', condition: [], body: this.statements(named(node).slice(-1)) }];
      case 'case_statement':
        return [
          {
            kind: 'case',
            subject: subjectOf(node),
            items: named(node)
              .filter((child) => child.type === 'case_item')
              .map((item) => this.statements(named(item).filter((child) => STATEMENT_NODES.has(child.type)))),
          },
        ];
      case 'function_definition': {
        const [name, body] = named(node);
        return [{ kind: 'function', name: name?.text ?? '', body: body ? this.statements([body]) : [] }];
      }
      case 'ERROR':
        return this.statements(named(node).filter((child) => STATEMENT_NODES.has(child.type)));
      default:
        return [];
    }
  }

  #facts(node: SyntaxNode, wordNodes: Nodes, redirectNodes: Nodes) {
    const substitutions: Statement[] = [];
    const visit = (child: SyntaxNode): void => {
      if (child.type === 'command_substitution' || child.type === 'process_substitution')
        substitutions.push(...this.statements(named(child)));
      else childrenOf(child).forEach(visit);
    };
    [...wordNodes, ...redirectNodes].forEach(visit);
    return {
      line: node.startPosition.row + 1,
      endLine: Math.max(node.startPosition.row + 1, ...wordNodes.map((word) => word.endPosition.row + 1)),
      text: node.text,
      redirects: redirectNodes.flatMap(redirectOf),
      heredocs: redirectNodes.flatMap(heredocOf),
      substitutions,
      id: this.#nextId++,
    };
  }

  #command(node: SyntaxNode, redirects: Nodes): Statement {
    const own = named(node).filter((child) => isRedirect(child));
    const wordNodes = named(node).flatMap((child) =>
      child.type === 'command_name' ? named(child) : WORD_NODES.has(child.type) ? [child] : [],
    );
    return {
      kind: 'command',
      words: wordNodes.map(wordOf),
      prefixes: named(node).flatMap((child) =>
        child.type === 'variable_assignment' ? [named(child)[0]?.text ?? ''] : [],
      ),
      ...this.#facts(node, wordNodes, [...own, ...redirects]),
    };
  }

  #declaration(node: SyntaxNode): Statement[] {
    const assignments = named(node).filter((child) => child.type === 'variable_assignment');
    return assignments.length === 0 ? [this.#bare(node)] : assignments.map((child) => this.#assign(child));
  }

  /** `unset X`, `local x`: traced as a command, consumes and gives nothing that a gate needs. */
  #bare(node: SyntaxNode): Statement {
    const words = node.text.split(/\s+/).map((text): Word => ({ text, pieces: [{ kind: 'text', text }] }));
    return { kind: 'command', words, prefixes: [], ...this.#facts(node, [], []) };
  }

  #assign(node: SyntaxNode): Statement {
    const [name, value] = named(node);
    const wordNodes = value ? [value] : [];
    return {
      kind: 'assign',
      name: name?.text ?? '',
      value: value ? wordOf(value) : { text: '', pieces: [] },
      ...this.#facts(node, wordNodes, []),
    };
  }

  #test(node: SyntaxNode, redirects: Nodes): TestLeaf {
    const open = node.text.startsWith('[[') ? '[[' : node.text.startsWith('[') ? '[' : '((';
    const words: Word[] = [];
    const visit = (child: SyntaxNode): void => {
      if (WORD_NODES.has(child.type)) words.push(wordOf(child));
      else if (child.childCount === 0)
        words.push({ text: child.text, pieces: [{ kind: 'text', text: child.text }] });
      else childrenOf(child).forEach(visit);
    };
    childrenOf(node).slice(1, -1).forEach(visit);
    return { kind: 'test', open, words, ...this.#facts(node, named(node), redirects) };
  }

  #redirected(node: SyntaxNode): Statement[] {
    const redirects = named(node).filter(isRedirect);
    const body = named(node).find((child) => !isRedirect(child));
    if (!body) return [];
    if (body.type === 'command') return [this.#command(body, redirects)];
    if (body.type === 'test_command') return [this.#test(body, redirects)];
    const inner = this.#statement(body);
    const trailing = redirects.flatMap((redirect) =>
      // A here-document's start may be followed by `| command` or `&& command` on its line.
      redirect.type === 'heredoc_redirect'
        ? this.statements(named(redirect).filter((child) => STATEMENT_NODES.has(child.type)))
        : [],
    );
    return [{ kind: 'group', body: [...inner, ...trailing], redirects: redirects.flatMap(redirectOf) }];
  }

  #if(node: SyntaxNode): Statement {
    const parts = childrenOf(node);
    const thenAt = parts.findIndex((child) => child.type === 'then');
    const clauses = parts.filter((child) => child.type === 'elif_clause' || child.type === 'else_clause');
    const thenNodes = parts.slice(thenAt + 1).filter((child) => child.isNamed && !clauses.includes(child));
    return {
      kind: 'if',
      condition: this.statements(parts.slice(0, thenAt).filter((child) => child.isNamed)),
      then: this.statements(thenNodes),
      otherwise: this.#clauses(clauses),
    };
  }

  #clauses(clauses: Nodes): Statement[] {
    const [first, ...rest] = clauses;
    if (!first) return [];
    if (first.type === 'else_clause') return this.statements(named(first));
    const parts = childrenOf(first);
    const thenAt = parts.findIndex((child) => child.type === 'then');
    return [
      {
        kind: 'if',
        condition: this.statements(parts.slice(0, thenAt).filter((child) => child.isNamed)),
        then: this.statements(parts.slice(thenAt + 1).filter((child) => child.isNamed)),
        otherwise: this.#clauses(rest),
      },
    ];
  }

  #loop(node: SyntaxNode): Statement {
    const parts = named(node);
    return {
      kind: 'loop',
      condition: this.statements(parts.slice(0, -1)),
      body: this.statements(parts.slice(-1)),
    };
  }
}

/** The word of `case WORD in`. */
function subjectOf(node: SyntaxNode): Word {
  const [subject] = named(node);
  return subject ? wordOf(subject) : { text: '', pieces: [] };
}

function isRedirect(node: SyntaxNode): boolean {
  return (
    node.type === 'file_redirect' || node.type === 'heredoc_redirect' || node.type === 'herestring_redirect'
  );
}

function isArithmetic(node: SyntaxNode): boolean {
  return node.type === 'compound_statement' && node.text.startsWith('((');
}

function redirectOf(node: SyntaxNode): Redirect[] {
  if (node.type !== 'file_redirect') return [];
  const operator = childrenOf(node).find((child) => /[<>]/.test(child.type))?.type ?? '>';
  const target = named(node).find((child) => child.type !== 'file_descriptor');
  const duplicates = operator.endsWith('&') || operator === '>&-';
  return [{ operator, target: target && !duplicates ? wordOf(target) : undefined }];
}

function heredocOf(node: SyntaxNode): Word[] {
  if (node.type === 'herestring_redirect') return named(node).map(wordOf);
  if (node.type !== 'heredoc_redirect') return [];
  return named(node)
    .filter((child) => child.type === 'heredoc_body')
    .map((body) => ({
      text: body.text,
      pieces: [{ kind: 'opaque', text: body.text, variables: variableNames(body) }],
    }));
}

function variableNames(node: SyntaxNode): string[] {
  if (node.type === 'variable_name') return [node.text];
  return childrenOf(node).flatMap(variableNames);
}

/** A word node as pieces. */
function wordOf(node: SyntaxNode): Word {
  return { text: node.text, pieces: piecesOf(node) };
}

function piecesOf(node: SyntaxNode): WordPiece[] {
  switch (node.type) {
    case 'word':
      return [{ kind: 'text', text: node.text.replace(/\\(.)/gs, '$1') }];
    case 'number':
    case 'string_content':
    case 'regex':
    case 'extglob_pattern':
      return [{ kind: 'text', text: node.text }];
    // A bare name only stands inside arithmetic, where it is expanded.
    case 'variable_name':
      return [{ kind: 'variable', name: node.text }];
    case 'raw_string':
      return [{ kind: 'text', text: node.text.slice(1, -1) }];
    case 'string':
      return childrenOf(node)
        .filter((child) => child.type !== '"')
        .flatMap(piecesOf);
    case 'concatenation':
      return childrenOf(node).flatMap(piecesOf);
    case 'simple_expansion': {
      const name = named(node)[0]?.text ?? node.text.slice(1);
      return [{ kind: 'variable', name }];
    }
    case 'expansion':
      return /^\$\{\w+\}$/.test(node.text)
        ? [{ kind: 'variable', name: node.text.slice(2, -1) }]
        : [{ kind: 'opaque', text: node.text, variables: variableNames(node) }];
    default:
      return [{ kind: 'opaque', text: node.text, variables: variableNames(node) }];
  }
}
