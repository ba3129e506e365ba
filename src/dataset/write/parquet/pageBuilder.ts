/** Cuts the entries of a leaf into pages: each begins with a row and ends after about 256 KiB. */
import type { LeafColumn } from '../../parquet/footer.ts';
import type { Entries } from '../entries.ts';
import { sizeOf } from '../entries.ts';
import type { PageContent } from './dataPage.ts';

/** One cell costs its page, so pages are smaller than the usual 1 MiB; a cell larger than this has a page to itself. */
const PAGE_BYTES = 256 * 1024;

/** The pages of `pieces`; nothing but the page that is being filled is kept. */
export async function* cutPages(
  leaf: LeafColumn,
  pieces: AsyncIterable<Entries>,
): AsyncGenerator<PageContent> {
  let page = emptyPage();
  let bytes = 0;
  for await (const { count, definition, repetition, values } of pieces) {
    let value = 0;
    for (let entry = 0; entry < count; entry++) {
      const beginsRow = (repetition?.[entry] ?? 0) === 0;
      const isPresent = definition === undefined || definition[entry] === leaf.maxDefinition;
      const size = isPresent ? sizeOf(values[value]) : 1;
      if (beginsRow && page.rows > 0 && bytes + size > PAGE_BYTES) {
        yield page;
        page = emptyPage();
        bytes = 0;
      }
      if (beginsRow) page.rows++;
      if (leaf.maxRepetition > 0) page.repetition.push(repetition?.[entry] ?? 0);
      if (leaf.maxDefinition > 0) page.definition.push(definition?.[entry] ?? leaf.maxDefinition);
      if (isPresent) page.values.push(values[value++]);
      else page.nulls++;
      bytes += size;
    }
  }
  if (page.rows > 0) yield page;
}

function emptyPage(): PageContent & { rows: number; nulls: number } {
  return { rows: 0, nulls: 0, definition: [], repetition: [], values: [] };
}
