/** Splits the stream in which an engine interleaves stdout and stderr. */
import { Transform, type TransformCallback } from 'node:stream';

const HEADER_BYTES = 8;
const LENGTH_OFFSET = 4;
const STDERR = 2;

export interface OutputPart {
  readonly from: 'stdout' | 'stderr';
  readonly bytes: Buffer;
}

/**
 * Each frame is an 8-byte header (stream, three zeroes, length in big endian) and that many bytes
 * (https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Container/operation/ContainerAttach).
 * Written as a loop, as thousands of tiny frames come in one chunk; a frame's bytes are passed on as they come,
 * so that a frame of any announced length costs no memory.
 */
export class Demultiplexer extends Transform {
  #header = Buffer.alloc(0);
  #from: OutputPart['from'] = 'stdout';
  #left = 0;

  constructor() {
    super({ readableObjectMode: true });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let position = 0;
    while (position < chunk.length) {
      if (this.#left === 0) position += this.#readHeader(chunk.subarray(position));
      else position += this.#passOn(chunk.subarray(position));
    }
    done();
  }

  #readHeader(bytes: Buffer): number {
    const taken = bytes.subarray(0, HEADER_BYTES - this.#header.length);
    this.#header = Buffer.concat([this.#header, taken]);
    if (this.#header.length === HEADER_BYTES) {
      this.#from = this.#header[0] === STDERR ? 'stderr' : 'stdout';
      this.#left = this.#header.readUInt32BE(LENGTH_OFFSET);
      this.#header = Buffer.alloc(0);
    }
    return taken.length;
  }

  #passOn(bytes: Buffer): number {
    const taken = bytes.subarray(0, this.#left);
    this.#left -= taken.length;
    this.push({ from: this.#from, bytes: taken } satisfies OutputPart);
    return taken.length;
  }
}
