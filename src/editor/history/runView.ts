/** The Run view: the last run of the current task. */
import type * as vscode from 'vscode';
import type { CurrentTask } from '../task/currentTask.ts';
import { TreeView } from '../platform/treeView.ts';
import { nodeToSelect, runTree, type RunIcon, type RunNode } from './runTree.ts';
import { shortId } from '../task/taskName.ts';
import { commandLink } from '../platform/commands/commandTable.ts';

/** How each state is drawn: a codicon and its colour. */
export const RUN_ICONS: Readonly<Record<RunIcon, readonly [icon: string, color?: string]>> = {
  passed: ['pass', 'testing.iconPassed'],
  failed: ['error', 'testing.iconFailed'],
  errored: ['warning', 'testing.iconErrored'],
  'not-reached': ['circle-outline', 'testing.iconSkipped'],
  skipped: ['debug-step-over', 'testing.iconSkipped'],
  running: ['loading~spin'],
  outdated: ['history'],
  unchanged: ['dash'],
  warning: ['warning', 'list.warningForeground'],
  clock: ['clock'],
  runtime: ['vm'],
  output: ['output'],
  'next-step': ['lightbulb'],
};

export class RunView extends TreeView<RunNode> {
  readonly #current: CurrentTask;
  #roots: readonly RunNode[] = [];
  readonly #parents = new Map<RunNode, RunNode>();

  constructor(api: typeof vscode, current: CurrentTask) {
    super(api, 'repairBench.run');
    this.#current = current;
    this.store.add(current.onDidChange(() => this.#draw()));
    this.#draw();
  }

  getChildren(node?: RunNode): RunNode[] {
    return [...(node ? node.children : this.#roots)];
  }

  getParent(node: RunNode): RunNode | undefined {
    return this.#parents.get(node);
  }

  getTreeItem(node: RunNode): vscode.TreeItem {
    const { api } = this;
    const states = api.TreeItemCollapsibleState;
    const state =
      node.children.length === 0 ? states.None : node.expanded ? states.Expanded : states.Collapsed;
    const item = new api.TreeItem(node.label, state);
    const [icon, color] = RUN_ICONS[node.icon];
    item.id = `${this.#current.task?.folder ?? ''}:${node.id}`;
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.iconPath = this.icon([icon, node.dimmed ? undefined : color]);
    item.accessibilityInformation = { label: node.spoken };
    item.contextValue = node.id.split(':', 1)[0] ?? '';
    const folder = this.#current.task?.folder;
    if (node.opens && folder !== undefined)
      item.command = commandLink('repairBench.openTaskFile', api.l10n.t('Open'), folder, node.opens);
    return item;
  }

  /** Marks the gate that decided; never opens the view and never takes the focus. */
  async selectDecisive(): Promise<void> {
    const state = this.#current.task?.state;
    if (!state || !this.view.visible) return;
    const id = nodeToSelect(state);
    const node = this.#roots.find((root) => root.id === id);
    if (node) await this.view.reveal(node, { select: true, focus: false });
  }

  #draw(): void {
    const state = this.#current.task?.state;
    this.#roots = state ? runTree(state, this.api.l10n.t) : [];
    this.#parents.clear();
    for (const root of this.#roots) for (const child of root.children) this.#parents.set(child, root);
    this.view.description = state ? shortId(state.taskId) : '';
    this.redraw();
  }
}
