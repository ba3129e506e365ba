// The solutions of runs, each kept once and given back only as it was verified.
import assert from 'node:assert/strict';
import { readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { keptFileOf, readKeptSolution } from '../../../../src/workspace/runs/keptSolutions.ts';
import { solutionHash } from '../../../../src/verifier/plan/solution.ts';
import { workspaceWithRuns } from '../helpers/workspaceWithRuns.ts';

const LATIN1_CRLF = Buffer.from('caf\xe9\r\nx\r\n', 'latin1');

describe('the solutions that a workspace keeps', () => {
  const on = workspaceWithRuns();
  const { changed, runs, save, shown } = on;

  it('keeps one file a solution, however often it was verified, and gives back every byte', async () => {
    const solution = changed(
      ['/app/caf\udce9.c', LATIN1_CRLF],
      ['/app/aliases.ini', ''],
      ['/app/README.txt', undefined],
    );
    await save(solution, '2026-01-01T10:00:00.000Z');
    const file = keptFileOf(on.workspace, solutionHash(solution));
    const longAgo = new Date('2026-01-01T09:00:00.000Z');
    await utimes(file, longAgo, longAgo);
    const { ino } = await stat(file);
    await save(solution, '2026-01-01T10:00:01.000Z');
    assert.equal((await readdir(join(runs(), 'solutions'))).length, 1);
    const now = await stat(file);
    assert.equal(now.ino, ino, 'it is not written again');
    assert.notEqual(now.mtimeMs, longAgo.getTime(), 'it counts as new');
    const kept = await readKeptSolution(on.workspace, solutionHash(solution));
    assert.deepEqual(
      [...(kept?.files ?? [])].map(([path, bytes]) => [path, Buffer.from(bytes)]).sort(),
      [...solution.files].map(([path, bytes]) => [path, Buffer.from(bytes)]).sort(),
    );
  });

  it('keeps no solution that changes more than can be kept, and the run all the same', async () => {
    const big = changed(['/app/big.bin', new Uint8Array(17 * 1024 * 1024)]);
    await save(big, '2026-01-01T10:00:00.000Z');
    assert.deepEqual(
      (await shown()).map(({ kept }) => kept),
      [false],
    );
  });

  it('uses no kept solution that was edited, swapped, or unpacks without end', async () => {
    const solution = changed(['/app/new.py', 'a']);
    const hash = solutionHash(solution);
    await save(solution, '2026-01-01T10:00:00.000Z');
    const file = keptFileOf(on.workspace, hash);
    const damages = [
      gzipSync(JSON.stringify({ version: 1, files: [{ path: '/app/new.py', base64: 'Yg==' }], deleted: [] })),
      gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)),
      Buffer.from('no gzip'),
      gzipSync('{'),
    ];
    for (const bytes of damages) {
      await writeFile(file, bytes);
      await assert.rejects(
        readKeptSolution(on.workspace, hash),
        /cannot be used: it is not the solution that was verified\.$/,
      );
      assert.equal((await shown())[0]?.files, undefined);
    }
    await save(solution, '2026-01-01T10:00:01.000Z');
    assert.equal(solutionHash((await readKeptSolution(on.workspace, hash)) ?? on.starter), hash, 'kept anew');
    await rm(file);
    await symlink('/etc/passwd', file);
    assert.deepEqual(
      (await shown()).map(({ kept }) => kept),
      [false, false],
    );
    await assert.rejects(readKeptSolution(on.workspace, hash), /is a symbolic link/);
  });

  it('writes no solution through a link', async () => {
    await symlink(on.root(), join(runs(), 'solutions'));
    await assert.rejects(save(on.starter, '2026-01-01T10:00:00.000Z'), /solutions is not a folder/);
  });
});
