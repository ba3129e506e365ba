/** The sign in front of a line that says how something stands, and the lines behind it. Pure. */
import type { GateState, TestCase } from '../verifier/verdict.ts';
import type { Colour, Look } from './look.ts';
import { hang, oneLine } from './textLayout.ts';

export interface Mark {
  readonly mark: string;
  readonly colour: Colour;
}

export function stateMark(state: GateState | TestCase['state'], { symbols }: Look): Mark {
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

/** `text` wrapped behind a mark of this colour, all of it behind `indent`. */
export function marked({ mark, colour }: Mark, text: string, look: Look, indent = ''): string[] {
  const before = indent + mark;
  return hang(`${before} `, oneLine(text), look.width).map((line, index) =>
    index === 0 ? indent + look.paint(colour, mark) + line.slice(before.length) : line,
  );
}
