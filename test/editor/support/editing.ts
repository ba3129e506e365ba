// Text in editors: changed as typing changes it, taken back, and which editor is in front.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './until.ts';

/** Replaces `before`, where it stands first, with `after`. */
export async function replaceText(editor: vscode.TextEditor, before: string, after: string): Promise<void> {
  const { document } = editor;
  const start = document.getText().indexOf(before);
  assert.notEqual(start, -1, `${document.uri.fsPath} does not contain ${JSON.stringify(before)}`);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
  assert.ok(await editor.edit((builder) => builder.replace(range, after)));
}

/** Replaces all that is in an editor. */
export async function replaceWholeText(editor: vscode.TextEditor, text: string): Promise<void> {
  const { document } = editor;
  const all = new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  assert.ok(await editor.edit((builder) => builder.replace(all, text)));
}

/** Takes back the last change of a document, which must be in an editor: it gets the focus first, as undo asks for it. */
export async function undoIn(document: vscode.TextDocument): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  await vscode.window.showTextDocument(document, shown?.viewColumn);
  await inFront(`${document.uri.path} is in front`, (active) => active === document);
  const { version } = document;
  await vscode.commands.executeCommand('undo');
  await until(`${document.uri.path} has changed`, () => document.version !== version);
}

/** Waits until the document in the active editor is a certain one, and gives it. */
export async function inFront(
  what: string,
  isIt: (document: vscode.TextDocument) => boolean,
): Promise<vscode.TextDocument> {
  return until(what, () => {
    const active = vscode.window.activeTextEditor?.document;
    return active && isIt(active) ? active : undefined;
  });
}

/** Closes every editor, those with changes too. */
export async function closeAllEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments)
    if (document.isDirty && document.uri.scheme === 'file') await document.save();
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
