/** Reads a builder's output: the current step, the images that it made, and the error that ended it. */
import * as z from 'zod';
import { BoundedBuffer } from '../../bounded.ts';
import { LineSplitter } from '../../lineSplitter.ts';
import { destroy } from '../container/archive.ts';
import { readJsonLines } from '../engine/ndjson.ts';

const event = z.object({
  stream: z.string().optional(),
  status: z.string().optional(),
  id: z.string().optional(),
  error: z.string().optional(),
  errorDetail: z.object({ message: z.string().optional() }).optional(),
});

const STEP = /^step (\d+)\/\d+ ?: (.*)$/i;
const IMAGE = /^ ---> ([0-9a-f]{12,64})$/;
const CONTAINER = /^ ---> Running in ([0-9a-f]{12,64})$/;
const CACHED = ' ---> Using cache';
const KEPT_BYTES = 16 * 1024;

export interface Step {
  readonly number: number;
  /** As the builder prints it: on one line. */
  readonly instruction: string;
}

/**
 * A builder answers 200 whatever happens: the first `error` event is the only sign of a failure
 * (https://github.com/apocas/dockerode/issues/221).
 */
export class BuildTranscript {
  readonly #log: (line: string) => void;
  readonly #output = BoundedBuffer.ofTotal(KEPT_BYTES);
  readonly #images: string[] = [];
  #step: Step | undefined;
  #container: string | undefined;
  #cached = false;
  readonly #lines = new LineSplitter((line) => this.#readLine(line));
  #error: string | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** The builder's error message when it failed. */
  get error(): string | undefined {
    return this.#error;
  }

  get step(): Step | undefined {
    return this.#step;
  }

  /** Beginnings of the ids of images that this build made and did not find in the engine's cache. */
  get images(): readonly string[] {
    return this.#images;
  }

  /** The id of the last container that a step ran in. */
  get container(): string | undefined {
    return this.#container;
  }

  /** The last part of what was printed. */
  get output(): string {
    return this.#output.toText();
  }

  /** Reads the builder's output to its end, or until `signal` aborts, which ends the request. */
  async follow(stream: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
    const stop = (): void => destroy(stream);
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const value of readJsonLines(bytesOf(stream))) this.read(value);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  read(value: unknown): void {
    const parsed = event.safeParse(value);
    if (!parsed.success) {
      if (typeof value === 'string') this.#log(value);
      return;
    }
    const { stream, status, id, error, errorDetail } = parsed.data;
    if (error !== undefined || errorDetail)
      this.#error ??= (error ?? errorDetail?.message ?? 'unknown error').trim();
    if (status !== undefined && id === undefined) this.#append(`${status}\n`);
    if (stream !== undefined) this.#append(stream);
  }

  #append(text: string): void {
    const bytes = Buffer.from(text);
    this.#output.push(bytes);
    this.#lines.push(bytes);
  }

  #readLine(line: string): void {
    this.#log(line);
    const step = STEP.exec(line);
    if (step) {
      this.#step = { number: Number(step[1]), instruction: step[2] ?? '' };
      this.#cached = false;
    }
    if (line === CACHED) this.#cached = true;
    this.#container = CONTAINER.exec(line)?.[1] ?? this.#container;
    const image = IMAGE.exec(line)?.[1];
    const isBase = /^from\b/i.test(this.#step?.instruction ?? '');
    if (image && !this.#cached && !isBase) this.#images.push(image);
  }
}

async function* bytesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
