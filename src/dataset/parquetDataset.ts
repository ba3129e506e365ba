/** Parquet: `path` and `task_binary` columns, read page by page through hyparquet's decoders. */
import type { ByteSource } from './byteSource.ts';
import { PATH_COLUMN, TASK_COLUMN, checkRow, missingColumn, wrongType } from './tables/columns.ts';
import type { Dataset, DatasetLimits, ExtraValue } from './dataset.ts';
import { ColumnReader } from './parquet/columnReader.ts';
import { readExtra } from './parquet/extras.ts';
import type { LeafColumn, ParquetFooter } from './parquet/footer.ts';
import { readFooter } from './parquet/footer.ts';
import type { PathListBuilder } from './tables/pathList.ts';
import { TableDataset } from './tables/tableDataset.ts';

/** A page may hold many cells, so it may be larger than one cell's limit; in bytes. */
export const PAGE_HEADROOM = 64 * 1024 * 1024;
const MAX_EXTRA_PAGE_BYTES = 32 * 1024 * 1024;

/** Opens a Parquet file; takes over `source` and closes it when this fails. */
export async function openParquet(
  source: ByteSource,
  limits: DatasetLimits,
  signal?: AbortSignal,
): Promise<Dataset> {
  try {
    const footer = await readFooter(source, signal);
    return new ParquetDataset(source, footer, limits);
  } catch (error) {
    await source.close();
    throw error;
  }
}

class ParquetDataset extends TableDataset {
  readonly format = 'parquet';
  readonly #path: ColumnReader;
  readonly #task: ColumnReader;
  readonly #extras: readonly ColumnReader[];

  constructor(source: ByteSource, footer: ParquetFooter, limits: DatasetLimits) {
    super(source, footer.rowCount, footer.columns, limits);
    const maxPageBytes = limits.cellBytes + PAGE_HEADROOM;
    const binary = (name: string): ColumnReader =>
      new ColumnReader(source, footer, binaryLeaf(footer, name, source.location), maxPageBytes);
    this.#path = binary(PATH_COLUMN);
    this.#task = binary(TASK_COLUMN);
    this.#extras = footer.leaves
      .filter((leaf) => leaf.path[0] !== PATH_COLUMN && leaf.path[0] !== TASK_COLUMN)
      .map((leaf) => new ColumnReader(source, footer, leaf, MAX_EXTRA_PAGE_BYTES));
  }

  async extras(row: number, signal?: AbortSignal): Promise<Readonly<Record<string, ExtraValue>>> {
    checkRow(this, row);
    const values: Record<string, ExtraValue> = {};
    for (const column of this.#extras) {
      const [name, value] = await readExtra(column, row, signal);
      values[name] = value;
    }
    return values;
  }

  protected readCell(row: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    return this.#task.cell(row, this.limits.cellBytes, signal);
  }

  protected async listPaths(list: PathListBuilder, signal?: AbortSignal): Promise<void> {
    const { maxDefinition } = this.#path.leaf;
    for await (const page of this.#path.pages(signal)) {
      if (page.values.kind !== 'bytes') continue;
      const { bytes, starts, ends } = page.values.arrays;
      let value = 0;
      for (let entry = 0; entry < page.count; entry++) {
        const present = page.definition === undefined || page.definition[entry] === maxDefinition;
        if (present) list.add(bytes, starts[value] ?? 0, ends[value] ?? 0);
        else list.add(bytes, 0, 0);
        if (present) value++;
      }
    }
  }
}

function binaryLeaf(footer: ParquetFooter, name: string, location: string): LeafColumn {
  const leaf = footer.leaves.find((candidate) => candidate.path[0] === name);
  if (leaf === undefined) throw missingColumn(location, name, footer.columns);
  if (leaf.path.length > 1 || leaf.maxRepetition > 0) throw wrongType(location, name, 'nested values');
  if (leaf.element.type !== 'BYTE_ARRAY') throw wrongType(location, name, String(leaf.element.type));
  return leaf;
}
