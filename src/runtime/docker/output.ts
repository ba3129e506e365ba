// What an attached process prints, kept in bounded memory.
import type { Readable } from 'node:stream';
import { BoundedBuffer } from '../bounded.ts';
import { within } from './abort.ts';
import { Demultiplexer, type OutputPart } from './demux.ts';

const KEPT_BYTES = 64 * 1024;
const GRACE_MS = 2000;

/**
 * Made as soon as there is a stream, as an error that nobody listens to would end this process.
 * Reads it to its end, so that its writer is never held up.
 */
export class AttachedOutput {
  readonly #stream: NodeJS.ReadableStream;
  readonly #kept = BoundedBuffer.ofTotal(KEPT_BYTES);
  readonly #ended: Promise<void>;

  constructor(stream: NodeJS.ReadableStream) {
    this.#stream = stream;
    const parts = new Demultiplexer();
    parts.on('data', ({ bytes }: OutputPart) => this.#kept.push(bytes));
    this.#ended = new Promise((resolve) => parts.once('end', resolve));
    // A connection that breaks is seen by whoever waits for the exit code.
    stream.on('error', () => parts.end());
    stream.once('close', () => parts.end());
    stream.pipe(parts);
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  /** What was printed by a process that has ended; something it left behind may still hold the stream open. */
  async finish(): Promise<string> {
    await within(this.#ended, GRACE_MS, undefined);
    this.close();
    return this.#kept.toText();
  }

  close(): void {
    if (isReadable(this.#stream)) this.#stream.destroy();
  }
}

function isReadable(stream: NodeJS.ReadableStream): stream is Readable {
  return 'destroy' in stream;
}
