/** Resets the solution to the starter or to an earlier one, through the editor: undo works, open editors agree, every byte is right. */
import type * as vscode from 'vscode';
import type { ContainerPath } from '../../task/containerPath.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { OpenTask } from '../task/openTask.ts';
import { encodingToOpen } from '../platform/text/textEncoding.ts';
import { readSolutionNow } from '../task/solutionNow.ts';
import { textChange } from '../platform/text/textChange.ts';

/**
 * Resets every file that differs from its starter, unsaved changes included. Files that were deleted come back, files
 * that were added are deleted. Returns how many files were changed.
 */
export async function resetSolution(api: typeof vscode, task: OpenTask): Promise<number> {
  const { starterOf } = await import('../../verifier/plan/solution.ts');
  return (await replaceSolution(api, task, starterOf(task.workspace.task))).length;
}

/**
 * Replaces the solution by `target`, by the same rules: one edit that undo takes back, and every byte of `target` on disk.
 * Returns the container paths of the files that it wrote or deleted.
 */
export async function replaceSolution(
  api: typeof vscode,
  task: OpenTask,
  target: SolutionState,
): Promise<readonly ContainerPath[]> {
  const [{ planReplacement: planTowards }, { hostPathOf }] = await Promise.all([
    import('../../workspace/solutionStatus.ts'),
    import('../../workspace/workPaths.ts'),
  ]);
  const plan = planTowards(target, await readSolutionNow(api, task.workspace));
  const touched = [...plan.write.map(({ path }) => path), ...plan.delete];
  if (touched.length === 0) return touched;
  const edit = new api.WorkspaceEdit();
  const edited: Rewritten[] = [];
  for (const { path, bytes } of plan.write) {
    const uri = api.Uri.file(hostPathOf(task.workspace, path));
    const rewritten = (await exists(api, uri)) ? await rewrite(api, edit, uri, bytes) : undefined;
    if (rewritten) edited.push(rewritten);
    else edit.createFile(uri, { overwrite: true, contents: bytes });
  }
  for (const path of plan.delete)
    edit.deleteFile(api.Uri.file(hostPathOf(task.workspace, path)), { ignoreIfNotExists: true });
  if (!(await api.workspace.applyEdit(edit)))
    throw new Error(api.l10n.t('The editor refused to change the solution of {0}.', task.state.taskId));
  for (const rewritten of edited) await saveExactly(api, rewritten);
  await task.refresh();
  return touched;
}

interface Rewritten {
  readonly document: vscode.TextDocument;
  readonly bytes: Uint8Array;
}

/** Adds the edits that turn the document into `target`; undefined when it cannot hold such text. */
async function rewrite(
  api: typeof vscode,
  edit: vscode.WorkspaceEdit,
  uri: vscode.Uri,
  target: Uint8Array,
): Promise<Rewritten | undefined> {
  const document = await inEncodingOf(api, uri, target);
  if (!document) return undefined;
  const encoding = { encoding: document.encoding };
  const text = await api.workspace.decode(target, encoding);
  const edits: vscode.TextEdit[] = [];
  const eol = text.includes('\r\n') ? api.EndOfLine.CRLF : api.EndOfLine.LF;
  const current = document.getText();
  if (document.eol === eol) {
    const change = textChange(current, text);
    if (change)
      edits.push(
        new api.TextEdit(
          new api.Range(document.positionAt(change.start), document.positionAt(change.end)),
          change.text,
        ),
      );
  } else {
    const whole = new api.Range(document.positionAt(0), document.positionAt(current.length));
    edits.push(new api.TextEdit(whole, text), api.TextEdit.setEndOfLine(eol));
  }
  edit.set(uri, edits);
  return { document, bytes: target };
}

/** The document in the encoding that `target` needs, with its unsaved text; undefined when it cannot be opened so. */
async function inEncodingOf(
  api: typeof vscode,
  uri: vscode.Uri,
  target: Uint8Array,
): Promise<vscode.TextDocument | undefined> {
  try {
    const document = await api.workspace.openTextDocument(uri);
    const encoding = encodingToOpen(target);
    if (encoding === undefined || document.encoding === encoding) return document;
    // The encoding can be changed only on a document without unsaved text, and the reset drops that text anyway.
    if (document.isDirty && !(await document.save())) return undefined;
    return await api.workspace.openTextDocument(uri, { encoding });
  } catch {
    // The file on disk is not text.
    return undefined;
  }
}

/** Saves the document, or writes the bytes past it where no document can hold them (mixed line endings). */
async function saveExactly(api: typeof vscode, { document, bytes }: Rewritten): Promise<void> {
  await document.save();
  const saved = await api.workspace.fs.readFile(document.uri);
  if (Buffer.compare(saved, bytes) !== 0) await api.workspace.fs.writeFile(document.uri, bytes);
}

async function exists(api: typeof vscode, uri: vscode.Uri): Promise<boolean> {
  return api.workspace.fs.stat(uri).then(
    ({ type }) => type === api.FileType.File,
    () => false,
  );
}
