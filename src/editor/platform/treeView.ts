/** A tree view of VS Code and the event that redraws it. Each view adds its nodes and how they are drawn. */
import type * as vscode from 'vscode';
import { DisposableStore } from './disposableStore.ts';

export type TreeViewOptions = Omit<vscode.TreeViewOptions<unknown>, 'treeDataProvider'>;

export abstract class TreeView<Node> implements vscode.TreeDataProvider<Node> {
  protected readonly api: typeof vscode;
  /** Holds what ends with the view. */
  protected readonly store = new DisposableStore();
  readonly #changed: vscode.EventEmitter<Node | undefined>;
  readonly onDidChangeTreeData: vscode.Event<Node | undefined>;
  readonly view: vscode.TreeView<Node>;

  /** `id` is the view's in package.json. VS Code asks for nodes later, when the view is seen. */
  constructor(api: typeof vscode, id: string, options: TreeViewOptions = {}) {
    this.api = api;
    this.#changed = this.store.add(new api.EventEmitter<Node | undefined>());
    this.onDidChangeTreeData = this.#changed.event;
    this.view = this.store.add(api.window.createTreeView<Node>(id, { ...options, treeDataProvider: this }));
  }

  abstract getChildren(node?: Node): vscode.ProviderResult<Node[]>;

  abstract getTreeItem(node: Node): vscode.TreeItem;

  dispose(): void {
    this.store.dispose();
  }

  /** Has VS Code redraw one node, or all of them. */
  protected redraw(node?: Node): void {
    this.#changed.fire(node);
  }

  protected icon([name, color]: readonly [name: string, color?: string | undefined]): vscode.ThemeIcon {
    return new this.api.ThemeIcon(name, color === undefined ? undefined : new this.api.ThemeColor(color));
  }
}
