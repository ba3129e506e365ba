/** Reads a Parquet file's footer: what columns there are and where each row group keeps them. */
import { parquetMetadata } from 'hyparquet';
import type { ColumnChunk, FileMetaData, KeyValue, SchemaElement } from 'hyparquet';
import type { ByteSource } from '../byteSource.ts';
import { DatasetError } from '../datasetError.ts';
import { thriftEnd } from './thrift.ts';

/** One leaf column: the values behind it, and how deep they are nested. */
export interface LeafColumn {
  /** Position among the leaves, which is also its position in every row group. */
  readonly index: number;
  /** Names from the top, such as `tags`, `list`, `element`. */
  readonly path: readonly string[];
  readonly element: SchemaElement;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

export interface RowGroupFacts {
  /** Row of the file that this group begins with. */
  readonly firstRow: number;
  readonly rows: number;
  readonly chunks: readonly ColumnChunk[];
}

export interface ParquetFooter {
  /** The schema tree, flattened: an element, then its children. The first is the root. */
  readonly schema: readonly SchemaElement[];
  readonly keyValues: readonly KeyValue[];
  readonly rowCount: number;
  /** Names of the top-level columns. */
  readonly columns: readonly string[];
  readonly leaves: readonly LeafColumn[];
  readonly groups: readonly RowGroupFacts[];
}

const MAGIC = 'PAR1';
const ENCRYPTED_MAGIC = 'PARE';
const MAX_FOOTER_BYTES = 256 * 1024 * 1024;
/** All of TaskTrove has 2.6 million rows; a number far above that comes from a damaged footer. */
const MAX_ROWS = 1 << 24;

/** Reads the footer of an open file. Throws `DatasetError`. */
export async function readFooter(source: ByteSource, signal?: AbortSignal): Promise<ParquetFooter> {
  const bytes = await readFooterBytes(source, signal);
  try {
    if (thriftEnd(bytes, 0) === undefined) throw new RangeError('it ends within a field');
    return factsOf(
      parquetMetadata(bytes, { geoparquet: false, parsers: { stringFromBytes: () => undefined } }),
    );
  } catch (error) {
    throw new DatasetError(
      'corrupt',
      `${source.location} has a damaged footer: ${error instanceof Error ? error.message : String(error)}.`,
      'Download or write the file again.',
      { cause: error },
    );
  }
}

/** The footer's Thrift struct with its length and magic. */
async function readFooterBytes(source: ByteSource, signal?: AbortSignal): Promise<Buffer> {
  const { location, size } = source;
  if (size < 12) throw truncated(source);
  const head = (await source.read(0, 4, signal)).toString('latin1');
  const tail = await source.read(size - 8, 8, signal);
  const magic = tail.toString('latin1', 4);
  if (head === ENCRYPTED_MAGIC || magic === ENCRYPTED_MAGIC) throw encrypted(location);
  if (magic !== MAGIC) throw truncated(source);
  const length = tail.readUInt32LE(0);
  if (length > size - 12 || length > MAX_FOOTER_BYTES) {
    throw new DatasetError(
      'corrupt',
      `${location} says that its footer has ${length} bytes, which cannot be in a file of ${size} bytes.`,
      'Download or write the file again.',
    );
  }
  return source.read(size - 8 - length, length + 8, signal);
}

function factsOf(metadata: FileMetaData): ParquetFooter {
  const leaves = leavesOf(metadata.schema);
  const groups: RowGroupFacts[] = [];
  let firstRow = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    if (!(rows >= 0 && firstRow + rows <= MAX_ROWS)) {
      throw new RangeError(`it claims more than ${MAX_ROWS} rows`);
    }
    if (group.columns.length !== leaves.length) {
      throw new RangeError(`a row group has ${group.columns.length} columns, the schema ${leaves.length}`);
    }
    groups.push({ firstRow, rows, chunks: group.columns });
    firstRow += rows;
  }
  const columns = [...new Set(leaves.map((leaf) => leaf.path[0] ?? ''))];
  const { schema, key_value_metadata: keyValues = [] } = metadata;
  return { schema, keyValues, rowCount: firstRow, columns, leaves, groups };
}

/** Walks the flattened schema tree; the element before its children says how many there are. */
export function leavesOf(schema: readonly SchemaElement[]): LeafColumn[] {
  const leaves: LeafColumn[] = [];
  let at = 1;
  const walk = (path: readonly string[], definition: number, repetition: number): void => {
    const element = schema[at++];
    if (element === undefined) throw new RangeError('its schema is incomplete');
    if (path.length > 32) throw new RangeError('its schema is nested too deeply');
    const maxDefinition = definition + (element.repetition_type === 'REQUIRED' ? 0 : 1);
    const maxRepetition = repetition + (element.repetition_type === 'REPEATED' ? 1 : 0);
    const here = [...path, element.name];
    if (element.type !== undefined) {
      leaves.push({ index: leaves.length, path: here, element, maxDefinition, maxRepetition });
      return;
    }
    for (let i = 0; i < (element.num_children ?? 0); i++) walk(here, maxDefinition, maxRepetition);
  };
  while (at < schema.length) walk([], 0, 0);
  return leaves;
}

function truncated({ location, size }: ByteSource): DatasetError {
  return new DatasetError(
    'truncated',
    `${location} begins like a Parquet file but does not end like one: after ${size} bytes its end is missing.`,
    'Download or copy the file again, and wait until that is done.',
  );
}

function encrypted(location: string): DatasetError {
  return new DatasetError(
    'encrypted',
    `${location} is an encrypted Parquet file.`,
    'Ask its owner for a copy without Parquet encryption.',
  );
}
