/** Marks that show a state in front of lines. Pure. */
import type { GateState, TestCase, Verdict } from '../../verifier/verdict/verdict.ts';
import type { Colour, TerminalStyle } from './terminalStyle.ts';
import { hang, oneLine } from './textLayout.ts';

export interface Mark {
  readonly mark: string;
  readonly colour: Colour;
}

export function stateMark(state: GateState | TestCase['state'], { symbols }: TerminalStyle): Mark {
  switch (state) {
    case 'passed':
      return { mark: symbols.passed, colour: 'green' };
    case 'failed':
      return { mark: symbols.failed, colour: 'red' };
    case 'errored':
      return { mark: symbols.attention, colour: 'yellow' };
    case 'not-reached':
    case 'skipped':
      return { mark: symbols.notReached, colour: 'dim' };
  }
}

/** The colour of what came of a run; a part of the reward is yellow. */
export function outcomeColour(verdict: Verdict): Colour {
  switch (verdict.outcome) {
    case 'scored':
      return verdict.reward >= 1 ? 'green' : verdict.reward > 0 ? 'yellow' : 'red';
    case 'unscored':
    case 'no-verifier':
    case 'cancelled':
      return 'yellow';
    case 'engine-error':
      return 'red';
  }
}

/** `text` wrapped behind a mark of this colour, all of it behind `indent`. */
export function marked({ mark, colour }: Mark, text: string, style: TerminalStyle, indent = ''): string[] {
  const before = indent + mark;
  return hang(`${before} `, oneLine(text), style.width).map((line, index) =>
    index === 0 ? indent + style.paint(colour, mark) + line.slice(before.length) : line,
  );
}
