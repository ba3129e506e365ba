/** How output looks on one terminal: width, colour, and which characters it can show. Facts come in, so that it is pure. */

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

export interface TerminalStyle {
  /** Columns that lines are wrapped to. */
  readonly width: number;
  readonly symbols: Symbols;
  readonly paint: (colour: Colour, text: string) => string;
}

export interface Symbols {
  readonly passed: string;
  readonly failed: string;
  readonly notReached: string;
  readonly attention: string;
  readonly dot: string;
  readonly decisive: string;
  readonly ellipsis: string;
}

const UNICODE: Symbols = {
  passed: '✓',
  failed: '✗',
  notReached: '○',
  attention: '!',
  dot: '·',
  decisive: '◀',
  ellipsis: '…',
};
const ASCII: Symbols = {
  passed: '+',
  failed: 'x',
  notReached: 'o',
  attention: '!',
  dot: '-',
  decisive: '<',
  ellipsis: '...',
};
const CODES: Readonly<Record<Colour, readonly [on: number, off: number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export interface StreamFacts {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const DEFAULT_WIDTH = 100;
const LEAST_WIDTH = 40;
const MOST_WIDTH = 140;

export function styleOf(
  stream: StreamFacts,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): TerminalStyle {
  return plainStyle({
    width:
      stream.isTTY === true ? Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, columnsOf(stream))) : DEFAULT_WIDTH,
    colour: wantsColour(stream, env),
    unicode: showsUnicode(env, platform),
  });
}

export function plainStyle(facts: { width: number; colour: boolean; unicode: boolean }): TerminalStyle {
  return {
    width: facts.width,
    symbols: facts.unicode ? UNICODE : ASCII,
    paint: (colour, text) => {
      const [on, off] = CODES[colour];
      return facts.colour && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
    },
  };
}

/** A terminal that does not know its size says 0. */
function columnsOf({ columns }: StreamFacts): number {
  return columns === undefined || columns === 0 ? DEFAULT_WIDTH : columns;
}

/** https://no-color.org and https://force-color.org; set to anything but the empty string. */
function wantsColour(stream: StreamFacts, env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false;
  return stream.isTTY === true;
}

/** POSIX: the first of the three that is set names the encoding. Without any the locale is "C", which is ASCII. */
function showsUnicode(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] !== undefined;
  if (platform === 'darwin') return true;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  );
  return locale !== undefined && /utf-?8/i.test(locale);
}
