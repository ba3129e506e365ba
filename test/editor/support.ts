// What the tests inside VS Code share: the extension's own API, settings, tasks to open, and waiting for a condition.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/editor/extensionApi.ts';

const EXTENSION_ID = 'repair-bench.repair-bench';
const PATIENCE_MS = 30_000;

/** Where the sources are; this file itself is in a bundle somewhere else. */
export const ROOT = process.env['REPAIR_BENCH_ROOT'] ?? '';

/** The dataset of fixtures: a folder of task folders. */
export const FIXTURES = join(ROOT, 'test/fixtures/tasks');

export const SANDBOX = { runtime: 'sandbox' } as const;
export const DOCKER = {
  runtime: 'docker',
  images: {
    'python:3.10-slim': 'repair-bench-test/base:bookworm',
    'ubuntu:22.04': 'repair-bench-test/base:bookworm',
  },
} as const;

export async function activated(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>(EXTENSION_ID);
  assert.ok(extension, `${EXTENSION_ID} is not installed`);
  return extension.activate();
}

type Settings = Readonly<Record<string, unknown>>;

/** Names of the settings that the tests of this file have set. */
const changed = new Set<string>();

/** Sets settings of the extension for this user; `undefined` puts back the default. */
export async function configure(settings: Settings): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    changed.add(name);
    await vscode.workspace
      .getConfiguration('repairBench')
      .update(name, value, vscode.ConfigurationTarget.Global);
  }
}

/** Puts back every setting that the tests of this file have set. */
export async function putBackSettings(): Promise<void> {
  await configure(Object.fromEntries([...changed].map((name) => [name, undefined])));
  changed.clear();
}

/** For a suite: sets these settings before its tests, and puts back after them whatever was set. */
export function withSettings(settings: Settings = {}): void {
  before(() => configure(settings));
  after(putBackSettings);
}

/** Makes workspaces in a folder of their own from here on, so that no other test has worked in them. */
export async function freshWorkspaces(): Promise<{ end(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-fresh-'));
  await configure({ workspaceFolder: folder });
  return {
    end: async () => {
      await configure({ workspaceFolder: undefined });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until `condition` gives something true, and gives that. */
export async function until<T>(what: string, condition: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`Waited ${PATIENCE_MS / 1000} s in vain until ${what}`);
    await delay(20);
  }
}

/** The row of a fixture in the dataset of fixtures. */
export async function rowOf(api: ExtensionApi, task: string): Promise<number> {
  const line = await until(`the Tasks view shows ${task}`, async () =>
    (await api.tasksView()).split('\n').find((each) => each.trim().startsWith(`${task} `)),
  );
  return Number(/#(\d+)/.exec(line)?.[1]);
}

/** Opens a fixture as a person does, and waits until its solution is in an editor. */
export async function openFixture(api: ExtensionApi, task: string): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand('repairBench.openAsDataset', vscode.Uri.file(FIXTURES));
  await vscode.commands.executeCommand('repairBench.openTask', FIXTURES, await rowOf(api, task));
  return until(`${task} is in an editor`, () => {
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.scheme === 'file' && document.uri.fsPath.includes(`${task}-`),
    );
    return api.state()?.taskId === task ? editor : undefined;
  });
}

/** Replaces `before` with `after` in the editor, as typing does. */
export async function edit(editor: vscode.TextEditor, before: string, after: string): Promise<void> {
  const { document } = editor;
  const start = document.getText().indexOf(before);
  assert.notEqual(start, -1, `${document.uri.fsPath} does not contain ${JSON.stringify(before)}`);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
  assert.ok(await editor.edit((builder) => builder.replace(range, after)));
}

/** All problems of a file as text, one line each with its related places, in order. */
export function problemsText(uri: vscode.Uri): string {
  return vscode.languages
    .getDiagnostics(uri)
    .map(({ severity, range, message, source, code, relatedInformation }) => {
      const at = `${range.start.line + 1}:${range.start.character + 1}`;
      const kind = vscode.DiagnosticSeverity[severity];
      const related = (relatedInformation ?? []).map(
        ({ location, message: said }) =>
          `\n  ${location.uri.scheme}:${location.uri.path.replace(/^.*?\/(work|tests|environment)\//, '$1/')}:${location.range.start.line + 1} ${said}`,
      );
      return `${kind} ${at} [${source} ${String(code)}] ${message}${related.join('')}`;
    })
    .join('\n');
}

export function assertIncludes(text: string, part: string): void {
  assert.ok(text.includes(part), `Expected ${JSON.stringify(part)} in:\n${text}`);
}

/** Replaces the whole text of an editor. */
export async function replaceAll(editor: vscode.TextEditor, text: string): Promise<void> {
  const { document } = editor;
  const all = new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  assert.ok(await editor.edit((builder) => builder.replace(all, text)));
}

/** Closes every editor, unsaved ones too. */
export async function closeAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments)
    if (document.isDirty && document.uri.scheme === 'file') await document.save();
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** A dataset of one task, written out as a folder; `files` by their path in the task. */
export async function taskFolder(
  id: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-dataset-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, id, path)), { recursive: true });
    await writeFile(join(folder, id, path), content);
  }
  return folder;
}

