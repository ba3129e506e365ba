import assert from 'node:assert/strict';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readTaskArchive } from '../../../../src/task/archive/archive.ts';
import type { TaskArchiveError } from '../../../../src/task/archive/archiveError.ts';
import type { ArchiveLimits } from '../../../../src/task/archive/archiveLimits.ts';
import type { TaskFiles } from '../../../../src/task/task.ts';
import { remedyText } from '../../../host/remedyText.ts';
import { TAR_END, paxRecord, rawMember, tar, tarGz } from '../helpers/tarBytes.ts';

async function read(bytes: Uint8Array, limits?: Partial<ArchiveLimits>): Promise<TaskFiles> {
  const result = await readTaskArchive(bytes, limits);
  if (!result.ok) throw result.error;
  return result.files;
}

async function refusal(bytes: Uint8Array, limits?: Partial<ArchiveLimits>): Promise<TaskArchiveError> {
  const result = await readTaskArchive(bytes, limits);
  assert.equal(result.ok, false, 'the archive should have been refused');
  return result.error;
}

function texts(files: TaskFiles): Record<string, string> {
  return Object.fromEntries(
    [...files].map(([path, file]) => [path, Buffer.from(file.bytes).toString('latin1')]),
  );
}

const TWO = [
  { name: 'instruction.md', data: 'Fix it.\n' },
  { name: 'tests/test.sh', data: '#!/bin/bash\n', mode: 0o755 },
];

describe('a task archive that is as it should be', () => {
  it('is read when it is gzipped and when it is plain', async () => {
    const expected = { 'instruction.md': 'Fix it.\n', 'tests/test.sh': '#!/bin/bash\n' };
    assert.deepEqual(texts(await read(await tarGz(TWO))), expected);
    assert.deepEqual(texts(await read(await tar(TWO))), expected);
  });

  it('keeps permission bits and drops all others', async () => {
    const files = await read(await tar([{ name: 'a.sh', data: '', mode: 0o4755 }]));
    assert.equal(files.get('a.sh')?.mode, 0o755);
  });

  it('may start its names with ./ and hold folder entries', async () => {
    const files = await read(
      await tar([
        { name: './', type: 'directory' },
        { name: './tests/', type: 'directory' },
        { name: './tests//test.sh', data: 'x' },
      ]),
    );
    assert.deepEqual(texts(files), { 'tests/test.sh': 'x' });
    assert.equal(files.get('tests/test.sh')?.path, 'tests/test.sh');
  });

  it('has its last duplicate win', async () => {
    const files = await read(
      await tar([
        { name: 'a', data: 'first' },
        { name: 'b', data: 'b' },
        { name: './a', data: 'second' },
      ]),
    );
    assert.deepEqual(texts(files), { a: 'second', b: 'b' });
  });

  it('may have names longer than a ustar header holds, in pax and in GNU form', async () => {
    const long = `tests/${'deep/'.repeat(60)}test_größe.py`;
    assert.deepEqual(texts(await read(await tar([{ name: long, data: 'pax' }]))), { [long]: 'pax' });
    const gnu = Buffer.concat([
      rawMember({ name: '././@LongLink', type: 'L', data: `${long}\0`, magic: 'ustar  \0' }),
      rawMember({ name: long.slice(0, 100), data: 'gnu', magic: 'ustar  \0' }),
      TAR_END,
    ]);
    assert.deepEqual(texts(await read(gnu)), { [long]: 'gnu' });
  });

  it('may have names that are no UTF-8, in a plain header, a GNU long name and a pax path', async () => {
    const name = Buffer.from('src/caf\xe9.c', 'latin1');
    const other = Buffer.from('src/na\xefve.c', 'latin1');
    const third = Buffer.from('src/\xff\xfe.c', 'latin1');
    const bytes = Buffer.concat([
      rawMember({ name, data: '1' }),
      rawMember({ name: '././@LongLink', type: 'L', data: Buffer.concat([other, Buffer.from('\0')]) }),
      rawMember({ name: 'short', data: '2' }),
      rawMember({ name: 'PaxHeader', type: 'x', data: paxRecord('path', third) }),
      rawMember({ name: 'short', data: '3' }),
      TAR_END,
    ]);
    assert.deepEqual(texts(await read(bytes)), {
      'src/caf\udce9.c': '1',
      'src/na\udcefve.c': '2',
      'src/\udcff\udcfe.c': '3',
    });
  });

  it('may be older than ustar', async () => {
    assert.deepEqual(
      texts(await read(Buffer.concat([rawMember({ name: 'a', data: 'v7', magic: '' }), TAR_END]))),
      {
        a: 'v7',
      },
    );
  });

  it('keeps Latin-1 and CRLF bytes as they are', async () => {
    const source = Buffer.from('/* caf\xe9 */\r\nint x;\f\r\n', 'latin1');
    const files = await read(await tarGz([{ name: 'a.c', data: source }]));
    assert.deepEqual(Buffer.from(files.get('a.c')?.bytes ?? []), source);
  });

  it('may say more after its end, as long as gzip says that it is whole', async () => {
    const bytes = Buffer.concat([rawMember({ name: 'a', data: 'x' }), TAR_END, Buffer.alloc(8192)]);
    assert.deepEqual(texts(await read(gzipSync(bytes))), { a: 'x' });
  });
});

