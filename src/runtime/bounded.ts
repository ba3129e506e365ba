/** Keeps the first and the last bytes of a stream of any length in bounded memory. */
import { isUtf8 } from 'node:buffer';

/** Text when the bytes are valid UTF-8, base64 otherwise. */
export type Content = { text: string } | { base64: string };

/** What is kept of a stream; fits a collected file of the evidence. */
export interface BoundedContent {
  /** Number of all bytes, also when only some were kept. */
  size: number;
  /** How many bytes are missing between `content` and `tail`; 0 when `content` is whole. */
  omitted: number;
  content: Content;
  tail?: Content;
}

const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;
const LONGEST_CHARACTER = 4;

/** Text when the bytes are valid UTF-8, base64 otherwise. */
function contentOf(bytes: Buffer): Content {
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') };
}

/** Keeps at most `headBytes + tailBytes` of all bytes that are pushed. */
export class BoundedBuffer {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  #size = 0;
  #head = Buffer.alloc(0);
  /** A ring; made when the first byte overflows the head. */
  #tail = Buffer.alloc(0);

  constructor(headBytes: number, tailBytes: number) {
    this.#headBytes = headBytes;
    this.#tailBytes = tailBytes;
  }

  /** Halves a limit, in bytes, between the first and the last part. */
  static ofTotal(bytes: number): BoundedBuffer {
    const tail = Math.floor(bytes / 2);
    return new BoundedBuffer(bytes - tail, tail);
  }

  get size(): number {
    return this.#size;
  }

  push(chunk: Uint8Array): void {
    const room = Math.max(0, this.#headBytes - this.#size);
    if (room > 0) this.#fillHead(chunk.subarray(0, room));
    if (chunk.length > room) this.#fillTail(chunk.subarray(room));
    this.#size += chunk.length;
  }

  /** What was kept; a character that the cut would split is left out whole. */
  toContent(): BoundedContent {
    const head = this.#head.subarray(0, Math.min(this.#size, this.#headBytes));
    const tail = this.#orderedTail();
    if (head.length + tail.length === this.#size) {
      return { size: this.#size, omitted: 0, content: contentOf(Buffer.concat([head, tail])) };
    }
    const first = withoutSplitEnd(head);
    const last = withoutSplitStart(tail);
    return {
      size: this.#size,
      omitted: this.#size - first.length - last.length,
      content: contentOf(first),
      tail: contentOf(last),
    };
  }

  /** {@link toContent} as one text for people, with a line that says how much is missing. */
  toText(): string {
    const { content, tail, omitted } = this.toContent();
    return tail === undefined
      ? decoded(content)
      : `${decoded(content)}\n[… ${omitted} bytes …]\n${decoded(tail)}`;
  }

  #fillHead(bytes: Uint8Array): void {
    const needed = this.#size + bytes.length;
    if (needed > this.#head.length) {
      const grown = Buffer.alloc(Math.min(this.#headBytes, Math.max(needed, 2 * this.#head.length, 1024)));
      this.#head.copy(grown);
      this.#head = grown;
    }
    this.#head.set(bytes, this.#size);
  }

  #fillTail(bytes: Uint8Array): void {
    if (this.#tailBytes === 0) return;
    if (this.#tail.length === 0) this.#tail = Buffer.alloc(this.#tailBytes);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#tailBytes));
    // Where the first kept byte belongs, counted from the end of the head.
    const position = Math.max(0, this.#size - this.#headBytes) + (bytes.length - kept.length);
    const start = position % this.#tailBytes;
    const untilEnd = kept.subarray(0, this.#tailBytes - start);
    this.#tail.set(untilEnd, start);
    this.#tail.set(kept.subarray(untilEnd.length), 0);
  }

  #orderedTail(): Buffer {
    const overflow = Math.max(0, this.#size - this.#headBytes);
    if (this.#tailBytes === 0 || overflow === 0) return Buffer.alloc(0);
    if (overflow <= this.#tailBytes) return this.#tail.subarray(0, overflow);
    const start = overflow % this.#tailBytes;
    return Buffer.concat([this.#tail.subarray(start), this.#tail.subarray(0, start)]);
  }
}

function decoded(content: Content): string {
  return 'text' in content ? content.text : Buffer.from(content.base64, 'base64').toString('utf8');
}

function withoutSplitEnd(bytes: Buffer): Buffer {
  for (let cut = 0; cut < LONGEST_CHARACTER && cut <= bytes.length; cut++) {
    const candidate = bytes.subarray(0, bytes.length - cut);
    if (isUtf8(candidate)) return candidate;
  }
  return bytes;
}

function withoutSplitStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < LONGEST_CHARACTER - 1 && ((bytes[start] ?? 0) & CONTINUATION_MASK) === CONTINUATION) start++;
  const candidate = bytes.subarray(start);
  return isUtf8(candidate) ? candidate : bytes;
}
