/** The solution as the person sees it: the text of unsaved editors, and the files on disk. */
import type * as vscode from 'vscode';
import type { ContainerPath } from '../../task/containerPath.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { TaskWorkspace } from '../../workspace/taskWorkspace.ts';

/** Reads it. @throws WorkspaceError when the folder is gone or holds something that cannot be part of a solution. */
export async function readSolutionNow(api: typeof vscode, workspace: TaskWorkspace): Promise<SolutionState> {
  const [{ readSolution }, { readFacts }, { containerPathOf }] = await Promise.all([
    import('../../workspace/readSolution.ts'),
    import('../../workspace/taskWorkspace.ts'),
    import('../../workspace/workPaths.ts'),
  ]);
  // A folder that was deleted would read as a solution whose files were all deleted.
  await readFacts(workspace.folder);
  const { files } = await readSolution(workspace);
  const now = new Map<ContainerPath, Uint8Array>(files);
  for (const document of api.workspace.textDocuments) {
    if (!document.isDirty || document.uri.scheme !== 'file') continue;
    const path = containerPathOf(workspace, document.uri.fsPath);
    if (path !== undefined && path !== '/') now.set(path, await bytesOf(api, document));
  }
  return { files: new Map([...now].sort(([left], [right]) => (left < right ? -1 : 1))) };
}

/** The bytes that saving the document would write. */
async function bytesOf(api: typeof vscode, document: vscode.TextDocument): Promise<Uint8Array> {
  const text = document.getText();
  return document.encoding === 'utf8'
    ? Buffer.from(text)
    : api.workspace.encode(text, { encoding: document.encoding });
}
