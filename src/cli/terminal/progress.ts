/** Progress on stderr: one changing line on a terminal, else a line per long phase, and none with `--json`. */
import type { Phase } from '../../runtime/runtime.ts';
import type { TerminalStyle } from './terminalStyle.ts';
import { phaseWords } from '../../verifier/verdict/words.ts';
import { durationText } from '../../wording/durationText.ts';
import { joined } from '../../wording/joinWords.ts';
import { inEnglish } from '../../wording/translate.ts';
import { cut, oneLine } from './textLayout.ts';

export interface Progress {
  phase(phase: Phase | 'runtime'): void;
  /** Something else than a phase of a run, such as a download; always worth a line. */
  doing(words: string): void;
  /** A line that the build or the engine printed. */
  log(line: string): void;
  /** Takes the changing line away, before anything else is printed. */
  clear(): void;
  /** As {@link clear}, and for good. */
  stop(): void;
}

export const SILENT: Progress = {
  phase: () => undefined,
  doing: () => undefined,
  log: () => undefined,
  clear: () => undefined,
  stop: () => undefined,
};

const REDRAW_MS = 200;

/** A line per phase that takes noticeable time; for logs. */
export function plainProgress(write: (text: string) => void): Progress {
  return {
    ...SILENT,
    phase: (phase) => {
      if (isWorthALine(phase)) write(`${phaseWords(phase, inEnglish)}\n`);
    },
    doing: (words) => {
      write(`${oneLine(words)}\n`);
    },
  };
}

/** One line, redrawn with the time it took so far and the last words of the build. */
export function liveProgress(
  write: (text: string) => void,
  style: TerminalStyle,
  now: () => number = () => performance.now(),
): Progress {
  let current: { readonly words: string; readonly since: number; last: string } | undefined;
  const draw = (): void => {
    if (!current) return;
    const time = durationText(now() - current.since);
    const text = joined([current.words, time, current.last], ` ${style.symbols.dot} `);
    write(`\r\u001b[2K${style.paint('dim', cut(text, style.width - 1, style.symbols.ellipsis))}`);
  };
  const clear = (): void => {
    if (current) write('\r\u001b[2K');
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  const doing = (words: string): void => {
    current = { words: oneLine(words), since: now(), last: '' };
    draw();
  };
  return {
    phase: (phase) => doing(phaseWords(phase, inEnglish)),
    doing,
    log: (line) => {
      if (current) current.last = oneLine(line);
    },
    clear,
    stop: () => {
      clearInterval(timer);
      clear();
      current = undefined;
    },
  };
}

function isWorthALine(phase: Phase | 'runtime'): boolean {
  return phase === 'build' || phase === 'oracle' || phase === 'verify';
}
