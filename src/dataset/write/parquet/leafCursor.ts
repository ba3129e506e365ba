/** Gives the rows of one leaf of Parquet files, a page of the source at a time. */
import { Corrupt } from '../../formatErrors.ts';
import type { LeafColumn } from '../../parquet/footer.ts';
import type { Page } from '../../parquet/page.ts';
import type { Entries } from '../entries.ts';

export class LeafCursor {
  readonly #leaf: LeafColumn;
  readonly #pages: AsyncIterator<Page>;
  #page: Page | undefined;
  #entry = 0;
  #value = 0;

  /** `pages` are all pages of the leaf, in row order. */
  constructor(leaf: LeafColumn, pages: AsyncIterator<Page>) {
    this.#leaf = leaf;
    this.#pages = pages;
  }

  /** The next `rows` rows in pieces; a piece ends where a row does, or within a row that the next piece goes on with. */
  async *take(rows: number, signal?: AbortSignal): AsyncGenerator<Entries> {
    let left = rows;
    for (;;) {
      signal?.throwIfAborted();
      const page = await this.#current();
      if (page === undefined) {
        if (left > 0) throw new Corrupt(`it ends ${left} rows early`);
        return;
      }
      let end = this.#entry;
      for (; end < page.count; end++) {
        if ((page.repetition?.[end] ?? 0) > 0) continue;
        if (left === 0) break;
        left--;
      }
      if (end > this.#entry) yield this.#piece(page, end);
      // A row of a list may go on in the next page.
      if (end < page.count || (left === 0 && this.#leaf.maxRepetition === 0)) return;
    }
  }

  async #current(): Promise<Page | undefined> {
    while (this.#page === undefined || this.#entry >= this.#page.count) {
      const next = await this.#pages.next();
      if (next.done === true) return undefined;
      this.#page = next.value;
      this.#entry = 0;
      this.#value = 0;
    }
    return this.#page;
  }

  #piece(page: Page, end: number): Entries {
    const definition = page.definition?.subarray(this.#entry, end);
    const repetition = page.repetition?.subarray(this.#entry, end);
    const count = end - this.#entry;
    let present = count;
    for (const level of definition ?? []) if (level !== this.#leaf.maxDefinition) present--;
    const values = valuesOf(page, this.#value, this.#value + present);
    this.#entry = end;
    this.#value += present;
    return { count, definition, repetition, values };
  }
}

function valuesOf({ values }: Page, from: number, to: number): unknown[] {
  const taken: unknown[] = [];
  for (let index = from; index < to; index++) {
    if (values.kind === 'scalars') taken.push(values.scalars[index]);
    else taken.push(values.arrays.bytes.subarray(values.arrays.starts[index], values.arrays.ends[index]));
  }
  return taken;
}