describe('a task archive that could land outside its folder', () => {
  for (const [name, code] of [
    ['../evil', 'path-traversal'],
    ['tests/../../evil', 'path-traversal'],
    ['./..', 'path-traversal'],
    ['/etc/passwd', 'absolute-path'],
    ['..\\evil', 'bad-name'],
    ['C:\\evil', 'bad-name'],
  ] as const)
    it(`is refused for the name ${name}`, async () => {
      const error = await refusal(Buffer.concat([rawMember({ name, data: 'x' }), TAR_END]));
      assert.equal(error.code, code);
      assert.equal(error.member, name);
      assert.ok(error.message.includes(JSON.stringify(name)), error.message);
    });

  for (const [type, kind] of [
    ['1', 'a hard link'],
    ['2', 'a symbolic link'],
    ['3', 'a device'],
    ['4', 'a device'],
    ['6', 'a named pipe'],
    ['S', 'a sparse file'],
    ['M', 'of the unknown kind "M"'],
  ] as const)
    it(`is refused for a member of type ${type}`, async () => {
      const error = await refusal(Buffer.concat([rawMember({ name: 'solution/x', type }), TAR_END]));
      assert.equal(error.code, 'not-a-regular-file');
      assert.equal(
        `${error.message} ${remedyText(error.remedies)}`,
        `The archive was refused: its member "solution/x" is ${kind}, and a task may hold only plain files and folders. Pack the task again with a copy of the file in its place.`,
      );
    });

  it('is refused for names that are empty, or hold a NUL', async () => {
    assert.equal(
      (await refusal(Buffer.concat([rawMember({ name: '', data: 'x' }), TAR_END]))).code,
      'bad-name',
    );
    const nul = Buffer.concat([
      rawMember({ name: 'PaxHeader', type: 'x', data: paxRecord('path', 'a\0b') }),
      rawMember({ name: 'a', data: 'x' }),
      TAR_END,
    ]);
    assert.equal((await refusal(nul)).code, 'bad-name');
    assert.equal(
      (await refusal(Buffer.concat([rawMember({ name: '.', data: 'x' }), TAR_END]))).code,
      'bad-name',
    );
  });

  it('is refused for names that are too long or too deep for any container', async () => {
    for (const name of ['n'.repeat(5000), 'd/'.repeat(101) + 'x'])
      assert.equal((await refusal(await tar([{ name, data: 'x' }]))).code, 'bad-name');
  });

  it('is refused when a file is the folder of another', async () => {
    const error = await refusal(
      await tar([
        { name: 'tests', data: 'x' },
        { name: 'tests-old/a', data: 'x' },
        { name: 'tests/test.sh', data: 'x' },
      ]),
    );
    assert.equal(error.code, 'conflicting-names');
    assert.match(error.message, /"tests" is both a file and the folder of "tests\/test.sh"/);
  });
});

