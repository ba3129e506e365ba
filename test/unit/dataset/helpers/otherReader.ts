/** Tables as a reader gives them that is not ours: Rust's parquet, or apache-arrow. */
import { readFileSync } from 'node:fs';
import { type Table, tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm/node';

export function otherTable(file: string): Table {
  const bytes = readFileSync(file);
  return tableFromIPC(file.endsWith('.arrow') ? bytes : readParquet(bytes).intoIPCStream());
}
