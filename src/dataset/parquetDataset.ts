/** Parquet: `path` and `task_binary` columns, read page by page through hyparquet's decoders. */
import type { ByteSource } from './byteSource.ts';
import type { Dataset, DatasetLimits, ExtraValue, RowContent } from './dataset.ts';
import {
  PATH_COLUMN,
  TASK_COLUMN,
  checkRow,
  missingColumn,
  nullCell,
  rowError,
  wrongType,
} from './columns.ts';
import { ColumnReader } from './parquet/columnReader.ts';
import { readExtra } from './parquet/extras.ts';
import type { LeafColumn, ParquetFooter } from './parquet/footer.ts';
import { readFooter } from './parquet/footer.ts';
import type { PathList } from './pathList.ts';
import { PathListBuilder } from './pathList.ts';

/** A page may hold many cells, so it may be larger than one cell's limit. */
const PAGE_HEADROOM = 64 * 1024 * 1024;
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

class ParquetDataset implements Dataset {
  readonly format = 'parquet';
  readonly location: string;
  readonly rowCount: number;
  readonly columns: readonly string[];
  readonly #source: ByteSource;
  readonly #limits: DatasetLimits;
  readonly #path: ColumnReader;
  readonly #task: ColumnReader;
  readonly #extras: readonly ColumnReader[];
  #paths: PathList | undefined;

  constructor(source: ByteSource, footer: ParquetFooter, limits: DatasetLimits) {
    this.location = source.location;
    this.rowCount = footer.rowCount;
    this.columns = footer.columns;
    this.#source = source;
    this.#limits = limits;
    const maxPageBytes = limits.cellBytes + PAGE_HEADROOM;
    this.#path = new ColumnReader(
      source,
      footer,
      binaryLeaf(footer, PATH_COLUMN, source.location),
      maxPageBytes,
    );
    this.#task = new ColumnReader(
      source,
      footer,
      binaryLeaf(footer, TASK_COLUMN, source.location),
      maxPageBytes,
    );
    this.#extras = footer.leaves
      .filter((leaf) => leaf.path[0] !== PATH_COLUMN && leaf.path[0] !== TASK_COLUMN)
      .map((leaf) => new ColumnReader(source, footer, leaf, MAX_EXTRA_PAGE_BYTES));
  }

  async paths(signal?: AbortSignal): Promise<PathList> {
    try {
      this.#paths ??= await this.#listPaths(signal);
      return this.#paths;
    } catch (error) {
      throw rowError(error, this.location, PATH_COLUMN);
    }
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

  async readTask(row: number, signal?: AbortSignal): Promise<RowContent> {
    checkRow(this, row);
    try {
      const bytes = await this.#task.cell(row, this.#limits.cellBytes, signal);
      if (bytes === null) throw nullCell(this.location, row);
      return { kind: 'archive', bytes };
    } catch (error) {
      throw rowError(error, this.location, TASK_COLUMN, row);
    }
  }

  async close(): Promise<void> {
    this.#paths = undefined;
    await this.#source.close();
  }

  async #listPaths(signal?: AbortSignal): Promise<PathList> {
    const list = new PathListBuilder(this.rowCount, this.#limits.pathBytes);
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
    return list.finish(this.rowCount);
  }
}

function binaryLeaf(footer: ParquetFooter, name: string, location: string): LeafColumn {
  const leaf = footer.leaves.find((candidate) => candidate.path[0] === name);
  if (leaf === undefined) throw missingColumn(location, name, footer.columns);
  if (leaf.path.length > 1 || leaf.maxRepetition > 0) throw wrongType(location, name, 'nested values');
  if (leaf.element.type !== 'BYTE_ARRAY') throw wrongType(location, name, String(leaf.element.type));
  return leaf;
}
