/** The rows of Arrow files as they are stored: a schema, and some rows of each column at a time. */
import { DataType, Field, Schema } from 'apache-arrow';
import type { Data } from 'apache-arrow';
import type { ArrowIndex } from '../../arrow/messages.ts';
import { batchOf, indexArrow } from '../../arrow/messages.ts';
import type { ByteSource } from '../../byteSource.ts';
import { openFile } from '../../byteSource.ts';
import { TASK_COLUMN, rowError } from '../../tables/columns.ts';
import type { ColumnShape } from '../writeErrors.ts';
import { cannotWrite, refuseOtherColumns } from '../writeErrors.ts';
import { binaryData, cellsOf } from './cells.ts';
import { RangeReader } from './rangeReader.ts';

/** The columns of some rows, in the schema's order. */
export interface ArrowChunk {
  readonly rows: number;
  readonly columns: readonly Data[];
}

/** Rows in Arrow's own terms, read from the first to the last. */
export interface ArrowRows {
  readonly schema: Schema;
  /** How an Arrow file of these rows is framed. */
  readonly framing: 'stream' | 'file';
  /** The next `rows` rows, in one chunk or, where they are in several batches, in several. */
  take(rows: number, signal?: AbortSignal): AsyncIterable<ArrowChunk>;
  close(): Promise<void>;
}

interface OpenFile {
  readonly source: ByteSource;
  readonly index: ArrowIndex;
  readonly reader: RangeReader;
}

/** Opens `files`, at least one, as one table. Throws `DatasetError`, also when they do not have the same columns. */
export async function openArrowRows(files: readonly string[], signal?: AbortSignal): Promise<ArrowRows> {
  const opened: OpenFile[] = [];
  const close = async (): Promise<void> => {
    for (const { source } of opened) await source.close();
  };
  try {
    for (const file of files) {
      const source = await openFile(file);
      try {
        const index = await indexArrow(source, signal);
        const own = { source, index, reader: new RangeReader(source, index.fields) };
        refuseOtherColumns(file, shapesOf(own), shapesOf(opened[0] ?? own));
        opened.push(own);
      } catch (error) {
        await source.close();
        throw error;
      }
    }
    const [first] = opened;
    if (first === undefined) throw new RangeError('there are no files');
    for (const field of first.index.fields) refuseUnions(first.source.location, field.name, field);
    const schema = withPlainTasks(first.index.schema);
    // Each file has dictionaries of its own, and only a stream may go over to others.
    const isStream = opened.length > 1 && schema.fields.some(({ type }) => hasDictionary(type));
    const framing = isStream ? 'stream' : first.index.framing;
    return { schema, framing, take: chunksOf(opened, schema), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function chunksOf(files: readonly OpenFile[], schema: Schema): ArrowRows['take'] {
  let file = 0;
  let row = 0;
  return async function* (rows, signal) {
    for (let left = rows; left > 0;) {
      signal?.throwIfAborted();
      const { source, index, reader } = files[file] ?? {};
      if (source === undefined || index === undefined || reader === undefined)
        throw new RangeError(`there are ${left} rows fewer than were asked for`);
      if (row >= index.rowCount) {
        file++;
        row = 0;
        continue;
      }
      const batch = batchOf(index.batches, row);
      const from = row - batch.firstRow;
      const count = Math.min(left, batch.rows - from);
      const columns: Data[] = [];
      for (const [at, field] of schema.fields.entries()) {
        try {
          const data = await reader.read(at, batch, from, count, signal);
          columns.push(data.type === field.type ? data : asField(data, field));
        } catch (error) {
          throw rowError(error, source.location, field.name, row);
        }
      }
      yield { rows: count, columns };
      row += count;
      left -= count;
    }
  };
}

/** A dictionary of archives has no room for a new one, and no use: every archive is there once. */
function withPlainTasks(schema: Schema): Schema {
  const fields = schema.fields.map((field) =>
    field.name === TASK_COLUMN && DataType.isDictionary(field.type)
      ? new Field(field.name, field.type.dictionary as DataType, field.nullable, field.metadata)
      : field,
  );
  return new Schema(fields, schema.metadata);
}

/** The column as the first file of the dataset has it: types of other files are equal, but not the same object. */
function asField(data: Data, { type }: Field): Data {
  if (DataType.isDictionary(data.type) && !DataType.isDictionary(type))
    return binaryData(type, cellsOf(data));
  return data.clone(type);
}

function hasDictionary(type: DataType): boolean {
  return (
    DataType.isDictionary(type) || (type.children ?? []).some((child: Field) => hasDictionary(child.type))
  );
}

function refuseUnions(location: string, column: string, field: Field): void {
  if (DataType.isUnion(field.type)) throw cannotWrite(location, column, 'unions', 'Arrow');
  for (const child of field.type.children ?? []) refuseUnions(location, column, child);
}

function shapesOf({ index }: OpenFile): ColumnShape[] {
  return index.fields.map(({ name, type }) => ({ name, shape: String(type) }));
}
