/** Reads the output of an attached process into bounded memory. */
import { BoundedBuffer } from '../../bounded.ts';
import { withTimeout } from '../engine/abort.ts';
import { destroy } from './archive.ts';
import { Demultiplexer, type OutputPart } from '../engine/demux.ts';
import { ParcelReader } from './parcel.ts';
import type { StartReader } from './warmStart.ts';

const KEPT_BYTES = 64 * 1024;
const GRACE_MS = 2000;

/** Receives output as it comes; standard output is then not kept. */
export interface OutputListener {
  readonly output: (bytes: Uint8Array) => void;
  readonly errors: (bytes: Uint8Array) => void;
}

/** Readers of an output. */
export interface OutputReaders {
  /** The mark of the parcel that the command prints. */
  readonly mark?: string | undefined;
  /** Reads the first lines of a container that was started ahead. */
  readonly start?: StartReader;
  readonly listener?: OutputListener | undefined;
}

/**
 * Make one as soon as there is a stream, since an error without a listener would end this process.
 * Reads the stream to its end, so that its writer never blocks.
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
    // The code that waits for the exit code reports a broken connection.
    stream.on('error', () => parts.end());
    stream.once('close', () => parts.end());
    stream.pipe(parts);
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Writes to the standard input of the process, where it is attached. */
  write(bytes: Uint8Array): void {
    this.#stream.write(bytes);
  }

  /** The output of a process that has ended; a child of it may still hold the stream open. */
  async finish(): Promise<string> {
    await withTimeout(this.#ended, GRACE_MS, undefined);
    this.close();
    if (this.#parcel) this.#kept.push(this.#parcel.rest());
    return this.#kept.toText();
  }

  /** Whether the mark of a parcel was printed, by whatever process. */
  get hasParcelBegun(): boolean {
    return this.#parcel?.isBegun ?? false;
  }

  /** The complete archive of a command that ended with `code`; call it after {@link finish}. */
  parcelOf(code: number): Buffer | undefined {
    const parcel = this.#parcel?.parcel();
    return parcel?.code === code ? parcel.archive : undefined;
  }

  close(): void {
    destroy(this.#stream);
  }
}
