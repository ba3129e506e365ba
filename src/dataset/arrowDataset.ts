/** Arrow IPC, stream (as Hugging Face caches it) and file format: one row touches one batch. */
import type { Field } from 'apache-arrow';
import { BinaryColumn, holdsBytes } from './arrow/binaryColumn.ts';
import { readArrowExtra } from './arrow/extras.ts';
import type { ArrowIndex, RowBatch } from './arrow/messages.ts';
import { indexArrow } from './arrow/messages.ts';
import type { ByteSource } from './byteSource.ts';
import {
  PATH_COLUMN,
  TASK_COLUMN,
  checkRow,
  missingColumn,
  nullCell,
  rowError,
  wrongType,
} from './columns.ts';
import type { Dataset, DatasetLimits, ExtraValue, RowContent } from './dataset.ts';
import { Corrupt } from './formatErrors.ts';
import type { PathList } from './pathList.ts';
import { PathListBuilder } from './pathList.ts';

/** Opens an Arrow file; takes over `source` and closes it when this fails. */
export async function openArrow(
  source: ByteSource,
  limits: DatasetLimits,
  signal?: AbortSignal,
): Promise<Dataset> {
  try {
    return new ArrowDataset(source, await indexArrow(source, signal), limits);
  } catch (error) {
    await source.close();
    throw error;
  }
}

class ArrowDataset implements Dataset {
  readonly format = 'arrow';
  readonly location: string;
  readonly rowCount: number;
  readonly columns: readonly string[];
  readonly #source: ByteSource;
  readonly #limits: DatasetLimits;
  readonly #fields: readonly Field[];
  readonly #batches: readonly RowBatch[];
  readonly #path: BinaryColumn;
  readonly #task: BinaryColumn;
  #paths: PathList | undefined;

  constructor(source: ByteSource, index: ArrowIndex, limits: DatasetLimits) {
    this.location = source.location;
    this.rowCount = index.rowCount;
    this.columns = index.fields.map((field) => field.name);
    this.#source = source;
    this.#limits = limits;
    this.#fields = index.fields;
    this.#batches = index.batches;
    this.#path = this.#column(PATH_COLUMN);
    this.#task = this.#column(TASK_COLUMN);
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
    const batch = this.#batchOf(row);
    const values: Record<string, ExtraValue> = {};
    for (const [index, { name }] of this.#fields.entries()) {
      if (name === PATH_COLUMN || name === TASK_COLUMN) continue;
      const inBatch = row - batch.firstRow;
      values[name] = await readArrowExtra(this.#source, this.#fields, index, batch, inBatch, signal);
    }
    return values;
  }

  async readTask(row: number, signal?: AbortSignal): Promise<RowContent> {
    checkRow(this, row);
    try {
      const batch = this.#batchOf(row);
      const bytes = await this.#task.cell(batch, row - batch.firstRow, this.#limits.cellBytes, signal);
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
    for (const batch of this.#batches) {
      await this.#path.scan(
        batch,
        (bytes, start, end) => list.add(bytes, start, end),
        this.#limits.pathBytes,
        signal,
      );
    }
    return list.finish(this.rowCount);
  }

  #column(name: string): BinaryColumn {
    const index = this.#fields.findIndex((field) => field.name === name);
    const field = this.#fields[index];
    if (field === undefined) throw missingColumn(this.location, name, this.columns);
    if (!holdsBytes(field.type)) throw wrongType(this.location, name, String(field.type));
    return new BinaryColumn(this.#source, this.#fields, index, field.type);
  }

  #batchOf(row: number): RowBatch {
    let low = 0;
    let high = this.#batches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#batches[middle]?.firstRow ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    const batch = this.#batches[low];
    if (batch === undefined) throw new Corrupt('it has no batches');
    return batch;
  }
}
