/**
 * The parcel: what a run left behind, handed over by the verifier's own shell as it ends, in the output that is read
 * anyway. An engine may take a tenth of a second to open a container for one archive, and a parcel takes none.
 * It holds what the engine would give out, by the same rights as the verifier's; where there is the least doubt
 * (no GNU tar in the image, a name that was not asked for, a file that the verifier may not read, too much or too slow,
 * two parcels) there is none, and the engine is asked.
 * Whatever the shell has started can learn the mark and print: a parcel that was begun is a hint that the verifier has
 * ended, and only the exit code of the container says so.
 */
import { randomUUID } from 'node:crypto';
import { nestedPaths } from '../../collection.ts';

/** A command that hands over a parcel, and the mark by which it is known. */
export interface ParcelCommand {
  readonly command: readonly string[];
  readonly mark: string;
}

export interface Parcel {
  /** The verifier's exit code, as the parcel has it. */
  readonly code: number;
  /** All that was to be collected, with names from the root; undefined when it is not whole. */
  readonly archive: Buffer | undefined;
}

/** How long the shell takes at most from the first byte of a parcel to its own end, on a machine that is not stuck. */
export const HAND_OVER_MS = 10_000;
/** After so many seconds the shell goes without what it was to hand over. */
const PACKING_SECONDS = 5;
const MOST_BYTES = 4 * 1024 ** 2;
/** What comes with the archive: marks and exit codes. */
const MOST_AROUND = 1024;
/** Paths that a shell reads as one word. */
const PLAIN_PATH = /^\/[\w./-]+$/;

/**
 * Makes a shell hand over `paths` when it has done all that its text says.
 * @returns undefined when the command is no shell with a text of its own.
 */
export function withParcel(command: readonly string[], paths: readonly string[]): ParcelCommand | undefined {
  const [shell, flag, text, ...rest] = command;
  if (shell !== 'bash' || flag !== '-c' || text === undefined) return undefined;
  if (paths.length === 0 || !paths.every((path) => PLAIN_PATH.test(path))) return undefined;
  const mark = randomUUID();
  const nested = nestedPaths(paths);
  const names = paths.filter((path) => !nested.has(path)).map((path) => path.replace(/^\/+/, ''));
  const handOver = [
    'code=$?',
    `printf '\\n%s %s\\n' ${mark} "$code"`,
    // In the order in which an engine walks through a folder.
    `TAR_OPTIONS= command timeout -s KILL ${PACKING_SECONDS} tar --sort=name -C / -cf - -- ${names.join(' ')} 2>/dev/null | command head -c ${MOST_BYTES}`,
    `printf '\\n%s %s\\n' ${mark} "\${PIPESTATUS[*]}"`,
    'exit "$code"',
  ];
  return { command: [shell, flag, [text, ...handOver].join('\n'), ...rest], mark };
}

/** Takes the parcel out of what a command prints. */
export class ParcelReader {
  readonly #mark: Buffer;
  /** What may be the first bytes of the mark. */
  #held = Buffer.alloc(0);
  #inside: Buffer[] | undefined;
  #size = 0;

  constructor(mark: string) {
    this.#mark = Buffer.from(`\n${mark} `);
  }

  /** Whether the mark was read, whoever printed it. */
  get isBegun(): boolean {
    return this.#inside !== undefined;
  }

  /** Takes the next bytes of stdout; gives back those that are sure to be no part of a parcel. */
  push(chunk: Buffer): Buffer {
    if (this.#inside) {
      this.#keep(chunk);
      return Buffer.alloc(0);
    }
    const bytes = Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#mark);
    if (at < 0) {
      const sure = Math.max(0, bytes.length - this.#mark.length + 1);
      this.#held = bytes.subarray(sure);
      return bytes.subarray(0, sure);
    }
    this.#held = Buffer.alloc(0);
    this.#inside = [];
    this.#keep(bytes.subarray(at + this.#mark.length));
    return bytes.subarray(0, at);
  }

  /** Bytes that were held back and are no part of a parcel, once there are no more to come. */
  rest(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  /** The parcel, once there are no more bytes to come; undefined when none was begun. */
  parcel(): Parcel | undefined {
    if (!this.#inside) return undefined;
    const bytes = Buffer.concat(this.#inside);
    const start = bytes.indexOf('\n') + 1;
    const code = numberIn(bytes.subarray(0, start).toString('latin1'), /^(\d{1,3})\n$/);
    if (code === undefined) return undefined;
    const end = bytes.indexOf(this.#mark, start);
    const isWhole = end >= 0 && bytes.subarray(end + this.#mark.length).equals(Buffer.from('0 0\n'));
    return { code, archive: isWhole ? bytes.subarray(start, end) : undefined };
  }

  /** What is too much is not kept, and a parcel without its end is not whole. */
  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size <= MOST_BYTES + MOST_AROUND) this.#inside?.push(bytes);
  }
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
