/** One write in a process of its own: `<writer> <source> <target>`, its result as one line of JSON. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { parquetWriteFile } from 'hyparquet-writer';
import { openDataset } from '../src/dataset/openDataset.ts';
import { writeDataset } from '../src/dataset/write/writeDataset.ts';

type Write = (source: string, target: string) => Promise<void>;

const WRITERS: Readonly<Record<string, Write>> = {
  ours: async (source, target) => {
    const dataset = await openDataset(source);
    await writeDataset(dataset, new Map(), target, { force: true });
    await dataset.close();
  },
  'hyparquet-writer': async (source, filename) => {
    const file = await asyncBufferFromFile(source);
    const rows = await parquetReadObjects({ file, compressors, utf8: false });
    const columnData = [
      { name: 'path', data: rows.map(({ path }) => path), type: 'BYTE_ARRAY' as const, columnIndex: true },
      { name: 'task_binary', data: rows.map((row) => row['task_binary']), type: 'BYTE_ARRAY' as const },
    ];
    await parquetWriteFile({ filename, columnData, rowGroupSize: 500 });
  },
  'parquet-wasm': async (source, target) => {
    const { readParquet, Table, writeParquet } = await import('parquet-wasm');
    const stream = readParquet(readFileSync(source)).intoIPCStream();
    if (tableFromIPC(stream).numRows === 0) throw new Error('there are no rows');
    writeFileSync(target, writeParquet(Table.fromIPCStream(stream)));
  },
};

const [name = '', source = '', target = ''] = process.argv.slice(2);
const write = WRITERS[name];
if (write === undefined) throw new Error(`there is no writer ${name}`);
const start = performance.now();
const begun = process.cpuUsage();
await write(source, target);
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(begun);
const maxRssMb = process.resourceUsage().maxRSS / 1024;
const fileMb = statSync(target).size / 1024 / 1024;
process.stdout.write(`${JSON.stringify({ ms, cpuMs: (user + system) / 1000, maxRssMb, fileMb })}\n`);
process.exit(0);
