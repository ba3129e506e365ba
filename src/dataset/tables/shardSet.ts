/** Files that are one dataset in several parts, named `train-00000-of-00003.parquet` and so on. Pure. */

const SHARD = /^(.*-)(\d{5})(-of-(\d{5}))(\.parquet|\.arrow)$/;
const PATTERN = /^(.*-)\*(-of-(\d{5}))(\.parquet|\.arrow)$/;

export interface ShardName {
  /** The name of the whole set: `train-*-of-00003.parquet`. */
  readonly pattern: string;
  readonly index: number;
  readonly count: number;
}

/** What a name or path says about being a part; undefined when it is a whole. */
export function shardName(path: string): ShardName | undefined {
  const [, start = '', index, of = '', count, extension = ''] = SHARD.exec(path) ?? [];
  if (index === undefined) return undefined;
  const name = { pattern: `${start}*${of}${extension}`, index: Number(index), count: Number(count) };
  return name.index < name.count ? name : undefined;
}

/** The names of all parts of a set, in order; undefined when `pattern` is not the name of a set. */
export function shardsOfPattern(pattern: string): readonly string[] | undefined {
  const [, start = '', of = '', count, extension = ''] = PATTERN.exec(pattern) ?? [];
  const shards = Number(count ?? 0);
  if (shards === 0) return undefined;
  return Array.from(
    { length: shards },
    (_, index) => `${start}${String(index).padStart(5, '0')}${of}${extension}`,
  );
}
