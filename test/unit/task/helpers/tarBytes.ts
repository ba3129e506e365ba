// Builds tar bytes for tests: through tar-stream where it can, by hand where an archive must be odd.
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

export interface Entry {
  readonly name: string;
  readonly data?: string | Uint8Array;
  readonly mode?: number;
  readonly type?: 'directory';
}

/** A tar as tar-stream writes it: ustar, pax for long and non-ASCII names. */
export async function tar(entries: readonly Entry[]): Promise<Buffer> {
  const packing = pack();
  for (const { data, ...header } of entries) {
    if (data === undefined) packing.entry(header);
    else packing.entry(header, typeof data === 'string' ? data : Buffer.from(data));
  }
  packing.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of packing) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

export async function tarGz(entries: readonly Entry[]): Promise<Buffer> {
  return gzipSync(await tar(entries));
}

/** One member with a header of our own making; `name` may hold any bytes. */
export function rawMember(options: {
  readonly name: string | Uint8Array;
  readonly type?: string;
  readonly data?: string | Uint8Array;
  readonly size?: number;
  readonly magic?: string;
}): Buffer {
  const data = Buffer.from(options.data ?? '');
  const block = Buffer.alloc(512);
  block.set(Buffer.from(options.name).subarray(0, 100), 0);
  block.write('0000644\0', 100, 'latin1');
  block.write(`${(options.size ?? data.length).toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  block.write(options.type ?? '0', 156, 'latin1');
  block.write(options.magic ?? 'ustar\x0000', 257, 'latin1');
  block.write('        ', 148, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([block, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

export const TAR_END = Buffer.alloc(1024);

/** A pax record, its own length included. */
export function paxRecord(key: string, value: string | Uint8Array): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')]);
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}
