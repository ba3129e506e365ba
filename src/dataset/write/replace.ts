/** Puts new archives in the place of old ones, and leaves every other cell as it is. */
import { isText } from '../arrow/byteTypes.ts';
import { TASK_COLUMN } from '../tables/columns.ts';
import type { LeafColumn } from '../parquet/footer.ts';
import { DatasetError } from '../datasetError.ts';
import { binaryData, cellsOf } from './arrow/cells.ts';
import type { ArrowRows } from './arrow/arrowRows.ts';
import type { Entries } from './entries.ts';
import type { ParquetRows } from './parquet/parquetRows.ts';

/** New archives by row; each is made when its row is written, so that not all of them are in memory at once. */
export type Replacements = ReadonlyMap<number, () => Promise<Uint8Array>>;

/** `rows` with new archives. Throws a `DatasetError` when the column holds text, where no archive fits. */
export function replacedParquet(
  location: string,
  rows: ParquetRows,
  replacements: Replacements,
): ParquetRows {
  const task = rows.leaves.find(({ leaf }) => leaf.path[0] === TASK_COLUMN)?.leaf;
  if (task === undefined || replacements.size === 0) return rows;
  const { converted_type: converted, logical_type: logical } = task.element;
  if (converted === 'UTF8' || logical?.type === 'STRING') throw holdsText(location);
  let row = 0;
  return {
    ...rows,
    async *take(leaf, count, signal) {
      for await (const entries of rows.take(leaf, count, signal)) {
        if (leaf !== task) {
          yield entries;
          continue;
        }
        const news = await newCells(replacements, row, entries.count);
        row += entries.count;
        yield news.size === 0 ? entries : withCells(entries, leaf, news);
      }
    },
  };
}

/** The same for rows of Arrow. */
export function replacedArrow(location: string, rows: ArrowRows, replacements: Replacements): ArrowRows {
  const column = rows.schema.fields.findIndex(({ name }) => name === TASK_COLUMN);
  const type = rows.schema.fields[column]?.type;
  if (type === undefined || replacements.size === 0) return rows;
  if (isText(type)) throw holdsText(location);
  let row = 0;
  return {
    ...rows,
    async *take(count, signal) {
      for await (const chunk of rows.take(count, signal)) {
        const news = await newCells(replacements, row, chunk.rows);
        row += chunk.rows;
        const columns = chunk.columns.map((data, index) =>
          index !== column || news.size === 0
            ? data
            : binaryData(
                type,
                cellsOf(data).map((cell, at) => news.get(at) ?? cell),
              ),
        );
        yield { rows: chunk.rows, columns };
      }
    },
  };
}

async function newCells(
  replacements: Replacements,
  first: number,
  count: number,
): Promise<Map<number, Uint8Array>> {
  const cells = new Map<number, Uint8Array>();
  for (let at = 0; at < count; at++) {
    const make = replacements.get(first + at);
    if (make !== undefined) cells.set(at, await make());
  }
  return cells;
}

function withCells(entries: Entries, leaf: LeafColumn, news: ReadonlyMap<number, Uint8Array>): Entries {
  const definition: number[] = [];
  const values: unknown[] = [];
  let value = 0;
  for (let at = 0; at < entries.count; at++) {
    const level = entries.definition?.[at] ?? leaf.maxDefinition;
    const old = level === leaf.maxDefinition ? [entries.values[value++]] : [];
    const cell = news.get(at);
    definition.push(cell === undefined ? level : leaf.maxDefinition);
    values.push(...(cell === undefined ? old : [cell]));
  }
  return { count: entries.count, definition, repetition: undefined, values };
}

function holdsText(location: string): DatasetError {
  return new DatasetError(
    'wrong-column-type',
    `${location} holds text in its column ${TASK_COLUMN}, where no archive can be put.`,
    `Write the dataset again with ${TASK_COLUMN} as a binary column, then export to that.`,
  );
}
