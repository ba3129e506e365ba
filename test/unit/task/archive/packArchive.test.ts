import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { readTaskArchive } from '../../../../src/task/archive/archive.ts';
import { packTaskArchive } from '../../../../src/task/archive/packArchive.ts';
import type { TaskFile } from '../../../../src/task/task.ts';

const file = (path: string, text = 'x', mode = 0o600): TaskFile => ({ path, bytes: Buffer.from(text), mode });

describe('packing a task', () => {
  it('sorts the names, makes scripts executable and leaves no trace of time or host', async () => {
    const packed = await packTaskArchive([file('tests/test.sh'), file('instruction.md'), file('B.py')]);
    assert.deepEqual([...packed.subarray(4, 8)], [0, 0, 0, 0], 'the time in the gzip header');
    assert.equal(packed[9], 255, 'the system in the gzip header');
    const result = await readTaskArchive(packed);
    assert.ok(result.ok);
    assert.deepEqual(
      [...result.files.values()].map(({ path, mode }) => [path, mode]),
      [
        ['B.py', 0o644],
        ['instruction.md', 0o644],
        ['tests/test.sh', 0o755],
      ],
    );
    const tar = gunzipSync(packed);
    assert.equal(tar.subarray(136, 147).toString(), '00000000000', 'the time of a member');
    assert.equal(tar.length % 512, 0);
  });

  it('keeps names of any length and any bytes', async () => {
    const paths = [
      'src/caf\udce9.c',
      `${'folder-name/'.repeat(90)}x`,
      'größe',
      'n'.repeat(100),
      'n'.repeat(101),
    ];
    const result = await readTaskArchive(await packTaskArchive(paths.map((path) => file(path))));
    assert.ok(result.ok);
    assert.deepEqual([...result.files.keys()].sort(), [...paths].sort());
  });

  it('refuses a path that could not be read back', async () => {
    for (const [path, code] of [
      ['../a', 'path-traversal'],
      ['/a', 'absolute-path'],
      ['a/', 'bad-name'],
      ['./a', 'bad-name'],
      ['', 'bad-name'],
      ['a\\b', 'bad-name'],
      ['a\ud800', 'bad-name'],
    ] as const)
      await assert.rejects(packTaskArchive([file(path)]), { name: 'TaskArchiveError', code });
  });
});
