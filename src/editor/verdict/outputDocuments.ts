/** What `test.sh` printed in a run, as a read-only document of its own. */
import type * as vscode from 'vscode';
import type { RanVerdict, Verdict } from '../../verifier/verdict/verdict.ts';
import type { HistoryEntry } from '../../workspace/runs/history.ts';
import type { RunRecord } from '../../workspace/runs/runs.ts';
import { fullOutcome } from './fullOutcome.ts';
import type { OpenTask } from '../task/openTask.ts';
import { plainOutput } from '../platform/text/plainText.ts';
import { remedyWords } from '../platform/remedyWords.ts';
import { shortId } from '../task/taskName.ts';
import type { TaskState } from '../task/taskState.ts';
import { authorityOf } from '../task/taskUri.ts';
import { bytesText } from '../../wording/bytesText.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';
import { gateStateWord } from '../../verifier/verdict/words.ts';

const SCHEME = 'repair-bench-output';

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
      this.#texts.get(uri.toString()) ?? this.#api.l10n.t('The output of this run is gone. Verify again.')
    );
  }

  async show(task: OpenTask): Promise<void> {
    const path = `/${shortId(task.state.taskId)} output.log`;
    await this.#show(task, path, outputText(task.state, this.#api.l10n.t));
  }

  /** Shows an earlier run: its outcome, gate by gate, and what `test.sh` printed. */
  async showRun(task: OpenTask, { id, record }: Pick<HistoryEntry, 'id' | 'record'>): Promise<void> {
    // The tab shows only the name; the folder before it keeps apart runs that ended in the same second.
    const path = `/${id}/${shortId(task.state.taskId)} ${id.slice(0, 19)}.log`;
    await this.#show(task, path, runText(record, this.#api.l10n.t));
  }

  dispose(): void {
    this.#changed.dispose();
    this.#texts.clear();
  }

  async #show(task: OpenTask, path: string, text: string): Promise<void> {
    const { Uri, workspace, window, ViewColumn } = this.#api;
    const uri = Uri.from({ scheme: SCHEME, authority: authorityOf(task.folder), path });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    await window.showTextDocument(await workspace.openTextDocument(uri), {
      viewColumn: ViewColumn.One,
      preview: true,
    });
  }
}

/** The document's text. */
export function outputText(state: TaskState, t: Translate): string {
  const verdict = state.run?.verdict;
  return verdict ? verdictOutput(verdict, t) : t('Nothing has run yet.');
}

/** What `test.sh` printed in one run, or why it did not run. */
export function verdictOutput(verdict: Verdict, t: Translate): string {
  switch (verdict.outcome) {
    case 'cancelled':
      return t('The run was cancelled.');
    case 'no-verifier':
      return joined([verdict.message, remedyWords(verdict.remedies, t)], '\n\n');
    case 'engine-error':
      return joined([verdict.message, verdict.detail, remedyWords(verdict.remedies, t)], '\n\n');
    case 'scored':
    case 'unscored':
      return printedText(verdict.output, t);
  }
}

function printedText({ text, omitted }: RanVerdict['output'], t: Translate): string {
  const plain = plainOutput(text);
  if (omitted > 0) return `${t('Left out of the middle: {0}.', bytesText(omitted, t))}\n\n${plain}`;
  return plain === '' ? t('test.sh printed nothing.') : plain;
}

/** A run of the history as a document. */
export function runText({ at, verdict, runtime, startedBy }: RunRecord, t: Translate): string {
  const by = startedBy === 'agent' ? [t('Started by an agent.')] : [];
  const { gates } = verdict;
  return [
    joined([new Date(at).toLocaleString(), runtime.name]),
    fullOutcome(verdict, t),
    ...by,
    '',
    ...gates.map(({ state, title, line }) => `${gateStateWord(state, t)}: ${title} (test.sh:${line})`),
    ...(gates.length === 0 ? [] : ['']),
    verdictOutput(verdict, t),
  ].join('\n');
}
