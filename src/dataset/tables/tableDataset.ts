/** What the formats with columns share: which row and column an error concerns, and that paths are listed once. */
import type { ByteSource } from '../byteSource.ts';
import { PATH_COLUMN, TASK_COLUMN, checkRow, nullCell, rowError } from './columns.ts';
import type { Dataset, DatasetLimits, ExtraValue, RowContent } from '../dataset.ts';
import type { PathList } from './pathList.ts';
import { PathListBuilder } from './pathList.ts';

export abstract class TableDataset implements Dataset {
  abstract readonly format: 'parquet' | 'arrow';
  readonly location: string;
  readonly files: readonly string[];
  readonly rowCount: number;
  readonly columns: readonly string[];
  protected readonly source: ByteSource;
  protected readonly limits: DatasetLimits;
  #paths: PathList | undefined;

  constructor(source: ByteSource, rowCount: number, columns: readonly string[], limits: DatasetLimits) {
    this.location = source.location;
    this.files = [source.location];
    this.rowCount = rowCount;
    this.columns = columns;
    this.source = source;
    this.limits = limits;
  }

  abstract extras(row: number, signal?: AbortSignal): Promise<Readonly<Record<string, ExtraValue>>>;

  async paths(signal?: AbortSignal): Promise<PathList> {
    try {
      if (this.#paths === undefined) {
        const list = new PathListBuilder(this.rowCount, this.limits.pathBytes);
        await this.listPaths(list, signal);
        this.#paths = list.finish(this.rowCount);
      }
      return this.#paths;
    } catch (error) {
      throw rowError(error, this.location, PATH_COLUMN);
    }
  }

  async readTask(row: number, signal?: AbortSignal): Promise<RowContent> {
    checkRow(this, row);
    try {
      const bytes = await this.readCell(row, signal);
      if (bytes === null) throw nullCell(this.location, row);
      return { kind: 'archive', bytes };
    } catch (error) {
      throw rowError(error, this.location, TASK_COLUMN, row);
    }
  }

  async close(): Promise<void> {
    this.#paths = undefined;
    await this.source.close();
  }

  /** Adds the path of every row, in order. */
  protected abstract listPaths(list: PathListBuilder, signal?: AbortSignal): Promise<void>;

  /** The `task_binary` cell of a row that exists. */
  protected abstract readCell(row: number, signal?: AbortSignal): Promise<Uint8Array | null>;
}
