import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fixtureFile } from './fixtureRows.ts';

/** A folder per test, and what is put into it; call inside `describe`. */
export function datasetFolder() {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'repair-bench-folder-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const place = (name: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    return join(folder, name);
  };
  return {
    folder: () => folder,
    put: (name: string, content: string): void => writeFileSync(place(name), content),
    copy: (fixture: string, name: string): void => cpSync(fixtureFile(fixture), place(name)),
  };
}
