/** What the doctor found, as lines for a terminal: the state in words, then what to do. Pure. */
import { type Finding, type FindingState, type Fix, stateWords, summaryWords } from '../doctor/finding.ts';
import { inEnglish } from '../wording/translate.ts';
import type { Look } from './look.ts';
import { type Mark, marked } from './marks.ts';
import { hang, oneLine } from './textLayout.ts';

const INDENT = '    ';

export function renderFindings(findings: readonly Finding[], look: Look): string[] {
  const summary = summaryWords(findings, inEnglish);
  return [...findings.flatMap((each) => lines(each, look)), '', look.paint('bold', summary)];
}

function lines({ title, state, says, details, fixes }: Finding, look: Look): string[] {
  return [
    ...marked(markOf(state, look), `${title}, ${stateWords(state, inEnglish)}: ${says}`, look),
    ...details.flatMap((detail) =>
      hang(INDENT, oneLine(detail), look.width).map((line) => look.paint('dim', line)),
    ),
    ...fixes.flatMap((fix) => fixLines(fix, look)),
  ];
}

/** A command stands on a line of its own, unbroken, to be copied. */
function fixLines(fix: Fix, look: Look): string[] {
  return [
    ...hang(`${INDENT}Fix: `, oneLine(fix.words), look.width),
    ...(fix.kind === 'type' ? [`${INDENT}     ${look.paint('cyan', `$ ${oneLine(fix.command)}`)}`] : []),
  ];
}

function markOf(state: FindingState, { symbols }: Look): Mark {
  switch (state) {
    case 'fine':
      return { mark: symbols.passed, colour: 'green' };
    case 'needs-care':
      return { mark: symbols.attention, colour: 'yellow' };
    case 'not-needed':
    case 'not-checked':
      return { mark: symbols.notReached, colour: 'dim' };
  }
}
