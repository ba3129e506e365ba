/** Reads one row of an extra column for showing; what cannot be shown says why in its place. */
import type { SchemaElement } from 'hyparquet';
import { DEFAULT_PARSERS, convert } from 'hyparquet/src/convert.js';
import type { ExtraValue } from '../dataset.ts';
import { extraValue, notShown } from '../tables/extraValue.ts';
import { DatasetError } from '../datasetError.ts';
import { Corrupt } from '../formatErrors.ts';
import type { ColumnReader } from './columnReader.ts';
import type { LeafColumn } from './footer.ts';
import type { PageValues } from './page.ts';

const MAX_ITEMS = 200;
/** Names that writers give to the levels of a list, which say nothing to a reader. */
const LIST_LEVELS = new Set(['list', 'element', 'item', 'array', 'bag', 'array_element']);
const PARSERS = {
  ...DEFAULT_PARSERS,
  jsonFromBytes: DEFAULT_PARSERS.stringFromBytes,
  geometryFromBytes: (bytes: Uint8Array | undefined) => bytes,
  geographyFromBytes: (bytes: Uint8Array | undefined) => bytes,
};

/** Name and value of one column for `row`. Damage in this column does not keep the others from being shown. */
export async function readExtra(
  column: ColumnReader,
  row: number,
  signal?: AbortSignal,
): Promise<readonly [name: string, value: ExtraValue]> {
  const name = displayName(column.leaf);
  try {
    return [name, await readValue(column, row, signal)];
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DatasetError || !(error instanceof Error)) throw error;
    return [name, notShown(error.message)];
  }
}

async function readValue(column: ColumnReader, row: number, signal?: AbortSignal): Promise<ExtraValue> {
  const { leaf } = column;
  const { page, index, value } = await column.entry(row, signal);
  if (leaf.maxRepetition === 0) return value < 0 ? null : show(page.values, value, leaf.element);
  const items: ExtraValue[] = [];
  let position = value < 0 ? presentBefore(page.definition, index, leaf.maxDefinition) : value;
  for (let entry = index; entry < page.count && items.length < MAX_ITEMS; entry++) {
    if (entry > index && (page.repetition?.[entry] ?? 0) === 0) break;
    const level = page.definition?.[entry] ?? leaf.maxDefinition;
    if (level === leaf.maxDefinition) items.push(show(page.values, position++, leaf.element));
    // One level below stands for a null element, any lower one for a list that is empty or null.
    else if (level === leaf.maxDefinition - 1 && leaf.element.repetition_type === 'OPTIONAL')
      items.push(null);
  }
  return items;
}

function presentBefore(definition: Uint8Array | undefined, index: number, max: number): number {
  let count = 0;
  for (let i = 0; i < index; i++) if (definition === undefined || definition[i] === max) count++;
  return count;
}

function show(values: PageValues, index: number, element: SchemaElement): ExtraValue {
  if (values.kind === 'scalars' && element.type === 'BOOLEAN') return values.scalars[index] === true;
  const raw = values.kind === 'bytes' ? byteValue(values, index) : values.scalars[index];
  if (raw === undefined) throw new Corrupt('a value is missing');
  const [converted]: unknown[] = Array.from(
    convert([raw], {
      pathInSchema: [],
      schemaPath: [],
      type: element.type ?? 'BYTE_ARRAY',
      element,
      codec: 'UNCOMPRESSED',
      parsers: PARSERS,
      utf8: false,
    }),
  );
  return extraValue(converted);
}

function byteValue({ arrays }: PageValues & { kind: 'bytes' }, index: number): Uint8Array {
  return arrays.bytes.subarray(arrays.starts[index], arrays.ends[index]);
}

function displayName({ path }: LeafColumn): string {
  const [top = '', ...rest] = path;
  return [top, ...rest.filter((name) => !LIST_LEVELS.has(name))].join('.');
}
