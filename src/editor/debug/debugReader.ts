/**
 * Reads what a container with a debugger prints on standard output: text, then one line that says whether the debugger
 * listens, then messages of the Debug Adapter Protocol. Bounded, as a task may print what it likes. Pure.
 */

export interface DebugListener {
  /** The debugger listens from here on. */
  ready(): void;
  /** There will be no debugger, and why. */
  failed(why: string): void;
  /** One message, as JSON gave it. */
  message(value: unknown): void;
  /** The output is not the protocol; nothing more is read. */
  broken(why: string): void;
}

const MOST_BEFORE = 64 * 1024;
const MOST_HEADER = 4 * 1024;
const MOST_MESSAGE = 4 * 1024 * 1024;
const MOST_ALTOGETHER = 256 * 1024 * 1024;
/** Chunks kept before they are joined: many tiny ones take more memory than their bytes. */
const MOST_CHUNKS = 256;
const HEADER_END = '\r\n\r\n';

export class DebugReader {
  readonly #mark: Buffer;
  readonly #listener: DebugListener;
  #state: 'before' | 'header' | 'body' | 'closed' = 'before';
  #chunks: Buffer[] = [];
  #length = 0;
  #altogether = 0;
  /** The next step needs at least this many bytes. */
  #wanted = 0;

  /** @param mark begins the line that says whether the debugger listens */
  constructor(mark: string, listener: DebugListener) {
    this.#mark = Buffer.from(`\n${mark} `);
    this.#listener = listener;
  }

  push(bytes: Uint8Array): void {
    if (this.#state === 'closed') return;
    this.#chunks.push(Buffer.from(bytes));
    this.#length += bytes.length;
    this.#altogether += bytes.length;
    if (this.#chunks.length > MOST_CHUNKS) this.#all();
    if (this.#altogether > MOST_ALTOGETHER) this.#break('more than any debugger has to say');
    while (this.#length >= this.#wanted && this.#step());
  }

  /** Reads one part; true when there may be another. */
  #step(): boolean {
    switch (this.#state) {
      case 'before':
        return this.#readMark();
      case 'header':
        return this.#readHeader();
      case 'body':
        return this.#readBody();
      case 'closed':
        return false;
    }
  }

  #readMark(): boolean {
    const all = this.#all();
    const start = all.indexOf(this.#mark);
    const end = start === -1 ? -1 : all.indexOf('\n', start + this.#mark.length);
    if (end === -1) {
      // Output before the mark is dropped; the mark itself may have come by half.
      if (start === -1 || all.length > MOST_BEFORE) this.#keep(all.subarray(-this.#mark.length));
      return false;
    }
    const words = all.subarray(start + this.#mark.length, end).toString();
    this.#keep(all.subarray(end + 1));
    if (words !== 'ready') {
      this.#state = 'closed';
      this.#listener.failed(words.replace(/^failed /, ''));
      return false;
    }
    this.#state = 'header';
    this.#listener.ready();
    return true;
  }

  #readHeader(): boolean {
    const all = this.#all();
    const end = all.subarray(0, MOST_HEADER).indexOf(HEADER_END);
    if (end === -1) return all.length < MOST_HEADER ? false : this.#break('a header without an end');
    const length = Number(
      /^Content-Length: *(\d{1,10})\r?$/im.exec(all.subarray(0, end).toString())?.[1] ?? NaN,
    );
    if (!(length <= MOST_MESSAGE)) return this.#break('a message without a length that it may have');
    this.#keep(all.subarray(end + HEADER_END.length));
    this.#state = 'body';
    this.#wanted = length;
    return this.#length >= length;
  }

  #readBody(): boolean {
    const all = this.#all();
    const text = all.subarray(0, this.#wanted).toString();
    this.#keep(all.subarray(this.#wanted));
    this.#state = 'header';
    this.#wanted = 0;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#break('a message that is no JSON');
    }
    this.#listener.message(value);
    return true;
  }

  #break(what: string): false {
    this.#state = 'closed';
    this.#keep(Buffer.alloc(0));
    this.#listener.broken(what);
    return false;
  }

  #all(): Buffer {
    const all = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #keep(rest: Buffer): void {
    this.#chunks = [rest];
    this.#length = rest.length;
  }
}

/** A message as the protocol wants it on the wire. https://microsoft.github.io/debug-adapter-protocol/overview */
export function debugFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${HEADER_END}`), body]);
}
