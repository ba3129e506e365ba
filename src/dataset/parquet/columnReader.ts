/** Reads one column of a Parquet file: a cell by its row, or page after page. */
import type { ColumnChunk } from 'hyparquet';
import type { ByteSource } from '../byteSource.ts';
import { Corrupt, TooLarge } from '../formatErrors.ts';
import { lastAtOrBefore } from '../tables/lastAtOrBefore.ts';
import type { LeafColumn, ParquetFooter, RowGroupFacts } from './footer.ts';
import type { Page, PageValues } from './page.ts';
import { readDataPage, readDictionaryPage } from './page.ts';
import type { PageMap, PageRange } from './pageMap.ts';
import { mapPages, metaOf } from './pageMap.ts';

/** Consecutive small pages are read together, up to this many bytes. */
const READ_AHEAD = 1024 * 1024;

interface Chunk {
  readonly group: RowGroupFacts;
  readonly chunk: ColumnChunk;
  readonly map: PageMap;
  dictionary: Promise<PageValues | undefined> | undefined;
}

/** An entry of a column: its page, and its position among the page's entries and among its values. */
export interface Entry {
  readonly page: Page;
  readonly index: number;
  /** Position in `page.values`, or -1 for null. */
  readonly value: number;
}

export class ColumnReader {
  readonly leaf: LeafColumn;
  readonly #source: ByteSource;
  readonly #footer: ParquetFooter;
  /** What one page may decompress to, in bytes. */
  readonly #maxPageBytes: number;
  readonly #chunks = new Map<number, Promise<Chunk>>();

  constructor(source: ByteSource, footer: ParquetFooter, leaf: LeafColumn, maxPageBytes: number) {
    this.leaf = leaf;
    this.#source = source;
    this.#footer = footer;
    this.#maxPageBytes = maxPageBytes;
  }

  /** The cell of `row` as its own bytes, or `null`. For BYTE_ARRAY columns without repetition. */
  async cell(row: number, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    const { page, value } = await this.entry(row, signal);
    if (value < 0) return null;
    if (page.values.kind !== 'bytes') throw new Corrupt('it does not hold bytes');
    const { bytes, starts, ends } = page.values.arrays;
    const start = starts[value] ?? 0;
    const end = ends[value] ?? 0;
    if (end - start > maxBytes) throw new TooLarge(`it has ${end - start} bytes, more than ${maxBytes}`);
    // A copy, so that the cell does not keep its page in memory; Buffer's own `slice` would be a view.
    return new Uint8Array(bytes.subarray(start, end));
  }

  /** Where the (first) entry of `row` is. */
  async entry(row: number, signal?: AbortSignal): Promise<Entry> {
    const chunk = await this.#chunk(lastAtOrBefore(this.#footer.groups, row));
    const rowInGroup = row - chunk.group.firstRow;
    if (this.leaf.maxRepetition > 0) return this.#nestedEntry(chunk, rowInGroup, signal);
    const range = chunk.map.pages[lastAtOrBefore(chunk.map.pages, rowInGroup)];
    if (range === undefined) throw new Corrupt('it has no pages');
    const page = await this.#page(chunk, range, undefined, signal);
    const indexInPage = rowInGroup - range.firstRow;
    if (indexInPage >= page.count) throw new Corrupt(`a page has ${page.count} rows, not ${indexInPage + 1}`);
    return { page, index: indexInPage, value: valueIndex(page, indexInPage, this.leaf.maxDefinition) };
  }

