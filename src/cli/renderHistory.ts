/** One run of a history as lines of text for a person. Pure. */
import { containerBasename } from '../task/containerPath.ts';
import type { GateState } from '../verifier/verdict.ts';
import { didRun, passedGates, rewardText } from '../verifier/verdictFacts.ts';
import type { FileDifference, GateTurn, HistoryEntry } from '../workspace/history.ts';
import type { Colour, Look } from './look.ts';
import { marked, stateMark } from './marks.ts';
import { hang, oneLine } from './textLayout.ts';

const INDENT = '    ';

/** When, what it came to, who started it; below it what changed since the run before. */
export function renderRun({ record, files, gates, kept }: HistoryEntry, look: Look): string[] {
  const { verdict } = record;
  const [outcome, colour] = outcomeOf(verdict);
  const { passed, total } = didRun(verdict) ? passedGates(verdict) : { passed: 0, total: 0 };
  const facts = [
    ...(total === 0 ? [] : [`${passed}/${total} gates`]),
    ...(record.subject === 'solution' ? [] : [`the ${record.subject}`]),
    record.runtime.name,
    ...(record.startedBy === 'agent' ? ['started by an agent'] : []),
  ].map(oneLine);
  const { dot } = look.symbols;
  return [
    `${timeText(record.at)}  ${look.paint(colour, outcome)} ${dot} ${facts.join(` ${dot} `)}`,
    ...hang(INDENT, changesText(files, kept), look.width).map((line) => look.paint('dim', line)),
    ...gates.flatMap((turn) => turnLines(turn, look)),
  ];
}

function outcomeOf(verdict: HistoryEntry['record']['verdict']): readonly [string, Colour] {
  switch (verdict.outcome) {
    case 'scored':
      return [`reward ${rewardText(verdict.reward)}`, verdict.reward >= 1 ? 'green' : 'red'];
    case 'unscored':
      return [`no reward (${verdict.reason})`, 'yellow'];
    case 'engine-error':
      return ['could not run', 'yellow'];
    case 'cancelled':
      return ['cancelled', 'yellow'];
  }
}

/** In UTC, so that runs of different places sort by eye. */
function timeText(at: string): string {
  return `${oneLine(at).slice(0, 19).replace('T', ' ')}Z`;
}

function changesText(files: HistoryEntry['files'], kept: boolean): string {
  if (!files)
    return kept ? 'The solution of the run before was not kept.' : 'The solution of this run was not kept.';
  return files.length === 0 ? 'same solution' : files.map(fileText).join(', ');
}

function fileText({ path, change, lines }: FileDifference): string {
  const name = oneLine(containerBasename(path));
  const counts = lines ? `+${lines.added} -${lines.removed}` : 'not counted';
  return change === 'changed' ? `${name} ${counts}` : `${name} ${change} (${counts})`;
}

function turnLines({ title, from, to }: GateTurn, look: Look): string[] {
  const words: Readonly<Record<GateState, string>> = {
    passed: 'passed',
    failed: 'failed',
    errored: 'could not run',
    'not-reached': 'not reached',
  };
  const was = from === undefined ? 'new' : `was: ${words[from]}`;
  return marked(stateMark(to, look), `${oneLine(title)}: ${words[to]} (${was})`, look, INDENT);
}
