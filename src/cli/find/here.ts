/** A host path as a person would type it: relative when it is below the current folder. */
import { isAbsolute, relative } from 'node:path';

export function here(path: string): string {
  const below = relative('', path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}
