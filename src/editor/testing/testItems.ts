/** The items of the Testing view: made from trees of plain nodes, kept while their ids stay, deleted with their workspace. */
import type * as vscode from 'vscode';
import { testFilesOf } from '../../verifier/plan/testFiles.ts';
import type { TestCase } from '../../verifier/verdict/verdict.ts';
import { LastDrawn } from '../platform/lastDrawn.ts';
import type { OpenTask } from '../task/openTask.ts';
import { placeUris, type UriOf } from '../task/taskUri.ts';
import { plainLabel } from '../platform/text/plainText.ts';
import { spoilerOf } from '../files/spoilers.ts';
import type { ShownTest, TestRunReport } from './testRunReport.ts';
import {
  caseResult,
  type TestNode,
  type TestPlace,
  type TestResult,
  testTree,
  type TestTreeContext,
} from './testTree.ts';
import { readableText } from '../platform/text/textEncoding.ts';

/** The task and the node that an item shows. */
export interface TestSubject {
  readonly task: OpenTask;
  readonly node: TestNode;
}

export class TestItems {
  readonly #api: typeof vscode;
  readonly #controller: vscode.TestController;
  readonly #verifyTag: vscode.TestTag;
  readonly #trialTag: vscode.TestTag;
  readonly #subjects = new WeakMap<vscode.TestItem, TestSubject>();
  readonly #drawn = new LastDrawn<OpenTask>();

  constructor(
    api: typeof vscode,
    controller: vscode.TestController,
    tags: { readonly verify: vscode.TestTag; readonly trial: vscode.TestTag },
  ) {
    this.#api = api;
    this.#controller = controller;
    this.#verifyTag = tags.verify;
    this.#trialTag = tags.trial;
  }

  of(item: vscode.TestItem): TestSubject | undefined {
    return this.#subjects.get(item);
  }

  itemOf(task: OpenTask): vscode.TestItem | undefined {
    return this.#controller.items.get(task.folder);
  }

  /** Draws the items of a task anew where they differ; a task whose workspace is gone has none. */
  async draw(task: OpenTask, described: ReadonlyMap<string, string>): Promise<void> {
    const uriOf = await placeUris(this.#api, task);
    if (task.state.gone === true) {
      this.#controller.items.delete(task.folder);
      this.#drawn.forget(task);
      return;
    }
    const tree = this.#treeOf(task, described);
    if (!this.#drawn.changed(task, tree) && this.itemOf(task)) return;
    this.#put(this.#controller.items, tree, task, uriOf);
  }

  /** The item and all items below it, from the top down, with their nodes. */
  below(item: vscode.TestItem): readonly ShownTest[] {
    const subject = this.#subjects.get(item);
    return [
      ...(subject ? [{ item, node: subject.node }] : []),
      ...childrenOf(item).flatMap((child) => this.below(child)),
    ];
  }

  /** The item that shows `node` now. */
  find(task: OpenTask, node: TestNode): vscode.TestItem | undefined {
    const item = this.itemOf(task);
    return item && this.below(item).find((shown) => shown.node.id === node.id)?.item;
  }

  /** Gives a result to a test run, with its messages at their places. */
  async report(
    task: OpenTask,
    report: TestRunReport,
    item: vscode.TestItem,
    result: TestResult,
  ): Promise<void> {
    const uriOf = await placeUris(this.#api, task);
    report.result(item, result, ({ place }) => {
      if (place?.line === undefined) return undefined;
      const at = new this.#api.Position(place.line - 1, 0);
      return new this.#api.Location(uriOf(place), at);
    });
  }

  /** The result of a case in a report, with the places that the person may see. */
  caseResult(task: OpenTask, testCase: TestCase): TestResult {
    return caseResult(testCase, this.#context(task));
  }

  #treeOf(task: OpenTask, described: ReadonlyMap<string, string>): TestNode {
    return withDescriptions(testTree(task.state, this.#context(task)), described);
  }

  #context(task: OpenTask): TestTreeContext {
    const { files, family } = task.workspace.task;
    return {
      t: this.#api.l10n.t,
      firstFile: family.solution[0]?.path,
      tests: testFilesOf(task.workspace.task),
      textOf: (path) => {
        const spoiler = spoilerOf(path);
        const file = files.get(path);
        if (!file || (spoiler !== undefined && !task.isRevealed(spoiler))) return undefined;
        return readableText(file.bytes);
      },
    };
  }

  #put(into: vscode.TestItemCollection, node: TestNode, task: OpenTask, uriOf: UriOf): void {
    // Names of tests and commands come from the task.
    const label = plainLabel(node.label);
    const uri = node.place && uriOf(node.place);
    const known = into.get(node.id);
    // The file of an item cannot be changed.
    const kept = known?.uri?.toString() === uri?.toString() ? known : undefined;
    const item = kept ?? this.#controller.createTestItem(node.id, label, uri);
    item.label = label;
    item.description = node.description;
    item.range = node.place && this.#rangeOf(node.place);
    item.tags = node.id === task.folder ? [this.#verifyTag] : node.trial ? [this.#trialTag] : [];
    this.#subjects.set(item, { task, node });
    for (const { id } of childrenOf(item))
      if (!node.children.some((child) => child.id === id)) item.children.delete(id);
    node.children.forEach((child, index) => {
      this.#put(item.children, child, task, uriOf);
      const put = item.children.get(child.id);
      if (put) put.sortText = String(index).padStart(6, '0');
    });
    if (!kept) into.add(item);
  }

  #rangeOf({ line, endLine }: TestPlace): vscode.Range | undefined {
    if (line === undefined) return undefined;
    return new this.#api.Range(line - 1, 0, (endLine ?? line) - 1, 0);
  }
}

function withDescriptions(node: TestNode, described: ReadonlyMap<string, string>): TestNode {
  const description = described.get(node.id) ?? node.description;
  return { ...node, description, children: node.children.map((child) => withDescriptions(child, described)) };
}

function childrenOf(item: vscode.TestItem): vscode.TestItem[] {
  const children: vscode.TestItem[] = [];
  item.children.forEach((child) => children.push(child));
  return children;
}
