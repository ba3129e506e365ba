/** The Run view: the last run of the current task. */
import type * as vscode from 'vscode';
import type { CurrentTask } from '../task/currentTask.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
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

export class RunView implements vscode.TreeDataProvider<RunNode> {
  readonly #api: typeof vscode;
  readonly #current: CurrentTask;
  readonly #store = new DisposableStore();
  readonly #changed: vscode.EventEmitter<RunNode | undefined>;
  readonly onDidChangeTreeData: vscode.Event<RunNode | undefined>;
  readonly view: vscode.TreeView<RunNode>;
  #roots: readonly RunNode[] = [];
  readonly #parents = new Map<RunNode, RunNode>();

  constructor(api: typeof vscode, current: CurrentTask) {
    this.#api = api;
    this.#current = current;
    this.#changed = this.#store.add(new api.EventEmitter<RunNode | undefined>());
    this.onDidChangeTreeData = this.#changed.event;
    this.view = this.#store.add(
      api.window.createTreeView<RunNode>('repairBench.run', { treeDataProvider: this }),
    );
    this.#store.add(current.onDidChange(() => this.#draw()));
    this.#draw();
  }

  getChildren(node?: RunNode): RunNode[] {
    return [...(node ? node.children : this.#roots)];
  }

  getParent(node: RunNode): RunNode | undefined {
    return this.#parents.get(node);
  }

  getTreeItem(node: RunNode): vscode.TreeItem {
    const api = this.#api;
    const states = api.TreeItemCollapsibleState;
    const state =
      node.children.length === 0 ? states.None : node.expanded ? states.Expanded : states.Collapsed;
    const item = new api.TreeItem(node.label, state);
    const [icon, color] = RUN_ICONS[node.icon];
    item.id = `${this.#current.task?.folder ?? ''}:${node.id}`;
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.iconPath = new api.ThemeIcon(icon, color && !node.dimmed ? new api.ThemeColor(color) : undefined);
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

  /** The view as text, one line a node: for tests. */
  render(): string {
    const lines = (nodes: readonly RunNode[], indent: string): string[] =>
      nodes.flatMap((node) => [
        `${indent}[${node.icon}] ${node.label}${node.description === '' ? '' : ` (${node.description})`}`,
        ...lines(node.children, `${indent}  `),
      ]);
    return [this.view.description ?? '', ...lines(this.#roots, '')].join('\n').trim();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #draw(): void {
    const state = this.#current.task?.state;
    this.#roots = state ? runTree(state, this.#api.l10n.t) : [];
    this.#parents.clear();
    for (const root of this.#roots) for (const child of root.children) this.#parents.set(child, root);
    this.view.description = state ? shortId(state.taskId) : '';
    this.#changed.fire(undefined);
  }
}
