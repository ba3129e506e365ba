/** One measurement in a process of its own: `<reader> <job> <file> <row>`, its result as one line of JSON. */
import { openAsBlob } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { openDataset } from '../src/dataset/openDataset.ts';
import { cellMark } from './datasetFiles.ts';

/** Opens, then does the job; `open` is apart since a cell is measured on a dataset that is open and listed. */
interface Reader {
  open(file: string): Promise<{
    list(): Promise<number>;
    cell(row: number): Promise<Uint8Array>;
  }>;
}

const READERS: Readonly<Record<string, Reader>> = {
  ours: {
    open: async (file) => {
      const dataset = await openDataset(file);
      return {
        list: async () => (await dataset.paths()).length,
        cell: async (row) => {
          const task = await dataset.readTask(row);
          return task.kind === 'archive' ? task.bytes : new Uint8Array(0);
        },
      };
    },
  },
  hyparquet: {
    open: async (filename) => {
      const file = await asyncBufferFromFile(filename);
      const metadata = await parquetMetadataAsync(file);
      const read = (columns: string[], range: { rowStart?: number; rowEnd?: number }) =>
        parquetReadObjects({ file, metadata, columns, compressors, utf8: false, ...range });
      return {
        list: async () => (await read(['path'], {})).length,
        cell: async (row) => bytesOf((await read(['task_binary'], { rowStart: row, rowEnd: row + 1 }))[0]),
      };
    },
  },
  'parquet-wasm': {
    open: async (filename) => {
      const { ParquetFile } = await import('parquet-wasm');
      const file = await ParquetFile.fromFile(await openAsBlob(filename));
      return {
        list: async () => tableFromIPC((await file.read({ columns: ['path'] })).intoIPCStream()).numRows,
        cell: async (row) => {
          const table = await file.read({ columns: ['task_binary'], offset: row, limit: 1 });
          return bytesOf({
            task_binary: tableFromIPC(table.intoIPCStream()).getChild('task_binary')?.get(0),
          });
        },
      };
    },
  },
};

function bytesOf(row: Record<string, unknown> | undefined): Uint8Array {
  const value = row?.['task_binary'];
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

/** Time on a processor, all threads together: what a busy machine does not change. */
function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const [name = '', job = '', file = '', row = '0'] = process.argv.slice(2);
const reader = READERS[name];
if (reader === undefined) throw new Error(`there is no reader ${name}`);
const start = performance.now();
const begun = process.cpuUsage();
const opened = await reader.open(file);
const openMs = performance.now() - start;
const answer: Record<string, unknown> = { openMs };
if (job === 'list') {
  answer['rows'] = await opened.list();
  answer['ms'] = performance.now() - start;
  answer['cpuMs'] = cpuMsSince(begun);
} else {
  const asked = performance.now();
  const used = process.cpuUsage();
  const cell = await opened.cell(Number(row));
  answer['ms'] = performance.now() - asked;
  answer['cpuMs'] = cpuMsSince(used);
  if (Buffer.from(cell).toString('latin1', 0, 8) !== cellMark(Number(row))) {
    throw new Error(`${name} read another cell than that of row ${row}`);
  }
  const again = performance.now();
  await opened.cell(Math.floor(Number(row) / 2));
  answer['nextMs'] = performance.now() - again;
}
process.stdout.write(`${JSON.stringify({ ...answer, maxRssMb: process.resourceUsage().maxRSS / 1024 })}\n`);
process.exit(0);
