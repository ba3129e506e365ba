// A patch given to the real programs, in a folder of its own, and to our own reader.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { applyPatch } from '../../../../src/gold/patch/applyPatch.ts';
import { goldPatch, type PatchedFile } from '../../../../src/gold/patch/goldPatch.ts';

export const PROGRAMS = {
  'git apply': ['git', 'apply', '--whitespace=nowarn'],
  'patch -p1': ['patch', '-p1', '--batch', '--silent', '-i'],
} as const;

export type Program = keyof typeof PROGRAMS;

/** The tree that a program makes of the files before: Latin-1 text by name, with the mode's executable bit. */
export function treeAfter(program: Program, files: readonly PatchedFile[]): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'gold-patch-'));
  try {
    for (const { path, before, mode } of files) {
      if (before === undefined) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), before);
      chmodSync(join(folder, path), mode);
    }
    const patch = join(folder, '..', `${folder.split('/').at(-1) ?? ''}.patch`);
    try {
      writeFileSync(patch, goldPatch(files).bytes);
      const [command, ...args] = PROGRAMS[program];
      execFileSync(command, [...args, patch], {
        cwd: folder,
        stdio: 'pipe',
        env: {
          PATH: process.env['PATH'],
          LC_ALL: 'C',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CEILING_DIRECTORIES: dirname(folder),
        },
      });
    } finally {
      rmSync(patch, { force: true });
    }
    return treeOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the tree must be. */
export function wantedTree(files: readonly PatchedFile[]): Record<string, string> {
  return sorted(
    files.flatMap(({ path, after, mode }) =>
      after === undefined ? [] : [[path.slice(1), entry(after, (mode & 0o100) !== 0)]],
    ),
  );
}

/** What our own reader makes of the patch. */
export function ownTree(files: readonly PatchedFile[]): Record<string, string> {
  const before = new Map(files.map((file) => [file.path, file.before]));
  const modes = new Map(files.map((file) => [file.path, file.mode]));
  const applied = applyPatch(goldPatch(files).bytes, [...before.keys()], (path) => before.get(path));
  assert.ok(applied.ok, JSON.stringify(applied));
  assert.equal(applied.files.size, files.length);
  return sorted(
    [...applied.files].flatMap(([path, bytes]) =>
      bytes === undefined ? [] : [[path.slice(1), entry(bytes, ((modes.get(path) ?? 0) & 0o100) !== 0)]],
    ),
  );
}

function treeOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return sorted(
    names.flatMap((name) => {
      const path = join(folder, name);
      const facts = statSync(path);
      return facts.isFile()
        ? [[relative(folder, path), entry(readFileSync(path), (facts.mode & 0o100) !== 0)]]
        : [];
    }),
  );
}

function entry(bytes: Uint8Array, executable: boolean): string {
  return `${executable ? 'x' : '-'} ${Buffer.from(bytes).toString('latin1')}`;
}

function sorted(entries: readonly (readonly [string, string] | string[])[]): Record<string, string> {
  return Object.fromEntries([...entries].sort(([left = ''], [right = '']) => (left < right ? -1 : 1)));
}
