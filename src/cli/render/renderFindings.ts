/** What the doctor found, as lines for a terminal: the state in words, then what to do. Pure. */
import { type Finding, type FindingState, stateWords, summaryWords } from '../../doctor/finding.ts';
import type { Remedy } from '../../fault/remedy.ts';
import { inEnglish } from '../../wording/translate.ts';
import type { Look } from '../terminal/look.ts';
import { type Mark, marked } from '../terminal/marks.ts';
import { remedyAndLine } from '../failures/remedyWords.ts';
import { hang, oneLine } from '../terminal/textLayout.ts';

const INDENT = '    ';

export function renderFindings(findings: readonly Finding[], look: Look): string[] {
  const summary = summaryWords(findings, inEnglish);
  return [...findings.flatMap((each) => lines(each, look)), '', look.paint('bold', summary)];
}

function lines({ title, state, says, details, remedies }: Finding, look: Look): string[] {
  return [
    ...marked(markOf(state, look), `${title}, ${stateWords(state, inEnglish)}: ${says}`, look),
    ...details.flatMap((detail) =>
      hang(INDENT, oneLine(detail), look.width).map((line) => look.paint('dim', line)),
    ),
    ...remedies.flatMap((remedy) => remedyLines(remedy, look)),
  ];
}

/** A command stands on a line of its own, unbroken, to be copied. */
function remedyLines(remedy: Remedy, look: Look): string[] {
  const { message, command } = remedyAndLine(remedy, 'doctor');
  return [
    ...hang(`${INDENT}Fix: `, oneLine(message), look.width),
    ...(command === null ? [] : [`${INDENT}     ${look.paint('cyan', `$ ${oneLine(command)}`)}`]),
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
