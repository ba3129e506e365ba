/** Turns tree-sitter's syntax tree of a shell script into statements. */
import type { SyntaxNode } from './bashGrammar.ts';
import type { Statement, TestLeaf, Word } from './script.ts';
import { withRedirects } from './scriptRedirects.ts';
import {
  childrenOf,
  heredocOf,
  isRedirect,
  namedChildrenOf,
  type Nodes,
  redirectOf,
  WORD_NODES,
  wordOf,
} from './scriptWords.ts';

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

/** Reads one tree. */
export class ScriptReader {
  #nextId = 0;

  statements(nodes: Nodes): Statement[] {
    const background = startedInBackground(nodes);
    return nodes.flatMap((node) => {
      const read = this.#statement(node);
      return background.has(node.id) ? [{ kind: 'background', body: read }] : read;
    });
  }

  #singleStatement(node: SyntaxNode | undefined | null, redirects: Nodes = []): Statement {
    const found = node ? this.#statement(node, redirects) : [];
    const [only] = found;
    return found.length === 1 && only ? only : { kind: 'group', body: found };
  }

  /** @param redirects redirections that the grammar attaches to a list or pipeline, and bash to its last command */
  #statement(node: SyntaxNode, redirects: Nodes = []): Statement[] {
    switch (node.type) {
      case 'command':
        return [this.#command(node, redirects)];
      case 'declaration_command':
        return this.#declaration(node);
      case 'unset_command':
        return [this.#uninterpreted(node)];
      case 'test_command':
        return [this.#test(node, redirects)];
      case 'variable_assignment':
        return [this.#assign(node)];
      case 'variable_assignments':
        return namedChildrenOf(node).map((child) => this.#assign(child));
      case 'list': {
        const [left, right] = namedChildrenOf(node);
        const op = childrenOf(node).some((child) => child.type === '&&') ? '&&' : '||';
        return [
          {
            kind: 'list',
            op,
            left: this.#singleStatement(left),
            right: this.#singleStatement(right, redirects),
          },
        ];
      }
      case 'pipeline':
        return [
          {
            kind: 'pipeline',
            members: namedChildrenOf(node).map((child, at, all) =>
              this.#singleStatement(child, at === all.length - 1 ? redirects : []),
            ),
          },
        ];
      case 'negated_command':
        return [{ kind: 'not', body: this.#singleStatement(namedChildrenOf(node).at(-1), redirects) }];
      case 'redirected_statement':
        return this.#redirected(node, redirects);
      case 'compound_statement':
        if (node.text.startsWith('((')) return [this.#test(node, redirects)];
        return this.#group(node, redirects);
      case 'subshell':
        return this.#group(node, redirects).map((group) => ({ ...group, subshell: true }));
      case 'do_group':
      case 'else_clause':
        return this.#group(node, redirects);
      case 'if_statement':
        return withRedirects([this.#if(node)], redirects);
      case 'while_statement':
        return withRedirects([this.#loop(node)], redirects);
      case 'for_statement':
      case 'c_style_for_statement':
        return withRedirects(
          [{ kind: 'loop', condition: [], body: this.statements(namedChildrenOf(node).slice(-1)) }],
          redirects,
        );
      case 'case_statement':
        return withRedirects([this.#case(node)], redirects);
      case 'function_definition': {
        const [name, body] = namedChildrenOf(node);
        return [{ kind: 'function', name: name?.text ?? '', body: body ? this.statements([body]) : [] }];
      }
      case 'ERROR':
        return this.statements(namedChildrenOf(node).filter((child) => STATEMENT_NODES.has(child.type)));
      default:
        return [];
    }
  }

  #facts(node: SyntaxNode, wordNodes: Nodes, redirectNodes: Nodes) {
    const substitutions: Statement[] = [];
    const visit = (child: SyntaxNode): void => {
      if (child.type === 'command_substitution' || child.type === 'process_substitution')
        substitutions.push(...this.statements(namedChildrenOf(child)));
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
    const own = namedChildrenOf(node).filter((child) => isRedirect(child));
    const wordNodes = namedChildrenOf(node).flatMap((child) =>
      child.type === 'command_name' ? namedChildrenOf(child) : WORD_NODES.has(child.type) ? [child] : [],
    );
    return {
      kind: 'command',
      words: wordNodes.map(wordOf),
      prefixes: namedChildrenOf(node).flatMap((child) =>
        child.type === 'variable_assignment' ? [namedChildrenOf(child)[0]?.text ?? ''] : [],
      ),
      ...this.#facts(node, wordNodes, [...own, ...redirects]),
    };
  }

  #declaration(node: SyntaxNode): Statement[] {
    const assignments = namedChildrenOf(node).filter((child) => child.type === 'variable_assignment');
    return assignments.length === 0
      ? [this.#uninterpreted(node)]
      : assignments.map((child) => this.#assign(child));
  }

  /** `unset X`, `local x`: traced as a command; no gate needs its words. */
  #uninterpreted(node: SyntaxNode): Statement {
    const words = node.text.split(/\s+/).map((text): Word => ({ text, pieces: [{ kind: 'text', text }] }));
    return { kind: 'command', words, prefixes: [], ...this.#facts(node, [], []) };
  }

  #assign(node: SyntaxNode): Statement {
    const [name, value] = namedChildrenOf(node);
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
    return { kind: 'test', open, words, ...this.#facts(node, namedChildrenOf(node), redirects) };
  }

  #redirected(node: SyntaxNode, outer: Nodes): Statement[] {
    const redirects = [...namedChildrenOf(node).filter(isRedirect), ...outer];
    const body = namedChildrenOf(node).find((child) => !isRedirect(child));
    if (!body) return [];
    const [first, ...more] = this.#statement(body, redirects);
    if (!first) return [];
    // A here-document's start may be followed by `| command` or `&& command` on its line.
    const trailing = namedChildrenOf(node).flatMap((child) =>
      child.type === 'heredoc_redirect'
        ? this.statements(namedChildrenOf(child).filter((inner) => STATEMENT_NODES.has(inner.type)))
        : [],
    );
    return [first, ...more, ...trailing];
  }

  #group(node: SyntaxNode, redirects: Nodes): Extract<Statement, { kind: 'group' }>[] {
    return [{ kind: 'group', body: withRedirects(this.statements(namedChildrenOf(node)), redirects) }];
  }

  #case(node: SyntaxNode): Statement {
    return {
      kind: 'case',
      subject: subjectOf(node),
      items: namedChildrenOf(node)
        .filter((child) => child.type === 'case_item')
        .map((item) =>
          this.statements(namedChildrenOf(item).filter((child) => STATEMENT_NODES.has(child.type))),
        ),
    };
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
    if (first.type === 'else_clause') return this.statements(namedChildrenOf(first));
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
    const parts = namedChildrenOf(node);
    const condition = this.statements(parts.slice(0, -1));
    const last = condition.at(-1);
    return {
      kind: 'loop',
      condition:
        last && node.text.startsWith('until')
          ? [...condition.slice(0, -1), { kind: 'not', body: last }]
          : condition,
      body: this.statements(parts.slice(-1)),
    };
  }
}

/** The word of `case WORD in`. */
function subjectOf(node: SyntaxNode): Word {
  const [subject] = namedChildrenOf(node);
  return subject ? wordOf(subject) : { text: '', pieces: [] };
}

/** Ids of the siblings followed by `&`. `nextSibling` would search from the first one each time. */
function startedInBackground(nodes: Nodes): ReadonlySet<number> {
  const siblings = nodes[0]?.parent ? childrenOf(nodes[0].parent) : [];
  return new Set(siblings.flatMap((node, at) => (siblings[at + 1]?.type === '&' ? [node.id] : [])));
}
