/** The Tasks view: datasets and their rows, drawn from the library and from the marks of their workspaces. */
import { basename, dirname } from 'node:path';
import type * as vscode from 'vscode';
import type { DatasetEntry, DatasetLibrary } from './datasetLibrary.ts';
import { messageOf } from '../platform/failureMessage.ts';
import type { MarkedRow, RowMarks } from './rowMarks.ts';
import { moreLabel, rowAppearance, rowPage, type RowPage } from './tasksTree.ts';
import { joined } from '../../wording/joinWords.ts';
import { shortened } from '../../wording/shortened.ts';
import type { Translate } from '../../wording/translate.ts';
import { commandLink } from '../platform/commands/commandTable.ts';
import { TreeView } from '../platform/treeView.ts';

const MOST_EXTRA = 200;

export type TasksNode =
  | { readonly kind: 'dataset'; readonly entry: DatasetEntry }
  | { readonly kind: 'row'; readonly entry: DatasetEntry; readonly row: number; readonly path: string }
  | { readonly kind: 'more'; readonly entry: DatasetEntry; readonly more: NonNullable<RowPage['more']> }
  | { readonly kind: 'note'; readonly entry: DatasetEntry; readonly text: string; readonly isError: boolean };

export class TasksView extends TreeView<TasksNode> {
  readonly #library: DatasetLibrary;
  readonly #marks: RowMarks;
  /** One node object per dataset, as VS Code knows nodes by identity. */
  readonly #nodes = new Map<DatasetEntry, TasksNode>();
  /** The nodes of drawn rows, so that one can be redrawn alone. */
  readonly #rowNodes = new Map<DatasetEntry, ReadonlyMap<number, TasksNode>>();

