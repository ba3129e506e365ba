/** Reads words, redirections and here-documents of a shell script's syntax tree. */
import type { SyntaxNode } from './bashGrammar.ts';
import type { Redirect, Word, WordPiece } from './script.ts';

export type Nodes = readonly SyntaxNode[];

export const WORD_NODES = new Set([
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

export function namedChildrenOf(node: SyntaxNode): Nodes {
  return node.namedChildren.filter((child): child is SyntaxNode => child !== null);
}

export function childrenOf(node: SyntaxNode): Nodes {
  return node.children.filter((child): child is SyntaxNode => child !== null);
}

export function isRedirect(node: SyntaxNode): boolean {
  return (
    node.type === 'file_redirect' || node.type === 'heredoc_redirect' || node.type === 'herestring_redirect'
  );
}

export function redirectOf(node: SyntaxNode): Redirect[] {
  if (node.type !== 'file_redirect') return [];
  const operator = childrenOf(node).find((child) => /[<>]/.test(child.type))?.type ?? '>';
  const target = namedChildrenOf(node).find((child) => child.type !== 'file_descriptor');
  const duplicates = operator.endsWith('&') || operator === '>&-';
  return [{ operator, target: target && !duplicates ? wordOf(target) : undefined }];
}

export function heredocOf(node: SyntaxNode): Word[] {
  if (node.type === 'herestring_redirect') return namedChildrenOf(node).map(wordOf);
  if (node.type !== 'heredoc_redirect') return [];
  return namedChildrenOf(node)
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
export function wordOf(node: SyntaxNode): Word {
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
    // A bare name occurs only inside arithmetic, where bash expands it.
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
      const name = namedChildrenOf(node)[0]?.text ?? node.text.slice(1);
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
