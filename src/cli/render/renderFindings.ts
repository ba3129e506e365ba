/** Renders the doctor's findings for a terminal. Pure. */
import { type Finding, type FindingState, stateWords, summaryWords } from '../../doctor/finding.ts';
import type { Remedy } from '../../fault/remedy.ts';
import { inEnglish } from '../../wording/translate.ts';
import type { TerminalStyle } from '../terminal/terminalStyle.ts';
import { type Mark, marked } from '../terminal/marks.ts';
import { remedyAndLine } from '../failures/remedyWords.ts';
import { hang, oneLine } from '../terminal/textLayout.ts';

const INDENT = '    ';

export function renderFindings(findings: readonly Finding[], style: TerminalStyle): string[] {
  const summary = summaryWords(findings, inEnglish);
  return [...findings.flatMap((each) => lines(each, style)), '', style.paint('bold', summary)];
}

function lines({ title, state, message, details, remedies }: Finding, style: TerminalStyle): string[] {
  return [
    ...marked(markOf(state, style), `${title}, ${stateWords(state, inEnglish)}: ${message}`, style),
    ...details.flatMap((detail) =>
      hang(INDENT, oneLine(detail), style.width).map((line) => style.paint('dim', line)),
    ),
    ...remedies.flatMap((remedy) => remedyLines(remedy, style)),
  ];
}

/** A command stands on a line of its own, unbroken, to be copied. */
function remedyLines(remedy: Remedy, style: TerminalStyle): string[] {
  const { message, command } = remedyAndLine(remedy, 'doctor');
  return [
    ...hang(`${INDENT}Fix: `, oneLine(message), style.width),
    ...(command === null ? [] : [`${INDENT}     ${style.paint('cyan', `$ ${oneLine(command)}`)}`]),
  ];
}

function markOf(state: FindingState, { symbols }: TerminalStyle): Mark {
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
