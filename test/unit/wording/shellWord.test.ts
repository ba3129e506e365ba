import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { shellWord } from '../../../src/wording/shellWord.ts';

describe('a word of a shell', () => {
  it('is plain where it can be', () => {
    assert.equal(shellWord('a/b-1.txt'), 'a/b-1.txt');
    assert.equal(shellWord("it's"), `'it'\\''s'`);
    assert.equal(shellWord(''), "''");
  });

  it('is what the shell reads, whatever it holds', function () {
    if (process.platform === 'win32') this.skip();
    const words = fc.sample(fc.string({ unit: 'binary', maxLength: 12 }), { numRuns: 200, seed: 1 });
    const plain = words.map((word) => word.replace(/[\0\p{Surrogate}]/gu, ''));
    const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${plain.map(shellWord).join(' ')}`], {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
    });
    assert.deepEqual(stdout.split('\0').slice(0, -1), plain);
  });
});
