/** Several files of one dataset as one: rows of the first shard, then of the second, and so on. */
import type { Dataset, DatasetFormat, ExtraValue, RowContent } from '../dataset.ts';
import { checkRow } from './columns.ts';
import type { PathList } from './pathList.ts';
import { PathListBuilder } from './pathList.ts';

/** Joins open shards, which are closed together. There must be at least one. */
export function joinShards(location: string, shards: readonly Dataset[], maxPathBytes: number): Dataset {
  return new ShardedDataset(location, shards, maxPathBytes);
}

class ShardedDataset implements Dataset {
  readonly format: DatasetFormat;
  readonly location: string;
  readonly files: readonly string[];
  readonly rowCount: number;
  readonly columns: readonly string[];
  readonly #shards: readonly Dataset[];
  readonly #maxPathBytes: number;
  #paths: PathList | undefined;

  constructor(location: string, shards: readonly Dataset[], maxPathBytes: number) {
    this.format = shards[0]?.format ?? 'parquet';
    this.location = location;
    this.files = shards.flatMap((shard) => shard.files);
    this.rowCount = shards.reduce((rows, shard) => rows + shard.rowCount, 0);
    this.columns = [...new Set(shards.flatMap((shard) => shard.columns))];
    this.#shards = shards;
    this.#maxPathBytes = maxPathBytes;
  }

  async paths(signal?: AbortSignal): Promise<PathList> {
    if (this.#paths !== undefined) return this.#paths;
    const joined = new PathListBuilder(this.rowCount, this.#maxPathBytes);
    for (const shard of this.#shards) {
      const paths = await shard.paths(signal);
      for (let row = 0; row < paths.length; row++) {
        const bytes = paths.bytesAt(row);
        joined.add(bytes, 0, bytes.length);
      }
    }
    this.#paths = joined.finish();
    return this.#paths;
  }

  async extras(row: number, signal?: AbortSignal): Promise<Readonly<Record<string, ExtraValue>>> {
    const { shard, rowInShard } = this.#shardOf(row);
    return shard.extras(rowInShard, signal);
  }

  async readTask(row: number, signal?: AbortSignal): Promise<RowContent> {
    const { shard, rowInShard } = this.#shardOf(row);
    return shard.readTask(rowInShard, signal);
  }

  async close(): Promise<void> {
    this.#paths = undefined;
    for (const shard of this.#shards) await shard.close();
  }

  #shardOf(row: number): { shard: Dataset; rowInShard: number } {
    checkRow(this, row);
    let rowInShard = row;
    for (const shard of this.#shards) {
      if (rowInShard < shard.rowCount) return { shard, rowInShard };
      rowInShard -= shard.rowCount;
    }
    throw new RangeError(`row ${row} is in no shard`);
  }
}
