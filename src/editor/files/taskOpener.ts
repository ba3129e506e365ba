/** Opens files of a task: its solution for editing, the rest of it for reading. */
import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import { containerBasename, type ContainerPath } from '../../task/containerPath.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { Reveal } from './reveal.ts';
import { spoilerOf } from './spoilers.ts';
import { shortId } from '../task/taskName.ts';
import { STARTER_FOLDER, taskUriParts } from '../task/taskUri.ts';
import { encodingToOpen } from '../platform/text/textEncoding.ts';
import { workspaceGone } from '../task/workspaceGone.ts';
import { commandButton } from '../platform/commands/commandTable.ts';

/** A 1-based place in a file. */
export interface At {
  readonly line: number;
  readonly column?: number | undefined;
}

export class TaskOpener {
  readonly #api: typeof vscode;
  readonly #reveal: Reveal;

  constructor(api: typeof vscode, reveal: Reveal) {
    this.#api = api;
    this.#reveal = reveal;
  }

  /** Shows a file of the solution, the first one when none is named. */
  async openSolution(task: OpenTask, path?: ContainerPath, at?: At): Promise<vscode.TextEditor> {
    const uri = await this.solutionUri(task, path);
    const document = await this.#solutionDocument(task, uri);
    return this.#api.window.showTextDocument(document, {
      viewColumn: this.#columnOf(uri),
      preview: false,
      ...(at ? { selection: this.#selection(at) } : {}),
    });
  }

  /** Shows a file of the task as shipped; asks first when it is a spoiler. False: the person said no. */
  async openTaskFile(task: OpenTask, path: string, at?: At): Promise<boolean> {
    const spoiler = spoilerOf(path);
    if (spoiler && !(await this.#reveal.ask(task, spoiler))) return false;
    const file = task.workspace.task.files.get(path);
    if (!file)
      throw new UserFacingError(this.#api.l10n.t('{0} has no file {1}.', shortId(task.state.taskId), path));
    const uri = this.#api.Uri.from(taskUriParts(task.folder, task.state.taskId, path));
    const encoding = encodingToOpen(file.bytes);
    const document = await this.#api.workspace.openTextDocument(uri, encoding ? { encoding } : undefined);
    await this.#api.window.showTextDocument(document, {
      viewColumn: this.#columnOf(uri),
      preview: true,
      ...(at ? { selection: this.#selection(at) } : {}),
    });
    return true;
  }

  /** Compares a file of the solution with its starter. */
  async compareWithStarter(task: OpenTask, path?: ContainerPath): Promise<void> {
    const { l10n, Uri, commands } = this.#api;
    const container = path ?? firstFile(task, this.#api);
    const right = await this.solutionUri(task, container);
    await this.#solutionDocument(task, right);
    const left = Uri.from(taskUriParts(task.folder, task.state.taskId, `${STARTER_FOLDER}${container}`));
    const name = containerBasename(container);
    await commands.executeCommand('vscode.diff', left, right, l10n.t('{0}: Starter ↔ Solution', name), {
      viewColumn: this.#columnOf(right),
      preview: true,
    });
  }

  /** Where a file of the solution lies on disk. */
  async solutionUri(task: OpenTask, path?: ContainerPath): Promise<vscode.Uri> {
    const { hostPathOf } = await import('../../workspace/workPaths.ts');
    return this.#api.Uri.file(hostPathOf(task.workspace, path ?? firstFile(task, this.#api)));
  }

  /**
   * Opens a document of the solution in the encoding that loses no byte of it. One that is open in another encoding
   * and has no unsaved changes is read again.
   */
  async readInOwnEncoding(uri: vscode.Uri): Promise<vscode.TextDocument> {
    const { workspace } = this.#api;
    const encoding = encodingToOpen(await workspace.fs.readFile(uri));
    if (encoding === undefined) return workspace.openTextDocument(uri);
    const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (open && (open.encoding === encoding || open.isDirty)) return open;
    return workspace.openTextDocument(uri, { encoding });
  }

  async #solutionDocument(task: OpenTask, uri: vscode.Uri): Promise<vscode.TextDocument> {
    const { l10n, workspace } = this.#api;
    const exists = await workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (exists) return this.readInOwnEncoding(uri);
    const gone = await workspace.fs.stat(this.#api.Uri.file(task.folder)).then(
      () => false,
      () => true,
    );
    if (gone) throw workspaceGone(this.#api, task);
    throw new UserFacingError(
      l10n.t('{0} is not there: it was deleted or renamed. Reset brings the starter back.', uri.fsPath),
      commandButton(this.#api, 'repairBench.resetToStarter', l10n.t('Reset to Starter'), task.folder),
    );
  }

  /** The editor group where the file, or another file of the same folder, is shown; never the instruction's. */
  #columnOf(uri: vscode.Uri): vscode.ViewColumn {
    const { tabGroups } = this.#api.window;
    const isText = (tab: vscode.Tab): boolean => tab.input instanceof this.#api.TabInputText;
    const same = tabGroups.all.find((group) =>
      group.tabs.some(
        ({ input }) => input instanceof this.#api.TabInputText && input.uri.toString() === uri.toString(),
      ),
    );
    const near = tabGroups.all.find((group) =>
      group.tabs.some(
        ({ input }) =>
          input instanceof this.#api.TabInputText && dirname(input.uri.fsPath) === dirname(uri.fsPath),
      ),
    );
    const anyText = tabGroups.all.find((group) => group.tabs.some(isText));
    return (same ?? near ?? anyText)?.viewColumn ?? this.#api.ViewColumn.One;
  }

  #selection({ line, column }: At): vscode.Range {
    const at = new this.#api.Position(Math.max(0, line - 1), Math.max(0, (column ?? 1) - 1));
    return new this.#api.Range(at, at);
  }
}

function firstFile(task: OpenTask, api: typeof vscode): ContainerPath {
  const [first] = task.workspace.task.family.solution;
  if (first) return first.path;
  throw new UserFacingError(
    api.l10n.t(
      '{0} ships no file to edit. Create one under {1}, at its path in the container.',
      shortId(task.state.taskId),
      `${task.folder}/work`,
    ),
    commandButton(api, 'repairBench.showInstruction', api.l10n.t('Show Instruction'), task.folder),
  );
}
