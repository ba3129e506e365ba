/** Reads one row of an extra Arrow column for showing, through apache-arrow's own loader. */
import { DataType, MetadataVersion, Vector } from 'apache-arrow';
import type { Data, Field } from 'apache-arrow';
import { BufferRegion, FieldNode } from 'apache-arrow/ipc/metadata/message';
import { VectorLoader } from 'apache-arrow/visitor/vectorloader';
import type { ByteSource } from '../byteSource.ts';
import type { ExtraValue } from '../dataset.ts';
import { extraValue, notShown } from '../tables/extraValue.ts';
import { DatasetError } from '../datasetError.ts';
import { Corrupt } from '../formatErrors.ts';
import { Batch } from './batch.ts';
import type { ColumnPart } from './batch.ts';
import type { RowBatch } from './messages.ts';

/** All rows of a batch are loaded to show one, so columns larger than this are only named. */
const MAX_COLUMN_BYTES = 16 * 1024 * 1024;

/** The value of column `index` at `row` of the batch. Damage here does not keep other columns from being shown. */
export async function readArrowExtra(
  source: ByteSource,
  fields: readonly Field[],
  index: number,
  range: RowBatch,
  row: number,
  signal?: AbortSignal,
): Promise<ExtraValue> {
  try {
    const batch = await Batch.read(source, range, signal);
    const field = fields[index];
    if (field === undefined) return null;
    const dictionaries = await loadDictionaries(source, field.type, range, signal);
    const data = await load(batch, batch.part(fields, index), field.type, dictionaries, signal);
    const value: unknown = new Vector([data]).get(row);
    if (isMoment(field.type) && typeof value === 'number') return extraValue(new Date(value));
    return extraValue(isVector(value) ? [...value] : value);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DatasetError || !(error instanceof Error)) throw error;
    return notShown(error.message);
  }
}

async function loadDictionaries(
  source: ByteSource,
  type: DataType,
  range: RowBatch,
  signal?: AbortSignal,
): Promise<Map<number, Vector>> {
  const loaded = new Map<number, Vector>();
  for (const { id, values } of dictionaryTypes(type)) {
    const parts: Data[] = [];
    for (const dictionaryRange of range.dictionaries.get(id) ?? []) {
      const batch = await Batch.read(source, dictionaryRange, signal);
      parts.push(await load(batch, batch.wholePart(), values, loaded, signal));
    }
    if (parts.length > 0) loaded.set(id, new Vector(parts));
  }
  return loaded;
}

function dictionaryTypes(type: DataType): { id: number; values: DataType }[] {
  const inner: DataType[] = (type.children ?? []).map((child: Field) => child.type);
  const own: { id: number; values: DataType }[] = [];
  if ('dictionary' in type && 'id' in type && typeof type.id === 'number') {
    const values = type.dictionary as DataType;
    own.push({ id: type.id, values });
    inner.push(values);
  }
  return [...inner.flatMap(dictionaryTypes), ...own];
}

/** Lays the column's buffers one after the other and lets apache-arrow read them as a body. */
async function load(
  batch: Batch,
  part: ColumnPart,
  type: DataType,
  dictionaries: Map<number, Vector>,
  signal?: AbortSignal,
): Promise<Data> {
  const nodes: FieldNode[] = [];
  for (let i = 0; i < part.nodes; i++) {
    const { length, nullCount } = batch.node(part.firstNode + i);
    if (!(length >= 0 && length <= 1 << 24)) throw new Corrupt(`a batch claims ${length} values`);
    nodes.push(new FieldNode(length, nullCount));
  }
  const regions: BufferRegion[] = [];
  const buffers: Uint8Array[] = [];
  let size = 0;
  for (let i = 0; i < part.buffers; i++) {
    const bytes = await batch.buffer(part.firstBuffer + i, MAX_COLUMN_BYTES - size, signal);
    const padding = (8 - (bytes.length % 8)) % 8;
    regions.push(new BufferRegion(size, bytes.length));
    buffers.push(bytes, new Uint8Array(padding));
    size += bytes.length + padding;
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const bytes of buffers) {
    body.set(bytes, at);
    at += bytes.length;
  }
  return new VectorLoader(body, nodes, regions, dictionaries, MetadataVersion.V5, [
    ...part.variadicCounts,
  ]).visit(type);
}

/** apache-arrow gives dates and timestamps in milliseconds, whatever their unit. */
function isMoment(type: DataType): boolean {
  return DataType.isTimestamp(type) || DataType.isDate(type);
}

function isVector(value: unknown): value is Vector {
  return value instanceof Vector;
}
