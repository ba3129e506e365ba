/** The History view: the runs of the current task. It reads the disk only while it is visible. */
import type * as vscode from 'vscode';
import type { History, HistoryCache } from '../../workspace/runs/history.ts';
import type { CurrentTask } from '../task/currentTask.ts';
import { FoldedRefresh } from '../platform/foldedRefresh.ts';
import { historyTree, type HistoryIcon, type HistoryNode } from './historyTree.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import { RUN_ICONS } from './runView.ts';
import { shortId } from '../task/taskName.ts';
import { commandLink } from '../platform/commands/commandTable.ts';
import { TreeView } from '../platform/treeView.ts';

/** The command line lists more. */
const MOST_SHOWN = 200;
const TICK_MS = 30_000;
const OTHER_ICONS = { file: ['file'], unknown: ['question'] } as const;

export class HistoryView extends TreeView<HistoryNode> {
  readonly #current: CurrentTask;
  readonly #failed: (error: unknown) => void;
  #task: OpenTask | undefined;
  #shown: { readonly task: OpenTask; readonly history: History } | undefined;
  #known: { readonly task: OpenTask; readonly history: HistoryCache } | undefined;
  readonly #reading = new FoldedRefresh(() => this.#readOnce().catch(this.#failed));
  #roots: readonly HistoryNode[] = [];

  constructor(api: typeof vscode, tasks: OpenTasks, current: CurrentTask, failed: (error: unknown) => void) {
    super(api, 'repairBench.history', { canSelectMany: true });
    this.#current = current;
    this.#failed = failed;
    this.store.add(
      current.onDidChange((task) => {
        if (task === this.#task) return;
        this.#task = task;
        void this.refresh();
      }),
    );
    this.store.add(
      tasks.onDidChangeRuns((task) => {
        if (task === current.task) void this.refresh();
      }),
    );
    this.store.add(
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible) void this.refresh();
      }),
    );
    // Redraws, so that "2 min ago" does not stay for an hour.
    const tick = setInterval(() => {
      if (this.view.visible) this.#draw();
    }, TICK_MS);
    this.store.add({ dispose: () => clearInterval(tick) });
  }

  getChildren(node?: HistoryNode): HistoryNode[] {
    return [...(node ? node.children : this.#roots)];
  }

  getTreeItem(node: HistoryNode): vscode.TreeItem {
    const { api } = this;
    const states = api.TreeItemCollapsibleState;
    const item = new api.TreeItem(node.label, node.children.length === 0 ? states.None : states.Collapsed);
    const folder = this.#shown?.task.folder;
    item.id = `${folder ?? ''}:${node.id}`;
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.iconPath = this.icon(iconOf(node.icon));
    item.accessibilityInformation = { label: node.spoken };
    item.contextValue = node.context;
    if (node.opens && node.run)
      item.command = commandLink(
        'repairBench.openHistoryNode',
        api.l10n.t('Open'),
        { run: { id: node.run.id } },
        node.opens,
      );
    return item;
  }

  /** The task whose history is shown, and what is shown of it. */
  get shown(): { readonly task: OpenTask; readonly history: History } | undefined {
    return this.#shown;
  }

  /** The history of a task as it is on disk, also while the view is hidden. */
  async read(task: OpenTask): Promise<History> {
    const { HistoryCache, readHistory } = await import('../../workspace/runs/history.ts');
    if (this.#known?.task !== task) this.#known = { task, history: new HistoryCache() };
    return readHistory(task.workspace, MOST_SHOWN, this.#known.history);
  }

  /** Reads the history again if the view is visible. Calls during a reading are folded into one more. */
  refresh(): Promise<void> {
    return this.#reading.run();
  }

  async #readOnce(): Promise<void> {
    const { task } = this.#current;
    if (!task || !this.view.visible) {
      // The view still shows another task.
      if (task !== this.#shown?.task) this.#show(undefined);
      return;
    }
    const history = await this.read(task);
    if (task === this.#current.task) this.#show({ task, history });
    else void this.refresh();
  }

  #show(shown: { readonly task: OpenTask; readonly history: History } | undefined): void {
    this.#shown = shown;
    this.#draw();
  }

  #draw(): void {
    const { l10n } = this.api;
    this.#roots = this.#shown ? historyTree(this.#shown.history, new Date(), l10n.t) : [];
    this.view.description = this.#shown ? shortId(this.#shown.task.state.taskId) : '';
    this.redraw();
  }
}

function iconOf(icon: HistoryIcon): readonly [icon: string, color?: string] {
  return icon === 'file' || icon === 'unknown' ? OTHER_ICONS[icon] : RUN_ICONS[icon];
}
