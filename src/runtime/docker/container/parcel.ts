/**
 * The parcel: an archive of a run's files that the verifier's own shell prints as it ends. It saves the request for
 * files, for which an engine may take a tenth of a second. In any doubt (no GNU tar in the image, an unexpected name, an
 * unreadable file, too much data, too slow, two parcels) it is ignored and the engine is asked for the files.
 * Any process of the verifier can learn the mark and print it: a parcel that has begun only hints that the verifier has
 * ended, and the exit code of the container decides.
 */
import { randomUUID } from 'node:crypto';
import { nestedPaths } from '../../collection.ts';

/** A command that prints a parcel, and the parcel's mark. */
export interface ParcelCommand {
  readonly command: readonly string[];
  readonly mark: string;
}

export interface Parcel {
  /** The verifier's exit code, as the parcel has it. */
  readonly code: number;
  /** The archive, with names from the root; undefined when it is incomplete. */
  readonly archive: Buffer | undefined;
}

/** The longest time from the first byte of a parcel to the end of the shell. */
export const HAND_OVER_MS = 10_000;
/** Seconds after which the shell gives up packing. */
const PACKING_SECONDS = 5;
const MOST_BYTES = 4 * 1024 ** 2;
/** Bytes around the archive: marks and exit codes. */
const MOST_AROUND = 1024;
/** Paths that a shell reads as one word. */
const PLAIN_PATH = /^\/[\w./-]+$/;

/**
 * Makes a shell print `paths` as a parcel after its own script.
 * @returns undefined when the command is not `bash -c SCRIPT`.
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

/** Separates the parcel from the rest of an output. */
export class ParcelReader {
  readonly #mark: Buffer;
  /** Bytes that may be the start of the mark. */
  #undecided = Buffer.alloc(0);
  #inside: Buffer[] | undefined;
  #size = 0;

  constructor(mark: string) {
    this.#mark = Buffer.from(`\n${mark} `);
  }

  /** Whether the mark was read, whoever printed it. */
  get isBegun(): boolean {
    return this.#inside !== undefined;
  }

  /** Reads the next bytes of stdout; returns those that surely belong to no parcel. */
  push(chunk: Buffer): Buffer {
    if (this.#inside) {
      this.#keep(chunk);
      return Buffer.alloc(0);
    }
    const bytes = Buffer.concat([this.#undecided, chunk]);
    const at = bytes.indexOf(this.#mark);
    if (at < 0) {
      const sure = Math.max(0, bytes.length - this.#mark.length + 1);
      this.#undecided = bytes.subarray(sure);
      return bytes.subarray(0, sure);
    }
    this.#undecided = Buffer.alloc(0);
    this.#inside = [];
    this.#keep(bytes.subarray(at + this.#mark.length));
    return bytes.subarray(0, at);
  }

  /** The bytes that were held back, at the end of the output. */
  rest(): Buffer {
    const held = this.#undecided;
    this.#undecided = Buffer.alloc(0);
    return held;
  }

  /** The parcel, at the end of the output; undefined when there is none. */
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

  /** Keeps bytes up to a limit; beyond it the parcel lacks its end and is incomplete. */
  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size <= MOST_BYTES + MOST_AROUND) this.#inside?.push(bytes);
  }
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