  constructor(api: typeof vscode, library: DatasetLibrary, marks: RowMarks) {
    super(api, 'repairBench.tasks', { showCollapseAll: true });
    this.#library = library;
    this.#marks = marks;
    this.store.add(library.onDidChange((entry) => this.redraw(entry && this.#nodes.get(entry))));
    this.store.add(marks.onDidChange((marked) => this.#drawMarks(marked)));
  }

  async getChildren(node?: TasksNode): Promise<TasksNode[]> {
    if (!node) return this.#library.entries.map((entry) => this.#nodeOf(entry));
    return node.kind === 'dataset' ? this.#rows(node.entry) : [];
  }

  getParent(node: TasksNode): TasksNode | undefined {
    return node.kind === 'dataset' ? undefined : this.#nodeOf(node.entry);
  }

  getTreeItem(node: TasksNode): vscode.TreeItem {
    switch (node.kind) {
      case 'dataset':
        return this.#datasetItem(node.entry);
      case 'row':
        return this.#rowItem(node);
      case 'more':
        return this.#moreItem(node);
      case 'note':
        return this.#noteItem(node);
    }
  }

  /** The columns of a row are read when a person points at it. */
  async resolveTreeItem(item: vscode.TreeItem, node: TasksNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'row' || node.entry.state.kind !== 'open') return item;
    const extras = await node.entry.state.dataset.extras(node.row).catch(() => ({}));
    const lines = Object.entries(extras).map(([name, value]) => `${name}: ${shown(value)}`);
    item.tooltip = [spokenOf(item) ?? node.path, ...lines].join('\n');
    return item;
  }

  get #t(): Translate {
    return this.api.l10n.t;
  }

  #nodeOf(entry: DatasetEntry): TasksNode {
    const node = this.#nodes.get(entry) ?? { kind: 'dataset', entry };
    this.#nodes.set(entry, node);
    return node;
  }

  async #rows(entry: DatasetEntry): Promise<TasksNode[]> {
    await this.#library.ensureOpen(entry);
    const { state } = entry;
    if (state.kind === 'failed')
      return [{ kind: 'note', entry, text: messageOf(state.error, this.#t), isError: true }];
    if (state.kind !== 'open') return [];
    await this.#marks.ready;
    const page = rowPage(state.paths, entry.filter, entry.shown);
    if (page.rows.length === 0) {
      const text = entry.filter === '' ? this.#t('No tasks') : this.#t('No task matches "{0}"', entry.filter);
      return [{ kind: 'note', entry, text, isError: false }];
    }
    const rows = page.rows.map(({ row, path }): Extract<TasksNode, { kind: 'row' }> => ({
      kind: 'row',
      entry,
      row,
      path,
    }));
    this.#rowNodes.set(entry, new Map(rows.map((node) => [node.row, node])));
    return page.more ? [...rows, { kind: 'more', entry, more: page.more }] : rows;
  }

  /** Redraws all rows, or only the one that changed: a row that is redrawn may lose a click on it. */
  #drawMarks(marked: MarkedRow | undefined): void {
    if (!marked) return this.redraw();
    for (const entry of this.#library.entries) {
      const node = basename(entry.location) === marked.dataset && this.#rowNodes.get(entry)?.get(marked.row);
      if (node) this.redraw(node);
    }
  }

  #datasetItem(entry: DatasetEntry): vscode.TreeItem {
    const { api } = this;
    const t = this.#t;
    const name = basename(entry.location);
    const item = new api.TreeItem(name, api.TreeItemCollapsibleState.Expanded);
    const tasks = entry.state.kind === 'open' ? entry.state.paths.length : undefined;
    const count = tasks === undefined ? '' : tasks === 1 ? t('1 task') : t('{0} tasks', tasks);
    const filter = entry.filter === '' ? '' : t('filter "{0}"', entry.filter);
    const failed = entry.state.kind === 'failed';
    item.id = entry.location;
    item.description = joined([count, filter]);
    item.tooltip = joined([entry.location, count], '\n');
    item.iconPath = this.icon([failed ? 'warning' : 'database']);
    item.contextValue = entry.filter === '' ? 'dataset' : 'dataset-filtered';
    item.accessibilityInformation = {
      label: [
        t('Dataset {0}', name),
        failed ? t('cannot be opened') : item.description,
        dirname(entry.location),
      ].join(', '),
    };
    return item;
  }

  #rowItem({ entry, row, path }: Extract<TasksNode, { kind: 'row' }>): vscode.TreeItem {
    const { api } = this;
    const mark = this.#marks.markOf(entry.location, row);
    const appearance = rowAppearance(row, path, mark, this.#t);
    const item = new api.TreeItem(appearance.label, api.TreeItemCollapsibleState.None);
    item.id = `${entry.location}#${row}`;
    item.description = appearance.description;
    item.iconPath = this.icon([appearance.icon, appearance.color]);
    item.contextValue = mark.goldFix === true ? 'row-gold' : 'row';
    item.accessibilityInformation = { label: appearance.spoken };
    item.command = commandLink('repairBench.openTask', this.#t('Open Task'), entry.location, row);
    return item;
  }

  #moreItem({ entry, more }: Extract<TasksNode, { kind: 'more' }>): vscode.TreeItem {
    const item = new this.api.TreeItem(moreLabel(more, this.#t));
    item.id = `${entry.location}#more`;
    item.iconPath = this.icon(['ellipsis']);
    item.command = commandLink('repairBench.showMoreTasks', this.#t('Show More Tasks'), entry.location);
    return item;
  }

  #noteItem({ entry, text, isError }: Extract<TasksNode, { kind: 'note' }>): vscode.TreeItem {
    const item = new this.api.TreeItem(text);
    item.id = `${entry.location}#note`;
    item.tooltip = text;
    item.iconPath = this.icon([isError ? 'error' : 'info']);
    item.accessibilityInformation = { label: isError ? this.#t('Error: {0}', text) : text };
    return item;
  }
}

function spokenOf(item: vscode.TreeItem): string | undefined {
  return item.accessibilityInformation?.label;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return shortened(text, MOST_EXTRA);
}