/** A BugsInPy-like task whose verifier is `script`. */
export function taskWithScript(script: string): Readonly<Record<string, string>> {
  return {
    'instruction.md': '# Repair\n',
    'environment/Dockerfile': 'FROM python:3.10-slim\nWORKDIR /app\nCOPY solution.py /app/solution.py\n',
    'environment/solution.py': 'x = 1\n',
    'tests/test.sh': script,
    'task.toml': '[verifier]\ntimeout_sec = 120.0\n',
  };
}

/** Opens the first row of a dataset. */
export async function openFirstRow(api: ExtensionApi, dataset: string): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand('repairBench.openAsDataset', vscode.Uri.file(dataset));
  await vscode.commands.executeCommand('repairBench.openTask', dataset, 0);
  return until('the task is in an editor', () => {
    const folder = api.state()?.folder;
    return vscode.window.visibleTextEditors.find(
      ({ document }) => folder !== undefined && document.uri.fsPath.startsWith(folder),
    );
  });
}

/** Opens a task whose verifier is `script`. */
export async function openScript(
  api: ExtensionApi,
  task: string,
  script: string,
): Promise<vscode.TextEditor> {
  return openFirstRow(api, await taskFolder(task, taskWithScript(script)));
}

/** Puts `stand` in the place of a function of `vscode.window`; the result puts the function back. */
export function replaced(
  name: keyof typeof vscode.window & `${'show' | 'with' | 'create'}${string}`,
  stand: unknown,
): () => void {
  const original: unknown = vscode.window[name];
  Reflect.set(vscode.window, name, stand);
  return () => {
    Reflect.set(vscode.window, name, original);
  };
}

/** Answers the next messages with buttons: the labels in `answers`, in order. Returns what was said. */
export function answerMessages(...answers: readonly string[]): { readonly said: string[]; dispose(): void } {
  const said: string[] = [];
  const left = [...answers];
  const answer = async (message: string): Promise<string | undefined> => {
    said.push(message);
    return left.shift();
  };
  const names = ['showErrorMessage', 'showWarningMessage', 'showInformationMessage'] as const;
  const undo = names.map((name) => replaced(name, answer));
  return { said, dispose: () => undo.forEach((each) => each()) };
}

/** Does `work` while messages are answered as {@link answerMessages} does. Returns what was said. */
export async function answering(
  answers: readonly string[],
  work: (said: readonly string[]) => Promise<unknown> | Thenable<unknown>,
): Promise<readonly string[]> {
  const messages = answerMessages(...answers);
  try {
    await work(messages.said);
    return messages.said;
  } finally {
    messages.dispose();
  }
}

/** Runs or debugs the test at a 0-based line, as its menu in the gutter does, and waits until there is a test run of it. */
export async function runAtCursor(
  api: ExtensionApi,
  command: 'testing.runAtCursor' | 'testing.debugAtCursor',
  { document, viewColumn }: vscode.TextEditor,
  line: number,
): Promise<void> {
  const before = api.testRuns().at(-1);
  // VS Code says nothing when it does not know the item of the test yet.
  await until('there is another test run', async () => {
    const editor = await vscode.window.showTextDocument(document, viewColumn);
    editor.selection = new vscode.Selection(line, 0, line, 0);
    void vscode.commands.executeCommand(command);
    const giveUp = Date.now() + 5_000;
    while (api.testRuns().at(-1) === before && Date.now() < giveUp) await delay(20);
    return api.testRuns().at(-1) !== before;
  });
}
