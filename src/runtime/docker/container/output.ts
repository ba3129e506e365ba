/** What an attached process prints, kept in bounded memory. */
import { BoundedBuffer } from '../../bounded.ts';
import { within } from '../engine/abort.ts';
import { destroy } from './archive.ts';
import { Demultiplexer, type OutputPart } from '../engine/demux.ts';
import { ParcelReader } from './parcel.ts';
import type { StartReader } from './warmStart.ts';

const KEPT_BYTES = 64 * 1024;
const GRACE_MS = 2000;

/** Hears what is printed at once; what comes on stdout is not kept then. */
export interface OutputListener {
  readonly output: (bytes: Uint8Array) => void;
  readonly errors: (bytes: Uint8Array) => void;
}

/** Who reads along. */
export interface OutputReaders {
  /** Of the parcel that the command hands over. */
  readonly mark?: string | undefined;
  /** Reads what a container prints that was started ahead, before its command begins. */
  readonly start?: StartReader;
  readonly listener?: OutputListener | undefined;
}

/**
 * Made as soon as there is a stream, as an error that nobody listens to would end this process.
 * Reads it to its end, so that its writer is never held up.
 */
export class AttachedOutput {
  readonly #stream: NodeJS.ReadWriteStream;
  readonly #kept = BoundedBuffer.ofTotal(KEPT_BYTES);
  readonly #ended: Promise<void>;
  readonly #parcel: ParcelReader | undefined;

  constructor(stream: NodeJS.ReadWriteStream, { mark, start, listener }: OutputReaders = {}) {
    this.#stream = stream;
    this.#parcel = mark === undefined ? undefined : new ParcelReader(mark);
    const parts = new Demultiplexer();
    parts.on('data', ({ from, bytes }: OutputPart) => {
      if (from === 'stderr') {
        listener?.errors(bytes);
        return this.#kept.push(bytes);
      }
      if (listener) return listener.output(bytes);
      const printed = start?.push(bytes) ?? bytes;
      this.#kept.push(this.#parcel?.push(printed) ?? printed);
    });
    this.#ended = new Promise((resolve) => parts.once('end', resolve));
    // A connection that breaks is seen by whoever waits for the exit code.
    stream.on('error', () => parts.end());
    stream.once('close', () => parts.end());
    stream.pipe(parts);
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  /** To the standard input of the process, where that is attached too. */
  write(bytes: Uint8Array): void {
    this.#stream.write(bytes);
  }

  /** What was printed by a process that has ended; something it left behind may still hold the stream open. */
  async finish(): Promise<string> {
    await within(this.#ended, GRACE_MS, undefined);
    this.close();
    if (this.#parcel) this.#kept.push(this.#parcel.rest());
    return this.#kept.toText();
  }

  /** Whether a parcel was begun, by the command or by whatever knows its mark. */
  get hasParcelBegun(): boolean {
    return this.#parcel?.isBegun ?? false;
  }

  /** The archive that a command which ended with `code` handed over whole; once {@link finish} has settled. */
  parcelOf(code: number): Buffer | undefined {
    const parcel = this.#parcel?.parcel();
    return parcel?.code === code ? parcel.archive : undefined;
  }

  close(): void {
    destroy(this.#stream);
  }
}
