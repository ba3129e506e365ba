/**
 * Finds where the pages of one column chunk are without reading them: from the offset index where the file has
 * one, else by hopping from page header to page header, which costs about a thousand small reads per gigabyte.
 */
import { setImmediate } from 'node:timers/promises';
import type { ColumnChunk, ColumnMetaData, PageHeader } from 'hyparquet';
import { readOffsetIndex } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { ByteSource } from '../byteSource.ts';
import { Corrupt, Unsupported } from '../formatErrors.ts';
import type { RowGroupFacts } from './footer.ts';
import { thriftEnd } from './thrift.ts';

/** Bytes of one page, header and data, in the file. */
export interface PageRange {
  readonly offset: number;
  readonly length: number;
}

export interface DataPageRange extends PageRange {
  /** Row of the row group that the page begins with; -1 when its rows cannot be told without reading it. */
  readonly firstRow: number;
}

export interface PageMap {
  readonly dictionary: PageRange | undefined;
  /** In file order; never empty rows apart from the column's end. */
  readonly pages: readonly DataPageRange[];
}

/** How long the walk may keep the event loop to itself. */
const SLICE_MS = 8;
const HEADER_WINDOW = 4096;
/** Page headers may carry the smallest and largest value of the page, which for binary columns can be whole cells. */
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** Pages that hold no rows: the dictionary, index pages, empty ones. */
const SPARE_PAGES = 1000;

/** Maps the pages of `chunk`. `nested` columns have pages whose rows only their levels tell. */
export async function mapPages(
  source: ByteSource,
  group: RowGroupFacts,
  chunk: ColumnChunk,
  nested: boolean,
): Promise<PageMap> {
  const range = chunkRange(source, chunk);
  const indexed = await pagesFromOffsetIndex(source, group, chunk, range);
  return indexed ?? walkHeaders(source, group, range, nested);
}

/** Where a chunk's pages begin and end. */
function chunkRange(source: ByteSource, chunk: ColumnChunk): { start: number; end: number } {
  const meta = metaOf(chunk);
  const data = Number(meta.data_page_offset);
  const dictionary = Number(meta.dictionary_page_offset ?? 0n);
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  const end = start + Number(meta.total_compressed_size);
  if (!(start >= 4 && end >= start && end <= source.size - 8)) {
    throw new Corrupt(`its pages should be at bytes ${start} to ${end} of a file of ${source.size} bytes`);
  }
  return { start, end };
}

/** The chunk's own metadata, which encryption or another file may hold back. */
export function metaOf(chunk: ColumnChunk): ColumnMetaData {
  if (chunk.crypto_metadata !== undefined) throw new Unsupported('the column is encrypted');
  if (chunk.file_path) throw new Unsupported(`its data is in another file, ${chunk.file_path}`);
  if (chunk.meta_data === undefined) throw new Corrupt('the footer does not say where its data is');
  return chunk.meta_data;
}

/** A page's header, decoded, and where its data begins; `undefined` when `bytes` ends within the header. */
export function readPageHeader(
  bytes: Uint8Array,
  start: number,
): { header: PageHeader; dataStart: number } | undefined {
  const dataStart = thriftEnd(bytes, start);
  if (dataStart === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, dataStart - start);
  const header = parquetHeader({ view, offset: 0 });
  if (!(header.compressed_page_size >= 0 && header.uncompressed_page_size >= 0)) {
    throw new Corrupt('a page has no readable size');
  }
  return { header, dataStart };
}

/** Values of a data page, nulls included; `undefined` for a page of another kind. */
export function pageValueCount(header: PageHeader): number | undefined {
  if (header.type === 'DATA_PAGE') return header.data_page_header?.num_values;
  if (header.type === 'DATA_PAGE_V2') return header.data_page_header_v2?.num_values;
  return undefined;
}

async function pagesFromOffsetIndex(
  source: ByteSource,
  group: RowGroupFacts,
  chunk: ColumnChunk,
  range: { start: number; end: number },
): Promise<PageMap | undefined> {
  const offset = Number(chunk.offset_index_offset ?? 0n);
  const length = chunk.offset_index_length ?? 0;
  if (offset <= 0 || length <= 0 || length > MAX_INDEX_BYTES || offset + length > source.size)
    return undefined;
  const bytes = await source.read(offset, length);
  if (thriftEnd(bytes, 0) === undefined) throw new Corrupt('its offset index is damaged');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pages = readOffsetIndex({ view, offset: 0 }).page_locations.map((page) => ({
    offset: Number(page.offset),
    length: page.compressed_page_size,
    firstRow: Number(page.first_row_index),
  }));
  let row = 0;
  for (const page of pages) {
    const fits = page.length > 0 && page.offset >= range.start && page.offset + page.length <= range.end;
    if (!fits || !(page.firstRow >= row && page.firstRow <= group.rows)) {
      throw new Corrupt('its offset index points outside of the column');
    }
    row = page.firstRow;
  }
  const first = pages[0];
  if (first === undefined) return undefined;
  const dictionary =
    first.offset > range.start ? { offset: range.start, length: first.offset - range.start } : undefined;
  return { dictionary, pages };
}

async function walkHeaders(
  source: ByteSource,
  group: RowGroupFacts,
  range: { start: number; end: number },
  nested: boolean,
): Promise<PageMap> {
  const pages: DataPageRange[] = [];
  const headers = new HeaderReader(source, range.end);
  let dictionary: PageRange | undefined;
  let offset = range.start;
  let row = 0;
  let count = 0;
  let sliceStart = performance.now();
  while (offset < range.end && (nested || row < group.rows)) {
    const { header, length } = headers.at(offset);
    if (performance.now() - sliceStart > SLICE_MS) {
      await setImmediate();
      sliceStart = performance.now();
    }
    const page = { offset, length: length + header.compressed_page_size };
    if (count++ > group.rows + SPARE_PAGES) throw new Corrupt('it has more pages than rows');
    if (page.offset + page.length > range.end) throw new Corrupt('a page reaches past the end of its column');
    const values = pageValueCount(header);
    if (values !== undefined) {
      if (!(values >= 0) || (!nested && row + values > group.rows)) {
        throw new Corrupt(`its pages hold more than the ${group.rows} rows of their row group`);
      }
      pages.push({ ...page, firstRow: nested ? -1 : row });
      row += values;
    } else if (header.type === 'DICTIONARY_PAGE') {
      dictionary = page;
    }
    offset += page.length;
  }
  if (!nested && row < group.rows) {
    throw new Corrupt(`its pages hold ${row} of the ${group.rows} rows of their row group`);
  }
  return { dictionary, pages };
}

/** Reads headers through a small window, which grows when statistics make a header long. */
class HeaderReader {
  readonly #source: ByteSource;
  readonly #end: number;
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;

  constructor(source: ByteSource, end: number) {
    this.#source = source;
    this.#end = end;
  }

  at(offset: number): { header: PageHeader; length: number } {
    const within = offset - this.#windowStart;
    const kept = within < this.#window.length ? readPageHeader(this.#window, within) : undefined;
    if (kept !== undefined) return { header: kept.header, length: kept.dataStart - within };
    for (let length = HEADER_WINDOW; ; length *= 4) {
      const available = Math.min(length, this.#end - offset);
      this.#window = this.#source.readSmall(offset, available);
      this.#windowStart = offset;
      const read = readPageHeader(this.#window, 0);
      if (read !== undefined) return { header: read.header, length: read.dataStart };
      if (available < length || length > MAX_HEADER_BYTES) throw new Corrupt('a page header has no end');
    }
  }
}
