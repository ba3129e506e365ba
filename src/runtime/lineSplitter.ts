/** Splits chunks of bytes into lines of bounded length, for a live log. */
import { StringDecoder } from 'node:string_decoder';

const LONGEST_LINE = 8_192;

export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split(/\r?\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line.slice(0, LONGEST_LINE));
    while (this.#rest.length > LONGEST_LINE) {
      this.#onLine(this.#rest.slice(0, LONGEST_LINE));
      this.#rest = this.#rest.slice(LONGEST_LINE);
    }
  }

  /** Emits the last line, which has no line end. */
  end(): void {
    const last = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (last !== '') this.#onLine(last);
  }
}
