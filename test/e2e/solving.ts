// How far a person has got with a sample task. Each step brings them there, and does nothing where they are there already.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runPaletteCommand } from '../host/quickInput.ts';
import { tab, typeLine } from './editing.ts';
import type { Person } from './person.ts';
import { treeRow } from './rows.ts';
import {
  answerDialog,
  enterPath,
  isStatus,
  openSampleDataset,
  openTask,
  pressToast,
  showViews,
  verify,
} from './workbench.ts';

export const TASK = 'bugsinpy-0001';
export const FILE = 'solution.py';
/** The test that fails as long as the task is only half repaired. */
export const FAILING_TEST = 'test_adjacent_ranges_are_merged';

const FIRST_LINE = [81, 'return ByteRange(start, min(end, size - 1))'] as const;
const SECOND_LINE = [122, 'if merged and item.start <= merged[-1].end + 1:'] as const;
const HALF_REPAIRED = 'reward 0 · 4/5 gates';
const REPAIRED = 'reward 1 · 5/5 gates';

export async function hasTaskOpen({ page }: Person): Promise<void> {
  if ((await tab(page, FILE).isVisible()) && (await isStatus(page, new RegExp(TASK)))) return;
  await showViews(page);
  if (!(await treeRow(page, 'tasks.parquet').isVisible())) await openSampleDataset(page);
  await openTask(page, TASK, FILE);
}

/** Half of the task is repaired, and the verifier said so. */
export async function hasHalfRepaired(person: Person): Promise<void> {
  const { page } = person;
  await hasTaskOpen(person);
  if (await isStatus(page, new RegExp(`${TASK} · ${HALF_REPAIRED}$`))) return;
  await typeLine(page, FILE, ...FIRST_LINE);
  await verify(page, TASK, HALF_REPAIRED);
}

/** The task is repaired, after it was half repaired, and the verifier said so. */
export async function hasRepaired(person: Person): Promise<void> {
  const { page } = person;
  if (await isStatus(page, new RegExp(`${TASK} · ${REPAIRED}$`))) return;
  await hasHalfRepaired(person);
  await typeLine(page, FILE, ...SECOND_LINE);
  await verify(page, TASK, REPAIRED);
}

/** The tests of the task, which are hidden at first, were shown to the person. */
export async function hasSeenTests(person: Person): Promise<void> {
  const { page } = person;
  await hasTaskOpen(person);
  const facts = await readFile(join(await workspaceOf(person), 'workspace.json'), 'utf8');
  if (/"tests": "\d{4}-/.test(facts)) return;
  await runPaletteCommand(page, 'Repair Bench: Show Test Script');
  await answerDialog(page, 'Show Tests');
  await tab(page, 'test.sh').waitFor();
}

/** The repaired solution is a gold fix. */
export async function hasGoldFix(person: Person): Promise<void> {
  const { page } = person;
  await hasRepaired(person);
  if (existsSync(join(await workspaceOf(person), 'gold'))) return;
  await runPaletteCommand(page, 'Repair Bench: Save as Gold Fix');
  await pressToast(page, `Gold fix of ${TASK} saved: reward 1 again.`, 'Show Patch');
}

/** The dataset with the gold fix, which is open in the Tasks view; gives its file. */
export async function hasExported(person: Person): Promise<string> {
  const { page, folder } = person;
  const exported = join(folder, 'solved.parquet');
  await hasGoldFix(person);
  if (existsSync(exported)) return exported;
  await runPaletteCommand(page, 'Repair Bench: Export Gold Fixes…');
  await enterPath(page, join(folder, 'tasks-gold.parquet'), exported);
  const told = 'solved.parquet was written: 10 rows, 1 with a gold fix, 9 untouched.';
  await pressToast(page, told, 'Open Dataset');
  return exported;
}

/** The workspace of the task: the only one that the person has. */
export async function workspaceOf({ folder }: Person): Promise<string> {
  const workspaces = join(folder, '.repair-bench');
  const [workspace = ''] = (await readdir(workspaces)).filter((name) => name.startsWith(`${TASK}-`));
  return join(workspaces, workspace);
}
