/** What `test.sh` printed in the last run, as a read-only document of its own. */
import type * as vscode from 'vscode';
import type { OpenTask } from './openTask.ts';
import { shortId } from './statusText.ts';
import type { TaskState } from './taskState.ts';
import { didRun } from './verdictWords.ts';

const SCHEME = 'repair-bench-output';
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const CONTROLS = /[^\P{Cc}\t\n]/gu;

export class OutputDocuments implements vscode.TextDocumentContentProvider {
  readonly #api: typeof vscode;
  readonly #changed: vscode.EventEmitter<vscode.Uri>;
  readonly #texts = new Map<string, string>();
  readonly onDidChange: vscode.Event<vscode.Uri>;

  constructor(api: typeof vscode) {
    this.#api = api;
    this.#changed = new api.EventEmitter<vscode.Uri>();
    this.onDidChange = this.#changed.event;
  }

  register(): vscode.Disposable {
    return this.#api.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ?? this.#api.l10n.t('This run is not known any more. Verify again.')
    );
  }

  async show(task: OpenTask): Promise<void> {
    const { Uri, workspace, window, ViewColumn } = this.#api;
    const uri = Uri.from({
      scheme: SCHEME,
      authority: Buffer.from(task.folder).toString('hex'),
      path: `/${shortId(task.state.taskId)} output.log`,
    });
    this.#texts.set(uri.toString(), outputText(task.state, this.#api.l10n.t));
    this.#changed.fire(uri);
    await window.showTextDocument(await workspace.openTextDocument(uri), {
      viewColumn: ViewColumn.One,
      preview: true,
    });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#texts.clear();
  }
}

/** The document's text. */
export function outputText(state: TaskState, t: (message: string, ...args: number[]) => string): string {
  const verdict = state.run?.verdict;
  if (!verdict) return t('Nothing has run yet.');
  if (!didRun(verdict)) return [verdict.message, verdict.detail ?? '', verdict.nextStep].join('\n\n');
  const { text, omitted } = verdict.output;
  const plain = plainOutput(text);
  if (omitted > 0) return `${t('{0} bytes were left out of the middle.', omitted)}\n\n${plain}`;
  return plain === '' ? t('test.sh printed nothing.') : plain;
}

/** What a terminal acts on, as colours, links and cursors, means nothing in text; and task output must not act on one. */
export function plainOutput(text: string): string {
  return text.replace(ANSI, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}
