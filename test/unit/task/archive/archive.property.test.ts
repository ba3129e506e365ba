import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readTaskArchive } from '../../../../src/task/archive/archive.ts';
import { TaskArchiveError } from '../../../../src/task/archive/archiveError.ts';
import { packTaskArchive } from '../../../../src/task/archive/packArchive.ts';
import type { TaskFile } from '../../../../src/task/task.ts';
import { rawMember, tar } from '../helpers/tarBytes.ts';

const RUNS = { numRuns: 100 };

const segment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((text) => !/[/\\\0]/.test(text) && text !== '.' && text !== '..' && !/\p{Surrogate}/u.test(text));

const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));

/** Trees whose files are never the folder of another: each lies under a folder of its own number. */
const tree = fc
  .array(fc.record({ path, bytes: fc.uint8Array({ maxLength: 1500 }) }), { minLength: 1, maxLength: 12 })
  .map((files) => files.map((file, index) => ({ ...file, path: `${index}/${file.path}`, mode: 0o644 })));

async function assertReads(bytes: Uint8Array, files: readonly TaskFile[]): Promise<void> {
  const result = await readTaskArchive(bytes);
  if (!result.ok) throw result.error;
  assert.deepEqual(
    [...result.files.values()].map((file) => [file.path, Buffer.from(file.bytes).toString('hex')]).sort(),
    files.map((file) => [file.path, Buffer.from(file.bytes).toString('hex')]).sort(),
  );
}

describe('any archive', function () {
  this.timeout(30_000);

  it('of any tree comes back as it went in, through tar-stream and gzip', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.boolean(), async (files, zipped) => {
        const bytes = await tar(files.map((file) => ({ name: file.path, data: file.bytes })));
        await assertReads(zipped ? gzipSync(bytes) : bytes, files);
      }),
      RUNS,
    );
  });

  it('that we pack comes back as it went in, and is the same however its files were ordered', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (files) => {
        const bytes = await packTaskArchive(files);
        await assertReads(bytes, files);
        assert.deepEqual(await packTaskArchive([...files].reverse()), bytes);
      }),
      RUNS,
    );
  });

  it('of random bytes is refused with a named error', async () => {
    const start = fc.constantFrom('', '\x1f\x8b', '\x1f\x8b\x08\0\0\0\0\0\0\xff');
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 3000 }), async (magic, rest) => {
        const result = await readTaskArchive(Buffer.concat([Buffer.from(magic, 'latin1'), rest]));
        assert.ok(!result.ok && result.error instanceof TaskArchiveError && result.error.message.length > 40);
      }),
      RUNS,
    );
  });

  it('with random bytes in its headers never throws and never leaves its folder', async () => {
    const block = fc.record({
      name: fc.uint8Array({ maxLength: 100 }),
      type: fc.constantFrom('0', '5', 'x', 'L', 'g', '7', '2'),
      data: fc.uint8Array({ maxLength: 600 }),
      size: fc.option(fc.nat(700), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 5 }), async (blocks) => {
        const members = blocks.map(({ size, ...rest }) =>
          rawMember({ ...rest, ...(size === undefined ? {} : { size }) }),
        );
        const result = await readTaskArchive(gzipSync(Buffer.concat(members)));
        if (!result.ok) return;
        for (const name of result.files.keys())
          assert.ok(name !== '' && !name.startsWith('/') && !name.split('/').includes('..'));
      }),
      RUNS,
    );
  });

  it('that is cut anywhere is refused, or all of it was there', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(), fc.boolean(), async (files, cut, zipped) => {
        const whole = await tar(files.map((file) => ({ name: file.path, data: file.bytes })));
        const bytes = zipped ? gzipSync(whole) : whole;
        const result = await readTaskArchive(bytes.subarray(0, cut % bytes.length));
        if (result.ok) assert.equal(result.files.size, files.length);
      }),
      RUNS,
    );
  });
});
