// A tree view as text, one line a node, walked from outside as VS Code walks it.
import type * as vscode from 'vscode';

/** Draws one node. */
export type LineOf = (item: vscode.TreeItem) => string;

/** All nodes, whether or not a person has expanded them. */
export async function renderTree<Node>(
  provider: vscode.TreeDataProvider<Node>,
  lineOf: LineOf = withIcon,
): Promise<string> {
  const below = async (node: Node | undefined, indent: string): Promise<string[]> => {
    const lines: string[] = [];
    for (const child of (await provider.getChildren(node)) ?? []) {
      lines.push(indent + lineOf(await provider.getTreeItem(child)));
      lines.push(...(await below(child, `${indent}  `)));
    }
    return lines;
  };
  return (await below(undefined, '')).join('\n');
}

/** `[icon] label (description)`. */
export function withIcon(item: vscode.TreeItem): string {
  const description = descriptionOf(item);
  return `[${iconOf(item)}] ${labelOf(item)}${description === '' ? '' : ` (${description})`}`;
}

/** `label description`. */
export function withoutIcon(item: vscode.TreeItem): string {
  return `${labelOf(item)} ${descriptionOf(item)}`.trimEnd();
}

function labelOf({ label }: vscode.TreeItem): string {
  return typeof label === 'string' ? label : (label?.label ?? '');
}

function descriptionOf({ description }: vscode.TreeItem): string {
  return typeof description === 'string' ? description : '';
}

/** The name of its codicon. */
function iconOf({ iconPath }: vscode.TreeItem): string {
  return typeof iconPath === 'object' && 'id' in iconPath ? iconPath.id : '';
}
