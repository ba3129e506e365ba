/** Arrow IPC, stream (as Hugging Face caches it) and file format: one row touches one batch. */
import type { Field } from 'apache-arrow';
import { BinaryColumn, holdsBytes } from './arrow/binaryColumn.ts';
import { readArrowExtra } from './arrow/extras.ts';
import type { ArrowIndex, RowBatch } from './arrow/messages.ts';
import { batchOf, indexArrow } from './arrow/messages.ts';
import type { ByteSource } from './byteSource.ts';
import { PATH_COLUMN, TASK_COLUMN, checkRow, missingColumn, wrongType } from './tables/columns.ts';
import type { Dataset, DatasetLimits, ExtraValue } from './dataset.ts';
import type { PathListBuilder } from './tables/pathList.ts';
import { TableDataset } from './tables/tableDataset.ts';

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

class ArrowDataset extends TableDataset {
  readonly format = 'arrow';
  readonly #fields: readonly Field[];
  readonly #batches: readonly RowBatch[];
  readonly #path: BinaryColumn;
  readonly #task: BinaryColumn;

  constructor(source: ByteSource, index: ArrowIndex, limits: DatasetLimits) {
    super(
      source,
      index.rowCount,
      index.fields.map((field) => field.name),
      limits,
    );
    this.#fields = index.fields;
    this.#batches = index.batches;
    this.#path = this.#column(PATH_COLUMN);
    this.#task = this.#column(TASK_COLUMN);
  }

  async extras(row: number, signal?: AbortSignal): Promise<Readonly<Record<string, ExtraValue>>> {
    checkRow(this, row);
    const batch = batchOf(this.#batches, row);
    const values: Record<string, ExtraValue> = {};
    for (const [index, { name }] of this.#fields.entries()) {
      if (name === PATH_COLUMN || name === TASK_COLUMN) continue;
      const inBatch = row - batch.firstRow;
      values[name] = await readArrowExtra(this.source, this.#fields, index, batch, inBatch, signal);
    }
    return values;
  }

  protected async readCell(row: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    const batch = batchOf(this.#batches, row);
    return this.#task.cell(batch, row - batch.firstRow, this.limits.cellBytes, signal);
  }

  protected async listPaths(list: PathListBuilder, signal?: AbortSignal): Promise<void> {
    for (const batch of this.#batches) {
      await this.#path.scan(
        batch,
        (bytes, start, end) => list.add(bytes, start, end),
        this.limits.pathBytes,
        signal,
      );
    }
  }

  #column(name: string): BinaryColumn {
    const index = this.#fields.findIndex((field) => field.name === name);
    const field = this.#fields[index];
    if (field === undefined) throw missingColumn(this.location, name, this.columns);
    if (!holdsBytes(field.type)) throw wrongType(this.location, name, String(field.type));
    return new BinaryColumn(this.source, this.#fields, index, field.type);
  }
}
