/** Text of a task's files. Files keep their bytes; text is only for reading. */
import { bytesText } from '../wording/bytesText.ts';

/** UTF-8 (a byte order mark is dropped) where it is valid, else Latin-1, which every byte sequence is. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** The most of an instruction that is shown, in bytes. */
const MOST_INSTRUCTION_BYTES = 1024 * 1024;

/**
 * An instruction as the solver sees it: leading canary lines (`<!-- …canary… -->`, `# …canary…`) dropped as Harbor does,
 * and no more than {@link MOST_INSTRUCTION_BYTES}; a line at the end says so when something was left out.
 */
export function instructionText(bytes: Uint8Array): string {
  const text = withoutCanary(decodeStart(bytes));
  const left = bytes.length - MOST_INSTRUCTION_BYTES;
  return left > 0
    ? `${text}\n\n(The rest of the instruction is not shown: another ${bytesText(left)}.)\n`
    : text;
}

function decodeStart(bytes: Uint8Array): string {
  const start = bytes.subarray(0, MOST_INSTRUCTION_BYTES);
  try {
    // A character that the limit cuts in two is dropped, so that it does not count as bad bytes.
    return new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: start.length < bytes.length });
  } catch {
    return Buffer.from(start).toString('latin1');
  }
}

function withoutCanary(text: string): string {
  let rest = text;
  for (;;) {
    const trimmed = rest.trimStart();
    const end = trimmed.startsWith('<!--') ? trimmed.indexOf('-->') : -1;
    const length = end >= 0 ? end + 3 : trimmed.startsWith('#') ? lineLength(trimmed) : 0;
    if (length === 0 || !/canary/i.test(trimmed.slice(0, length))) return rest;
    rest = trimmed.slice(length).replace(/^[ \t]*\r?\n/, '');
  }
}

function lineLength(text: string): number {
  const end = text.indexOf('\n');
  return end < 0 ? text.length : end;
}
