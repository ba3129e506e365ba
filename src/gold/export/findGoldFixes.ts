/** Finds the gold fixes in folders: of workspaces, of folders with workspaces in them, or gold fixes themselves. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { WORKSPACE_FILE } from '../../workspace/workspaceFile.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { GoldError } from '../goldError.ts';
import { GOLD_FOLDER, GOLD_RECORD } from '../goldNames.ts';

const MOST_LEVELS = 5;
const MOST_FOLDERS = 200_000;

/**
 * Host paths of all gold fixes in `folders`, each once, in the order of their names. Links are not followed.
 * @throws GoldError `not-a-gold-fix` for a folder that is not there, or when there is no gold fix in any of them
 */
export async function findGoldFixes(folders: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    const isFolder = await stat(folder).then(
      (facts) => facts.isDirectory(),
      () => false,
    );
    if (!isFolder) throw notThere(folder);
    for (const each of await search(resolve(folder), signal)) found.add(each);
  }
  if (found.size === 0) throw noneIn(folders);
  return [...found];
}

async function search(root: string, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  let level = [root];
  let seen = 0;
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      signal?.throwIfAborted();
      if (++seen > MOST_FOLDERS) return found.sort();
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
      if (files.has(GOLD_RECORD)) {
        found.push(folder);
        continue;
      }
      const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      // In a workspace, what is edited may hold anything.
      const inside = files.has(WORKSPACE_FILE) ? folders.filter((name) => name === GOLD_FOLDER) : folders;
      for (const name of inside) {
        if (!name.startsWith('.') && name !== 'node_modules') below.push(join(folder, name));
      }
    }
    level = below;
  }
  return found.sort();
}

function notThere(folder: string): GoldError {
  return new GoldError('not-a-gold-fix', `There is no folder ${folder}.`, 'Check the path.');
}

function noneIn(folders: readonly string[]): GoldError {
  return new GoldError(
    'not-a-gold-fix',
    `There is no gold fix in ${joinWords(folders, { last: 'or' })}.`,
    'Save one first: solve a task, then "Save as Gold Fix" or "repair-bench gold save".',
  );
}
