/** Rows of Parquet as rows of Arrow. */
import { Schema } from 'apache-arrow';
import type { ArrowRows } from '../arrow/arrowRows.ts';
import { rowError } from '../../tables/columns.ts';
import type { LeafColumn } from '../../parquet/footer.ts';
import type { ParquetRows } from '../parquet/parquetRows.ts';
import { cannotWrite } from '../writeErrors.ts';
import { assemble, assemblyOf } from './assemble.ts';
import type { LeafEntries } from './assemble.ts';

/** Takes over `rows`. Throws a `DatasetError` that names the column when Arrow has no place for its type. */
export function arrowFromParquet(location: string, rows: ParquetRows): ArrowRows {
  const leaves = rows.leaves.map(({ leaf }) => leaf);
  const nodes = assemblyOf(rows.schema, leaves, (column, what) =>
    cannotWrite(location, column, what, 'Arrow'),
  );
  const metadata = rows.keyValues.flatMap(({ key, value = '' }): [string, string][] =>
    key === 'ARROW:schema' ? [] : [[key, value]],
  );
  const schema = new Schema(
    nodes.map(({ field }) => field),
    new Map(metadata),
  );
  return {
    schema,
    framing: 'stream',
    async *take(count, signal) {
      const read = new Map<LeafColumn, LeafEntries>();
      for (const leaf of leaves) read.set(leaf, await gather(rows, leaf, count, signal));
      const none: LeafEntries = { definition: [], repetition: [], values: [] };
      const columns = nodes.map((node) => {
        try {
          return assemble(node, (leaf) => read.get(leaf) ?? none);
        } catch (error) {
          throw rowError(error, location, node.field.name);
        }
      });
      yield { rows: count, columns };
    },
    close: () => rows.close(),
  };
}

async function gather(
  rows: ParquetRows,
  leaf: LeafColumn,
  count: number,
  signal?: AbortSignal,
): Promise<LeafEntries> {
  const definition: number[] = [];
  const repetition: number[] = [];
  const values: unknown[] = [];
  for await (const entries of rows.take(leaf, count, signal)) {
    for (let entry = 0; entry < entries.count; entry++) {
      definition.push(entries.definition?.[entry] ?? leaf.maxDefinition);
      repetition.push(entries.repetition?.[entry] ?? 0);
    }
    for (const value of entries.values) values.push(value);
  }
  return { definition, repetition, values };
}
