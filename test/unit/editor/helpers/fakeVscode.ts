// A small `vscode` for tests of what is drawn: it keeps what it was given, and says when something was drawn again.
import type * as vscode from 'vscode';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { createTestController } from './fakeTesting.ts';
import * as values from './fakeValues.ts';

/** A tree view, as far as its provider has to do with it. */
export interface FakeTreeView {
  readonly id: string;
  description: string | undefined;
  readonly isDisposed: boolean;
  /** Nodes that VS Code was asked to draw again, in order; undefined: the whole tree. */
  readonly redrawn: unknown[];
  /** Nodes that VS Code was asked to show. */
  readonly revealed: unknown[];
  /** Opens or hides the view. */
  see(visible: boolean): void;
}

/** A collection of problems. */
export interface FakeProblems {
  /** `set <file>` and `delete <file>`, in order. */
  readonly calls: string[];
  /** By the URI of their file. */
  readonly shown: ReadonlyMap<string, readonly vscode.Diagnostic[]>;
  readonly isDisposed: boolean;
}

export interface FakeVscode {
  readonly api: typeof vscode;
  readonly trees: readonly FakeTreeView[];
  readonly problems: readonly FakeProblems[];
}

export function fakeVscode(): FakeVscode {
  const trees: FakeTreeView[] = [];
  const problems: FakeProblems[] = [];
  /** An event that never fires. */
  const event = () => new values.EventEmitter<unknown>().event;
  const api = {
    ...values,
    TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    TestRunProfileKind: { Run: 1, Debug: 2, Coverage: 3 },
    l10n: { t: inEnglish },
    window: {
      activeTextEditor: undefined,
      visibleTextEditors: [],
      onDidChangeActiveTextEditor: event(),
      onDidChangeWindowState: event(),
      withProgress: (_options: unknown, work: () => Thenable<unknown>) => work(),
      createTreeView: (id: string, options: vscode.TreeViewOptions<unknown>) => {
        const tree = new TreeView(id, options.treeDataProvider);
        trees.push(tree);
        return tree;
      },
    },
    workspace: {
      isTrusted: true,
      getConfiguration: () => new Map(),
      textDocuments: [],
      onDidChangeTextDocument: event(),
      onDidSaveTextDocument: event(),
      onDidCloseTextDocument: event(),
      onDidCreateFiles: event(),
      onDidDeleteFiles: event(),
      onDidRenameFiles: event(),
    },
    languages: {
      createDiagnosticCollection: () => {
        const collection = new Problems();
        problems.push(collection);
        return collection;
      },
    },
    tests: { createTestController },
  };
  return {
    // What is not here is used by nothing that a test draws; a test that needs more fails where it is missing.
    api: api as unknown as typeof vscode,
    trees,
    problems,
  };
}

class TreeView implements FakeTreeView {
  readonly id: string;
  readonly redrawn: unknown[] = [];
  readonly revealed: unknown[] = [];
  readonly #visibility = new values.EventEmitter<{ readonly visible: boolean }>();
  readonly onDidChangeVisibility = this.#visibility.event;
  description: string | undefined;
  visible = false;
  isDisposed = false;

  constructor(id: string, provider: vscode.TreeDataProvider<unknown>) {
    this.id = id;
    provider.onDidChangeTreeData?.((node) => this.redrawn.push(node));
  }

  see(visible: boolean): void {
    this.visible = visible;
    this.#visibility.fire({ visible });
  }

  async reveal(node: unknown): Promise<void> {
    this.revealed.push(node);
  }

  dispose(): void {
    this.isDisposed = true;
    this.#visibility.dispose();
  }
}

class Problems implements FakeProblems {
  readonly calls: string[] = [];
  readonly shown = new Map<string, readonly vscode.Diagnostic[]>();
  isDisposed = false;

  set(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): void {
    this.calls.push(`set ${nameOf(uri)}`);
    this.shown.set(uri.toString(), diagnostics);
  }

  delete(uri: vscode.Uri): void {
    this.calls.push(`delete ${nameOf(uri)}`);
    this.shown.delete(uri.toString());
  }

  dispose(): void {
    this.isDisposed = true;
    this.shown.clear();
  }
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
