/** One run of a history as lines of text for a person. Pure. */
import { containerBasename } from '../../task/containerPath.ts';
import type { RanVerdict } from '../../verifier/verdict/verdict.ts';
import { passedGates } from '../../verifier/verdict/verdictFacts.ts';
import { gateStateWord, outcomeWords } from '../../verifier/verdict/words.ts';
import { joined } from '../../wording/joinWords.ts';
import { inEnglish } from '../../wording/translate.ts';
import type { FileDifference, GateChange, HistoryEntry } from '../../workspace/runs/history.ts';
import type { TerminalStyle } from '../terminal/terminalStyle.ts';
import { marked, outcomeColour, stateMark } from '../terminal/marks.ts';
import { hang, oneLine } from '../terminal/textLayout.ts';

const INDENT = '    ';

/** When, what it came to, who started it; below it what changed since the run before. */
export function renderRun({ record, files, gates, kept }: HistoryEntry, style: TerminalStyle): string[] {
  const { verdict } = record;
  const { passed, total } = passedGates(verdict);
  const facts = [
    style.paint(outcomeColour(verdict), outcomeText(verdict)),
    total === 0 ? '' : `${passed}/${total} gates`,
    record.subject === 'solution' ? '' : `the ${record.subject}`,
    oneLine(record.runtime.name),
    record.startedBy === 'agent' ? 'started by an agent' : '',
  ];
  return [
    `${timeText(record.at)}  ${joined(facts, ` ${style.symbols.dot} `)}`,
    ...hang(INDENT, changesText(files, kept), style.width).map((line) => style.paint('dim', line)),
    ...gates.flatMap((turn) => turnLines(turn, style)),
  ];
}

function outcomeText(verdict: RanVerdict): string {
  const words = outcomeWords(verdict, inEnglish);
  return verdict.outcome === 'unscored' ? `${words} (${verdict.reason})` : words;
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

function turnLines({ title, from, to }: GateChange, style: TerminalStyle): string[] {
  const was = from === undefined ? 'new' : `was: ${gateStateWord(from, inEnglish)}`;
  return marked(
    stateMark(to, style),
    `${oneLine(title)}: ${gateStateWord(to, inEnglish)} (${was})`,
    style,
    INDENT,
  );
}
