// The items of the Testing view as text, one line an item.
import type * as vscode from 'vscode';

/** `label (description) file:line`. */
export function renderTestItems(items: vscode.TestItemCollection, indent = ''): string {
  const lines: string[] = [];
  items.forEach((item) => {
    const place = item.uri ? item.uri.path.slice(item.uri.path.lastIndexOf('/') + 1) : '';
    const line = item.range ? `:${item.range.start.line + 1}` : '';
    lines.push(`${indent}${item.label} (${item.description ?? ''}) ${place}${line}`.trimEnd());
    if (item.children.size > 0) lines.push(renderTestItems(item.children, `${indent}  `));
  });
  return lines.join('\n');
}