  /** All pages in row order, read one after the other. */
  async *pages(signal?: AbortSignal): AsyncGenerator<Page> {
    for (let index = 0; index < this.#footer.groups.length; index++) {
      if (this.#footer.groups[index]?.rows === 0) continue;
      const chunk = await this.#chunk(index);
      const ahead = new ReadAhead(this.#source, chunk.map.pages.at(-1));
      for (const range of chunk.map.pages) yield await this.#page(chunk, range, ahead, signal);
      // Listing visits every group; keeping all their maps would cost more than the paths.
      if (this.#footer.groups.length > 1) this.#chunks.delete(index);
    }
  }

  async #nestedEntry(chunk: Chunk, rowInGroup: number, signal?: AbortSignal): Promise<Entry> {
    let row = -1;
    let budget = this.#maxPageBytes;
    for (const range of chunk.map.pages) {
      budget -= range.length;
      if (budget < 0) throw new TooLarge('too much of it would have to be read to find this row');
      const page = await this.#page(chunk, range, undefined, signal);
      let value = 0;
      for (let index = 0; index < page.count; index++) {
        if ((page.repetition?.[index] ?? 0) === 0) row++;
        const present = page.definition === undefined || page.definition[index] === this.leaf.maxDefinition;
        if (row === rowInGroup) return { page, index, value: present ? value : -1 };
        if (present) value++;
      }
    }
    throw new Corrupt(`it ends before row ${rowInGroup} of its row group`);
  }

  async #page(chunk: Chunk, range: PageRange, ahead?: ReadAhead, signal?: AbortSignal): Promise<Page> {
    if (range.length > this.#maxPageBytes) {
      throw new TooLarge(`a page of it has ${range.length} bytes, more than ${this.#maxPageBytes}`);
    }
    chunk.dictionary ??= this.#dictionary(chunk);
    const dictionary = await chunk.dictionary;
    const bytes = ahead
      ? await ahead.read(range, signal)
      : await this.#source.read(range.offset, range.length, signal);
    const { codec } = metaOf(chunk.chunk);
    const maxCount = chunk.group.rows;
    return readDataPage(bytes, {
      leaf: this.leaf,
      codec,
      dictionary,
      maxCount,
      maxBytes: this.#maxPageBytes,
    });
  }

  async #dictionary(chunk: Chunk): Promise<PageValues | undefined> {
    const range = chunk.map.dictionary;
    if (range === undefined) return undefined;
    if (range.length > this.#maxPageBytes) throw new TooLarge(`its dictionary has ${range.length} bytes`);
    const bytes = await this.#source.read(range.offset, range.length);
    const { codec } = metaOf(chunk.chunk);
    return readDictionaryPage(bytes, { leaf: this.leaf, codec, maxBytes: this.#maxPageBytes });
  }

  #chunk(index: number): Promise<Chunk> {
    const known = this.#chunks.get(index);
    if (known !== undefined) return known;
    const mapped = this.#map(index);
    this.#chunks.set(index, mapped);
    mapped.catch(() => this.#chunks.delete(index));
    return mapped;
  }

  async #map(index: number): Promise<Chunk> {
    const group = this.#footer.groups[index];
    const chunk = group?.chunks[this.leaf.index];
    if (group === undefined || chunk === undefined)
      throw new Corrupt('the footer does not say where its data is');
    const map = await mapPages(this.#source, group, chunk, this.leaf.maxRepetition > 0);
    return { group, chunk, map, dictionary: undefined };
  }
}

/** Position among the values of the page for its entry `index`, or -1 when that is null. */
function valueIndex({ definition }: Page, index: number, maxDefinition: number): number {
  if (definition === undefined) return index;
  if (definition[index] !== maxDefinition) return -1;
  let value = 0;
  for (let i = 0; i < index; i++) if (definition[i] === maxDefinition) value++;
  return value;
}

/** Serves ranges that follow each other from one larger read. */
class ReadAhead {
  readonly #source: ByteSource;
  readonly #end: number;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(source: ByteSource, last: PageRange | undefined) {
    this.#source = source;
    this.#end = last === undefined ? 0 : last.offset + last.length;
  }

  async read({ offset, length }: PageRange, signal?: AbortSignal): Promise<Uint8Array> {
    const from = offset - this.#start;
    if (from < 0 || from + length > this.#window.length) {
      const wanted = Math.max(length, Math.min(READ_AHEAD, this.#end - offset));
      this.#window = await this.#source.read(offset, wanted, signal);
      this.#start = offset;
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + length);
  }
}
