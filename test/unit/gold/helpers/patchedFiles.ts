// Files before and after a fix, for tests of patches.
import type { PatchedFile } from '../../../../src/gold/patch/goldPatch.ts';
import type { ContainerPath } from '../../../../src/task/containerPath.ts';

export const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

export function file(
  before: string | undefined,
  after: string | undefined,
  path: ContainerPath = '/app/solution.py',
  mode = 0o644,
): PatchedFile {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : latin1(text));
  return { path, before: bytes(before), after: bytes(after), mode };
}

export const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');