describe('a task archive that costs too much', () => {
  it('is refused for its number of members', async () => {
    const error = await refusal(
      await tar(Array.from({ length: 5 }, (_, n) => ({ name: `f${n}`, data: '' }))),
      {
        members: 4,
      },
    );
    assert.equal(error.code, 'too-many-members');
    assert.match(error.message, /more than 4 members/);
  });

  it('is refused for the size of one file, before it is read', async () => {
    const bytes = rawMember({ name: 'big', size: 1_000_000_000, data: 'x' });
    const error = await refusal(gzipSync(bytes));
    assert.equal(error.code, 'file-too-large');
    assert.match(error.message, /"big" has 1000000000 bytes/);
  });

  it('is refused for the size of all files', async () => {
    const bytes = await tar([
      { name: 'a', data: Buffer.alloc(4000) },
      { name: 'b', data: Buffer.alloc(4000) },
    ]);
    assert.equal((await refusal(bytes, { totalBytes: 6000 })).code, 'too-large');
    assert.equal((await refusal(gzipSync(bytes), { totalBytes: 6000 })).code, 'too-large');
  });

  it('is refused when it is a bomb, long before it went off', async function () {
    this.timeout(20_000);
    const bomb = gzipSync(
      Buffer.concat([rawMember({ name: 'a', data: 'x' }), Buffer.alloc(64 * 1024 * 1024)]),
    );
    const error = await refusal(bomb, { ratio: 500, ratioAboveBytes: 1024 * 1024 });
    assert.equal(error.code, 'compression-bomb');
    assert.match(error.message, /more than 500 times its \d+ bytes/);
    const before = process.memoryUsage().arrayBuffers;
    assert.equal((await refusal(bomb, { totalBytes: 8 * 1024 * 1024 })).code, 'too-large');
    assert.ok(process.memoryUsage().arrayBuffers - before < 24 * 1024 * 1024);
  });
});

describe('bytes that are no whole task archive', () => {
  const cases: readonly (readonly [string, Uint8Array, string, RegExp])[] = [
    ['nothing', Buffer.alloc(0), 'not-an-archive', /it is empty/],
    ['a zip file', Buffer.from('PK\x03\x04rest'), 'not-an-archive', /looks like a zip file/],
    ['base64 text', Buffer.from(gzipSync('x').toString('base64')), 'not-an-archive', /base64 text/],
    ['text', Buffer.from('hello'), 'not-an-archive', /first bytes are 68 65 6c 6c 6f\. Check/],
    ['gzipped text', gzipSync('hello'.repeat(200)), 'damaged', /checksum of a header is wrong/],
    ['an archive of nothing', TAR_END, 'empty', /holds no files/],
    [
      'two bytes of gzip',
      Buffer.from([0x1f, 0x8b]),
      'truncated',
      /ends in the middle of its compressed data/,
    ],
  ];
  for (const [what, bytes, code, message] of cases)
    it(`${what} is refused as ${code}`, async () => {
      const error = await refusal(bytes);
      assert.equal(error.code, code);
      assert.match(`${error.message} ${remedyText(error.remedies)}`, message);
    });

  it('a flipped byte in gzipped data is noticed', async () => {
    const bytes = await tarGz(TWO);
    const at = bytes.length - 8;
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    assert.equal((await refusal(bytes)).code, 'damaged');
  });

  it('a plain archive without its end is taken as cut off', async () => {
    const whole = await tar(TWO);
    const error = await refusal(whole.subarray(0, whole.length - 1024));
    assert.equal(error.code, 'truncated');
    assert.match(error.message, /ends in the middle of the member after "tests\/test.sh"/);
  });

  it('every truncation of an archive is an error, or all of it was there', async function () {
    this.timeout(30_000);
    const whole = await tar(TWO);
    for (let length = 0; length < whole.length; length += 1) {
      const result = await readTaskArchive(whole.subarray(0, length));
      if (result.ok) assert.equal(result.files.size, 2, `cut at ${length}`);
    }
    const zipped = gzipSync(whole);
    for (let length = 0; length < zipped.length; length += 1) await refusal(zipped.subarray(0, length));
    assert.deepEqual(gunzipSync(zipped), whole);
  });

  it('a member whose extended header lies is refused', async () => {
    for (const data of ['x', '99 path=a\n', '5 path', '0 a=b\n', '12 size=abc\n'])
      assert.equal(
        (
          await refusal(
            Buffer.concat([
              rawMember({ name: 'P', type: 'x', data }),
              rawMember({ name: 'a', data: '' }),
              TAR_END,
            ]),
          )
        ).code,
        'damaged',
      );
  });
});
