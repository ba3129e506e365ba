// Patches are worth what the programs that people use make of them, so the real ones apply each of these.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyPatch } from '../../../../src/gold/patch/applyPatch.ts';
import { goldPatch, type PatchedFile } from '../../../../src/gold/patch/goldPatch.ts';
import { ownTree, type Program, PROGRAMS, treeAfter, wantedTree } from '../helpers/patchPrograms.ts';
import { file, numbered } from '../helpers/patchedFiles.ts';

const HAND_MADE: Readonly<Record<string, readonly PatchedFile[]>> = {
  'a changed line': [file('a\nb\nc\n', 'a\nB\nc\n')],
  'changes far apart': [file(numbered(1, 60), numbered(1, 9) + 'x\n' + numbered(11, 50) + numbered(53, 60))],
  'Latin-1': [file('caf\xe9\nna\xefve\n', 'caf\xe8\nna\xefve\n')],
  CRLF: [file('a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n')],
  'mixed line endings': [file('a\r\nb\nc\r\n', 'a\nb\nc\r\n')],
  'lone carriage returns and form feeds': [file('a\rb\n\x0cc\n', 'a\rB\n\x0cc\n')],
  'separators of Unicode as bytes': [file('a\x85b\xe2\x80\xa8c\n', 'a\x85B\xe2\x80\xa8c\n')],
  'a newline at the end that goes': [file('a\nb\n', 'a\nb')],
  'a newline at the end that comes': [file('a\nb', 'a\nb\n')],
  'no newline at the end on both sides': [file('a\nb', 'A\nb')],
  'an added file': [file(undefined, 'new\n', '/app/pkg/new.py')],
  'an added file without newline': [file(undefined, 'new', '/app/pkg/new.py')],
  'an added script': [file(undefined, '#!/bin/sh\n', '/app/run.sh', 0o755)],
  'an added empty file': [file(undefined, '', '/app/__init__.py')],
  'a deleted file': [file('old\nlines\n', undefined)],
  'a deleted file without newline': [file('old', undefined)],
  'a deleted empty file': [file('', undefined)],
  'a file that becomes empty': [file('old\n', '')],
  'a file that was empty': [file('', 'new\n')],
  'a script that stays one': [file('a\n', 'b\n', '/app/run.sh', 0o755)],
  'several files': [
    file('a\n', 'b\n', '/app/a.py'),
    file(undefined, 'n\n', '/app/b.py'),
    file('c\n', undefined, '/srv/c.py'),
  ],
  'lines that look like a patch': [
    file(
      '--- a/x\n+++ b/x\n@@ -1 +1 @@\ndiff --git a/x b/x\n\\ No newline at end of file\n',
      '-- a/x\n++ b/x\n@@ -1 +1 @@\n\\ No newline at end of file\n',
    ),
  ],
  'odd names': [
    file('a\n', 'b\n', '/app/with blank.py'),
    file('a\n', 'b\n', '/app/caf\u00e9.py'),
    file('a\n', 'b\n', '/app/quote"d.py'),
    file('a\n', 'b\n', '/app/back\\slash.py'),
    file('a\n', 'b\n', "/app/it's $HOME `x`; *?.py"),
    file('a\n', 'b\n', '/app/tab\there.py'),
    file(undefined, '', '/app/empty one.py'),
    file(undefined, 'n\n', '/app/new one.py'),
    file('o\n', undefined, '/app/old one.py'),
    file('o\n', 'n\n', '/app/-dash/--- x.py'),
  ],
  'a file that is another from top to bottom': [
    file(
      Array.from({ length: 3000 }, (_, index) => `old ${index}\n`).join(''),
      Array.from({ length: 3000 }, (_, index) => `new ${index}\n`).join('') + 'end',
    ),
  ],
};

describe('gold.patch', function () {
  this.timeout(120_000);

  for (const program of Object.keys(PROGRAMS) as Program[]) {
    for (const [name, files] of Object.entries(HAND_MADE))
      it(`${program} applies ${name}`, () => {
        assert.deepEqual(treeAfter(program, files), wantedTree(files));
      });

    it(`${program} applies any patch, byte for byte`, () => {
      fc.assert(
        fc.property(trees, (files) => {
          assert.deepEqual(treeAfter(program, files), wantedTree(files));
        }),
        { numRuns: 40 },
      );
    });
  }

  it('is read back by our own reader, hand-made or not', () => {
    for (const files of Object.values(HAND_MADE)) assert.deepEqual(ownTree(files), wantedTree(files));
    fc.assert(
      fc.property(trees, (files) => {
        assert.deepEqual(ownTree(files), wantedTree(files));
      }),
      { numRuns: 500 },
    );
  });

  it('says which binary files it leaves to solve.sh, and git applies no half of it', () => {
    const files = [file('a\n', 'b\n', '/app/a.py'), file('\0a', '\0b', '/app/data.bin')];
    const { bytes, binaryFiles: left } = goldPatch(files);
    assert.deepEqual(left, ['/app/data.bin']);
    assert.match(
      Buffer.from(bytes).toString(),
      /^This patch does not hold these binary files; solution\/solve\.sh puts them in place:\n {2}b\/app\/data\.bin\n/,
    );
    assert.throws(() => treeAfter('git apply', files), /binary patch/);
    const applied = applyPatch(
      bytes,
      ['/app/a.py', '/app/data.bin'],
      (path) => files.find((one) => one.path === path)?.before,
    );
    assert.ok(applied.ok);
    assert.deepEqual([...applied.files.keys()], ['/app/a.py']);
  });

  it('is read back for a file of more lines than a call takes arguments', () => {
    const files = [file(numbered(1, 300_000), `${numbered(1, 299_999)}the end\n`)];
    assert.deepEqual(ownTree(files), wantedTree(files));
  });

  it('is the same for the same files, down to the byte', () => {
    const [first] = Object.values(HAND_MADE);
    assert.equal(
      Buffer.from(goldPatch(first ?? []).bytes).toString(),
      [
        'diff --git a/app/solution.py b/app/solution.py',
        'index de980441c3ab03a8c07dda1ad27b8a11f39deb1e..7be73ce3c1b1cdaea86e8168dfee8575175953bf 100644',
        '--- a/app/solution.py',
        '+++ b/app/solution.py',
        '@@ -1,3 +1,3 @@',
        ' a',
        '-b',
        '+B',
        ' c',
        '',
      ].join('\n'),
    );
  });
});

/** Lines that try a reader: ends of all kinds, bytes of other encodings, and words of the format itself. */
const anyLine = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'c',
    '',
    ' ',
    '\t',
    '-',
    '+',
    '\\',
    '--- a',
    '+++ b',
    '@@ -1 +1 @@',
    'diff --git a/b b/b',
  ),
  fc.string({
    unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 4,
  }),
);

const content = fc
  .tuple(
    fc.array(fc.tuple(anyLine, fc.constantFrom('\n', '\n', '\n', '\r\n')), { maxLength: 14 }),
    fc.option(anyLine),
  )
  .map(([lines, last]) => lines.flat().join('') + (last ?? ''));

const names = ['/app/a.py', '/app/b c.py', '/caf\u00e9/d"e.py', '/f'] as const;

const trees = fc
  .tuple(...names.map(() => fc.tuple(fc.option(content), fc.option(content), fc.boolean())))
  .map((sides) =>
    sides.flatMap(([before, after, executable], index) => {
      const path = names[index];
      if (before === after || path === undefined) return [];
      return [file(before ?? undefined, after ?? undefined, path, executable ? 0o755 : 0o644)];
    }),
  )
  .filter((files) => files.length > 0);
