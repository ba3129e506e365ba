/** Rows of Arrow as rows of Parquet. */
import { DataType, Schema, TimeMillisecond, TimeUnit, Timestamp } from 'apache-arrow';
import type { Field } from 'apache-arrow';
import type { KeyValue, SchemaElement } from 'hyparquet';
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
  let keyValues: readonly KeyValue[] = metadata;
  const fields = rows.schema.fields.map(inParquet);
  if (!fields.some(({ type }) => hasSeconds(type))) {
    const message = schemaMessage(new Schema(fields, rows.schema.metadata));
    keyValues = [...metadata, { key: 'ARROW:schema', value: Buffer.from(message).toString('base64') }];
  }
  let group: { readonly of: LeafColumn; readonly pieces: readonly (readonly Entries[])[] } | undefined;

  return {
    schema,
    leaves: leaves.map((leaf) => ({ leaf, codec: undefined })),
    keyValues,
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

/**
 * Seconds become milliseconds in Parquet, and readers take the Arrow schema at its word. Within lists and structs they
 * are left as they are, and there is no Arrow schema then.
 */
function inParquet(field: Field): Field {
  const { type } = field;
  if (DataType.isTime(type) && type.unit === TimeUnit.SECOND)
    return field.clone({ type: new TimeMillisecond() });
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.SECOND)
    return field.clone({ type: new Timestamp(TimeUnit.MILLISECOND, type.timezone) });
  return field;
}

function hasSeconds(type: DataType): boolean {
  if (DataType.isTime(type) || DataType.isTimestamp(type)) return type.unit === TimeUnit.SECOND;
  if (DataType.isDictionary(type)) return hasSeconds(type.dictionary as DataType);
  return (type.children ?? []).some((child: Field) => hasSeconds(child.type));
}
