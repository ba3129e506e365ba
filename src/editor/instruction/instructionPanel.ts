/** The instruction beside the code: one panel per task, restored with the window, driven by messages. */
import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';
import { isContainerPath } from '../../task/containerPath.ts';
import { parseFromPanel, type FromPanel, type PanelAction, type ToPanel } from '../../webview/messages.ts';
import type { CurrentTask } from '../task/currentTask.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { instructionHtml } from './instructionHtml.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import { panelState } from './panelState.ts';
import type { SettingsWatch } from '../platform/settings.ts';
import type { TaskContext } from '../task/taskContext.ts';
import { shortId } from '../task/taskName.ts';
import { spoilerOf } from '../files/spoilers.ts';
import type { CommandId } from '../platform/commands/commandArguments.ts';
import { runCommand } from '../platform/commands/commandTable.ts';

const VIEW_TYPE = 'repairBench.instruction';

const COMMAND_OF = {
  verify: 'repairBench.verify',
  cancel: 'repairBench.cancelRun',
  compare: 'repairBench.compareWithStarter',
  reset: 'repairBench.resetToStarter',
  showTestScript: 'repairBench.showTestScript',
  openSolution: 'repairBench.openSolution',
} as const satisfies Readonly<Record<PanelAction, CommandId>>;

export class InstructionPanels implements vscode.WebviewPanelSerializer {
  readonly #api: typeof vscode;
  readonly #extensionUri: vscode.Uri;
  readonly #settings: SettingsWatch;
  readonly #tasks: OpenTasks;
  readonly #current: CurrentTask;
  readonly #store = new DisposableStore();
  readonly #panels = new Map<OpenTask, vscode.WebviewPanel>();

  constructor({ api, extension, settings, tasks, current }: TaskContext) {
    this.#api = api;
    this.#extensionUri = extension.extensionUri;
    this.#settings = settings;
    this.#tasks = tasks;
    this.#current = current;
    this.#store.add(api.window.registerWebviewPanelSerializer(VIEW_TYPE, this));
    this.#store.add(tasks.onDidChange((task) => this.#postState(task)));
  }

  /** Shows the instruction beside the code, without taking the focus. */
  async show(task: OpenTask): Promise<void> {
    const known = this.#panels.get(task);
    if (known) {
      known.reveal(undefined, true);
      return;
    }
    const { ViewColumn, window } = this.#api;
    const panel = window.createWebviewPanel(
      VIEW_TYPE,
      shortId(task.state.taskId),
      { viewColumn: this.#columnOfOthers() ?? ViewColumn.Beside, preserveFocus: true },
      this.#options(),
    );
    await this.#fill(panel, task);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const folder = folderIn(state);
    const task = folder === undefined ? undefined : await this.#tasks.load(folder).catch(() => undefined);
    // A workspace that is gone has no instruction to show.
    if (!task || this.#panels.has(task)) panel.dispose();
    else await this.#fill(panel, task);
  }

  dispose(): void {
    for (const panel of this.#panels.values()) panel.dispose();
    this.#store.dispose();
  }

  #options(): vscode.WebviewOptions & vscode.WebviewPanelOptions {
    const { joinPath } = this.#api.Uri;
    return {
      enableScripts: true,
      enableCommandUris: false,
      enableFindWidget: true,
      localResourceRoots: [
        joinPath(this.#extensionUri, 'media'),
        joinPath(this.#extensionUri, 'dist', 'webview'),
      ],
    };
  }

  async #fill(panel: vscode.WebviewPanel, task: OpenTask): Promise<void> {
    this.#panels.set(task, panel);
    const { joinPath } = this.#api.Uri;
    const icon = joinPath(this.#extensionUri, 'media', 'instruction.svg');
    panel.iconPath = icon;
    panel.webview.options = this.#options();
    panel.onDidDispose(() => {
      if (this.#panels.get(task) === panel) this.#panels.delete(task);
    });
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#current.set(task);
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const parsed = parseFromPanel(message);
      if (parsed) void this.#receive(task, parsed);
    });
    panel.webview.html = await this.#page(panel.webview, task);
  }

  async #page(webview: vscode.Webview, task: OpenTask): Promise<string> {
    const { env, l10n, Uri } = this.#api;
    const { renderMarkdown, imageDataUri } = await import('./safeMarkdown.ts');
    const { task: parsed } = task.workspace;
    const { remoteImages } = this.#settings.current;
    const markdown =
      parsed.instruction &&
      renderMarkdown(parsed.instruction, {
        remoteImages,
        imageOf: (path) => {
          const file = spoilerOf(path) === undefined ? parsed.files.get(path) : undefined;
          return file && imageDataUri(path, file.bytes);
        },
        blockedImage: (alt) =>
          alt === '' ? l10n.t('[image not shown]') : l10n.t('[image not shown: {0}]', alt),
      });
    const uri = (...path: string[]): string =>
      webview.asWebviewUri(Uri.joinPath(this.#extensionUri, ...path)).toString();
    return instructionHtml({
      task: parsed,
      folder: task.folder,
      markdown,
      remoteImages,
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('hex'),
      scriptUri: uri('dist', 'webview', 'instruction.js'),
      styleUri: uri('media', 'instruction.css'),
      language: env.language,
      t: l10n.t,
    });
  }

  async #receive(task: OpenTask, message: FromPanel): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#postState(task);
        return;
      case 'action':
        await runCommand(this.#api, COMMAND_OF[message.action], task.folder);
        return;
      case 'openFile':
        if (isContainerPath(message.path))
          await runCommand(this.#api, 'repairBench.openSolution', task.folder, message.path);
        return;
    }
  }

  #postState(task: OpenTask): void {
    const message: ToPanel = { type: 'state', state: panelState(task.state, this.#api.l10n.t) };
    void this.#panels.get(task)?.webview.postMessage(message);
  }

  /** All instructions share one editor group, so that opening ten tasks does not split the window ten times. */
  #columnOfOthers(): vscode.ViewColumn | undefined {
    for (const panel of this.#panels.values()) if (panel.viewColumn !== undefined) return panel.viewColumn;
    return undefined;
  }
}

/** Another version may have written the stored state, so it is parsed. */
function folderIn(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('folder' in state)) return undefined;
  return typeof state.folder === 'string' ? state.folder : undefined;
}
