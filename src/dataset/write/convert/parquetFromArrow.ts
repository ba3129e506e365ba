/** Rows of Arrow as rows of Parquet. */
import type { SchemaElement } from 'hyparquet';
import { schemaMessage } from '../arrow/arrowFile.ts';
import type { ArrowRows } from '../arrow/arrowRows.ts';
import type { Entries } from '../entries.ts';
import { leavesOf } from '../../parquet/footer.ts';
import type { LeafColumn } from '../../parquet/footer.ts';
import type { ParquetRows } from '../parquet/parquetRows.ts';
import { shredColumn } from './parquetSchema.ts';
import { shred } from './shred.ts';

/** Takes over `rows`. Throws a `DatasetError` that names the column when Parquet has no place for its type. */
export function parquetFromArrow(location: string, rows: ArrowRows): ParquetRows {
  const columns = rows.schema.fields.map((field) => shredColumn(location, field));
  const root: SchemaElement = { name: 'schema', num_children: columns.length, repetition_type: 'REQUIRED' };
  const schema = [root, ...columns.flatMap(({ elements }) => elements)];
  const leaves = leavesOf(schema);
  const metadata = [...rows.schema.metadata].map(([key, value]) => ({ key, value }));
  const arrowSchema = Buffer.from(schemaMessage(rows.schema)).toString('base64');
  let group: { readonly of: LeafColumn; readonly pieces: readonly (readonly Entries[])[] } | undefined;

  return {
    schema,
    leaves: leaves.map((leaf) => ({ leaf, codec: undefined })),
    keyValues: [...metadata, { key: 'ARROW:schema', value: arrowSchema }],
    async *take(leaf, count, signal) {
      // All leaves of some rows are read together, when the first of them is asked for.
      if (group === undefined || leaf === group.of) {
        const pieces: Entries[][] = [];
        for await (const { columns: read } of rows.take(count, signal)) {
          pieces.push(
            read.flatMap((data, index) => {
              const column = columns[index];
              return column === undefined ? [] : shred(column.node, data);
            }),
          );
        }
        group = { of: leaf, pieces };
      }
      for (const piece of group.pieces) {
        const entries = piece[leaf.index];
        if (entries !== undefined) yield entries;
      }
    },
    close: () => rows.close(),
  };
}
