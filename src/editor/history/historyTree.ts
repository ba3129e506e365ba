/** The History view as a tree of plain nodes: the runs of one task, newest first. Pure; `historyView.ts` draws it. */
import { containerBasename, type ContainerPath } from '../../task/containerPath.ts';
import { outcomeState, passedGates } from '../../verifier/verdict/verdictFacts.ts';
import { gateStateWord, outcomeLabel } from '../../verifier/verdict/words.ts';
import { durationText } from '../../wording/durationText.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';
import type { FileDifference, GateChange, History, HistoryEntry } from '../../workspace/runs/history.ts';
import { fullOutcome } from '../verdict/fullOutcome.ts';
import { relativeTime } from '../platform/text/relativeTime.ts';
import type { RunIcon } from './runTree.ts';

/** What a click on a node shows. */
export type HistoryOpens =
  | { readonly shows: 'difference'; readonly path: ContainerPath }
  | { readonly shows: 'gate'; readonly line: number }
  | { readonly shows: 'output' };

export type HistoryIcon = RunIcon | 'file' | 'unknown';

export interface HistoryNode {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** The whole node in words, for screen readers. */
  readonly spoken: string;
  readonly icon: HistoryIcon;
  /** For menus: a node with `run-kept` can be compared, and a person can go back to its solution. */
  readonly context: 'run' | 'run-kept' | 'detail';
  readonly children: readonly HistoryNode[];
  /** The run that this node shows or belongs to; undefined for a note about the list. */
  readonly run: HistoryEntry | undefined;
  readonly opens?: HistoryOpens;
}

export function historyTree(history: History, now: Date, t: Translate): readonly HistoryNode[] {
  return [
    ...history.entries.map((entry) => runNode(entry, now, t)),
    ...(history.damaged.length === 0 ? [] : [damagedNode(history.damaged, t)]),
  ];
}

function runNode(entry: HistoryEntry, now: Date, t: Translate): HistoryNode {
  const { record, kept } = entry;
  const { verdict } = record;
  const gates = passedGates(verdict);
  const outcome = outcomeLabel(verdict, t);
  const when = relativeTime(record.at, now, t);
  const marks = [
    ...(record.subject === 'gold' ? [t('gold')] : record.subject === 'starter' ? [t('starter')] : []),
    ...(record.startedBy === 'agent' ? [t('by an agent')] : []),
  ];
  return {
    id: entry.id,
    label: joined([outcome, gates.total === 0 ? '' : t('{0}/{1} gates', gates.passed, gates.total)]),
    description: joined([when, countsText(entry.files), ...marks]),
    tooltip: tooltip(entry, t),
    spoken: joined(
      [
        outcome,
        gates.total === 0 ? '' : t('{0} of {1} gates passed', gates.passed, gates.total),
        when,
        ...marks,
        changesInWords(entry, t),
      ],
      ', ',
    ),
    icon: outcomeState(verdict),
    context: kept ? 'run-kept' : 'run',
    children: [
      ...entry.gates.map((turn) => gateNode(entry, turn, t)),
      ...fileNodes(entry, t),
      detail(entry, 'output', t('Output of test.sh'), 'output', { opens: { shows: 'output' } }),
    ],
    run: entry,
  };
}

function gateNode(entry: HistoryEntry, { id, title, from, to }: GateChange, t: Translate): HistoryNode {
  const was = from === undefined ? t('new') : t('was: {0}', gateStateWord(from, t));
  const word = gateStateWord(to, t);
  const line = entry.record.verdict.gates.find((gate) => gate.id === id)?.line;
  return detail(entry, `gate:${id}`, title, to, {
    description: joined([word, was]),
    spoken: [t('Gate {0}', title), word, was].join(', '),
    ...(line === undefined ? {} : { opens: { shows: 'gate', line } }),
  });
}

function fileNodes(entry: HistoryEntry, t: Translate): readonly HistoryNode[] {
  const { files } = entry;
  if (!files || files.length === 0)
    return [detail(entry, 'files', changesInWords(entry, t), files ? 'file' : 'unknown', {})];
  return files.map((file) => {
    const name = containerBasename(file.path);
    const word = changeWord(file.change, t);
    return detail(entry, `file:${file.path}`, name, 'file', {
      description: joined([word, linesText(file.lines)]),
      tooltip: file.path,
      spoken: joined([file.path, word, linesInWords(file.lines, t)], ', '),
      ...(entry.kept ? { opens: { shows: 'difference', path: file.path } } : {}),
    });
  });
}

function detail(
  entry: HistoryEntry,
  id: string,
  label: string,
  icon: HistoryIcon,
  parts: Partial<HistoryNode>,
): HistoryNode {
  const { description = '' } = parts;
  return {
    id: `${entry.id}:${id}`,
    label,
    icon,
    description,
    tooltip: label,
    spoken: description === '' ? label : `${label}, ${description}`,
    context: 'detail',
    children: [],
    run: entry,
    ...parts,
  };
}

function damagedNode(damaged: readonly string[], t: Translate): HistoryNode {
  const label =
    damaged.length === 1 ? t('1 run file is damaged') : t('{0} run files are damaged', damaged.length);
  return {
    id: 'damaged',
    label,
    description: '',
    tooltip: [t('They were edited, cut short, or written by a newer version.'), ...damaged.slice(0, 10)].join(
      '\n',
    ),
    spoken: label,
    icon: 'warning',
    context: 'detail',
    children: [],
    run: undefined,
  };
}

function tooltip({ record, files, kept }: HistoryEntry, t: Translate): string {
  const { verdict } = record;
  const took = verdict.clocks.verify;
  const time = took === undefined ? '' : durationText(took);
  return joined(
    [
      fullOutcome(verdict, t),
      joined([new Date(record.at).toLocaleString(), record.runtime.name, time]),
      record.startedBy === 'agent' ? t('Started by an agent.') : '',
      kept ? '' : t('The solution of this run was not kept, so you cannot compare it or go back to it.'),
      ...(files ?? []).map(({ path, change, lines }) =>
        joined([path, changeWord(change, t), linesText(lines)], ' '),
      ),
    ],
    '\n',
  );
}

/** Lines added and removed since the run before, such as `+3 −1`; empty when the change is not known or there is none. */
function countsText(files: readonly FileDifference[] | undefined): string {
  return files && files.length > 0 ? linesText(sumOf(files)) : '';
}

function sumOf(files: readonly FileDifference[]): { readonly added: number; readonly removed: number } {
  const sum = (side: 'added' | 'removed'): number =>
    files.reduce((total, { lines }) => total + (lines?.[side] ?? 0), 0);
  return { added: sum('added'), removed: sum('removed') };
}

function linesText(lines: FileDifference['lines']): string {
  return lines ? `+${lines.added} −${lines.removed}` : '';
}

function linesInWords(lines: FileDifference['lines'], t: Translate): string {
  if (!lines) return '';
  return lines.added === 1
    ? t('1 line added, {0} removed', lines.removed)
    : t('{0} lines added, {1} removed', lines.added, lines.removed);
}

function changesInWords({ files, before }: HistoryEntry, t: Translate): string {
  if (!files) return t('No comparison: the earlier solution was not kept');
  if (files.length > 0) return linesInWords(sumOf(files), t);
  return before === undefined ? t('Unchanged from the starter') : t('Same solution as the run before');
}

function changeWord(change: FileDifference['change'], t: Translate): string {
  switch (change) {
    case 'changed':
      return t('changed');
    case 'added':
      return t('added');
    case 'deleted':
      return t('deleted');
  }
}
