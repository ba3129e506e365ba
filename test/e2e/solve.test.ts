// The packaged extension does the whole job in a browser: sample dataset, task, Verify, Problems, repair, reward 1, gold fix,
// export; and what it made holds in a fresh copy of the sources.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { VSCODE_VERSIONS } from '../host/codeServer.ts';
import { runCommand } from '../host/command.ts';
import { freshCopy } from '../host/freshCopy.ts';
import { actUntil, click } from '../host/gestures.ts';
import { runPaletteCommand } from '../host/quickInput.ts';
import { setTheme, THEME_NAMES, waitForProblems } from '../host/workbenchPage.ts';
import { goToLine, showTab, tab, typeLine } from './editing.ts';
import { arrive, type Person } from './person.ts';
import { clickRow, expandRow, testRow, treeRow } from './rows.ts';
import {
  answerDialog,
  describeWorkbench,
  enterPath,
  instruction,
  openSampleDataset,
  openTask,
  openTest,
  pressToast,
  showTests,
  showViews,
  verify,
  waitForStatus,
  welcomeLink,
} from './workbench.ts';

const TASK = 'bugsinpy-0001';
const FILE = 'solution.py';
/** The steps of the walkthrough, each with a text of its picture. */
const STEPS = [
  { title: 'Open a dataset', picture: 'tasks.parquet' },
  { title: 'Open a task and read it', picture: 'header handling.' },
  { title: 'Edit and verify', picture: 'verifying · 2 s' },
  { title: 'Read why', picture: 'Reward 0' },
  { title: 'Check your set-up', picture: 'Check My Set-up' },
] as const;

for (const version of VSCODE_VERSIONS)
  describe(`the packaged extension in VS Code ${version}`, () => {
    let person: Person | undefined;
    let page: Page;
    let folder: string;
    const shot = async (name: string): Promise<void> => person?.pictures(name);

    before(async () => {
      person = await arrive(version, { 'repairBench.runtime': 'sandbox' });
      ({ page, folder } = person);
    });
    afterEach(async function () {
      if (this.currentTest?.state !== 'failed' || !person) return;
      await person.picture('failed');
      console.log(await describeWorkbench(page));
      // The steps are one story: after the first that fails there is nothing to go on with.
      this.test?.parent?.bail(true);
    });
    after(() => person?.leave());

    it('welcomes a newcomer with buttons for what to open', async () => {
      await showViews(page);
      await page.locator('.welcome-view-content', { hasText: 'Open Sample Dataset' }).waitFor();
      await shot('1-welcome');
    });

    it('shows a walkthrough with pictures', async () => {
      const steps = page.locator('.gettingStartedContainer .getting-started-step:visible');
      for (const theme of THEME_NAMES) {
        // Choosing a theme goes through keys that lead out of the walkthrough.
        await setTheme(page, theme);
        await runPaletteCommand(page, 'Repair Bench: Get Started');
        await steps.nth(STEPS.length - 1).waitFor();
        // A picture is a document of its own, as the instruction is.
        await instruction(page).locator('svg text', { hasText: 'tasks.parquet' }).waitFor();
        assert.equal(await steps.count(), STEPS.length);
        for (const [at, { title, picture }] of STEPS.entries()) {
          const shown = instruction(page).locator('svg text', { hasText: picture }).first();
          await actUntil(
            `the step "${title}" is shown`,
            () => click(steps.filter({ hasText: title })),
            () => shown.isVisible(),
          );
          await person?.picture(`1-walkthrough-${at + 1}-${theme}`);
        }
      }
      await runPaletteCommand(page, 'View: Close All Editors');
      await showViews(page);
    });

    it('opens the sample dataset and a task, with the instruction beside the code', async () => {
      await welcomeLink(page, 'Open Dataset from Hugging Face…').waitFor();
      await openSampleDataset(page);
      await openTask(page, TASK, FILE);
      await instruction(page).getByRole('heading', { name: 'Fix the Range header handling' }).waitFor();
      await waitForStatus(page, `${TASK} · unchanged`);
      await instruction(page).getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' });
      await shot('2-task');
    });

    it('says in Problems and in the Run view what the verifier said', async () => {
      await typeLine(page, FILE, 81, 'return ByteRange(start, min(end, size - 1))');
      await verify(page, TASK, 'reward 0 · 4/5 gates');
      await treeRow(page, 'Reward 0').waitFor();
      await waitForProblems(page, (text) => text.includes('Gate "test_solution.py passes" failed'));
      await instruction(page).getByText('Reward 0: 4 of 5 gates passed.').waitFor();
      await shot('3-failed');
    });

    it('asks once before it shows test.sh', async () => {
      await clickRow(treeRow(page, 'test_solution.py passes'));
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.waitFor();
      await person?.picture('4-reveal-hc');
      await answerDialog(page, 'Show Tests');
      await tab(page, 'test.sh').waitFor();
      await shot('5-test-script');
    });

    it('shows the failure in the Testing view, and inline what was expected', async () => {
      await showTests(page);
      for (const item of [TASK, 'test_solution.py passes']) await expandRow(testRow(page, item));
      await openTest(page, 'test_adjacent_ranges_are_merged', 'test_solution.py');
      await page.locator('.peekview-widget', { hasText: 'Expected' }).first().waitFor();
      await shot('5-testing');
      await goToLine(page, FILE, 1);
      await page.locator('.codelens-decoration', { hasText: 'Compare with starter' }).waitFor();
      await runPaletteCommand(page, 'Source Control: Focus on Changes View');
      await shot('5-in-the-file');
      await showViews(page);
    });

    it('compares with the starter', async () => {
      await showTab(page, FILE);
      await runPaletteCommand(page, 'Repair Bench: Compare with Starter');
      await page.locator('.monaco-diff-editor').first().waitFor();
      await shot('6-compare');
    });

    it('gives reward 1 for the repaired solution', async () => {
      await typeLine(page, FILE, 122, 'if merged and item.start <= merged[-1].end + 1:');
      await verify(page, TASK, 'reward 1 · 5/5 gates');
      await waitForProblems(page, (text) => text.includes('passed') && !text.includes('failed'));
      await treeRow(page, /reward 1/).waitFor();
      await shot('7-solved');
    });

    it('saves it as a gold fix, and shows its patch', async () => {
      await runPaletteCommand(page, 'Repair Bench: Save as Gold Fix');
      await pressToast(page, `Gold fix of ${TASK} saved: reward 1 again.`, 'Show Patch');
      await tab(page, 'gold.patch').waitFor();
      await page.locator('.view-line', { hasText: 'merged[-1].end + 1' }).first().waitFor();
      await shot('8-gold');
    });

    it('keeps both runs in the history, with what changed between them', async () => {
      await runPaletteCommand(page, 'View: Toggle Panel Visibility');
      await runPaletteCommand(page, 'Repair Bench: Focus on History View');
      await expandRow(treeRow(page, /^Reward 1 · 5\/5 gates/));
      await treeRow(page, 'Output of test.sh').waitFor();
      await treeRow(page, /^Reward 0 · 4\/5 gates/).waitFor();
      await shot('9-history');
    });

    it('exports the gold fix into a new dataset', async () => {
      await runPaletteCommand(page, 'Repair Bench: Export Gold Fixes…');
      await enterPath(page, join(folder, 'tasks-gold.parquet'), join(folder, 'solved.parquet'));
      await pressToast(
        page,
        'solved.parquet was written: 10 rows, 1 with a gold fix, 9 untouched.',
        'Open Dataset',
      );
      await treeRow(page, 'solved.parquet').waitFor();
      await shot('10-exported');
    });

    it('holds where nothing is known of this workspace: in a fresh copy of the sources', async () => {
      const cli = await theFreshCopy();
      const workspaces = join(folder, '.repair-bench');
      const [workspace = ''] = await readdir(workspaces);
      // Far from the workspace: a gold fix is checked from its files alone.
      const moved = join(folder, 'moved');
      await cp(join(workspaces, workspace, 'gold'), join(moved, 'gold'), { recursive: true });
      for (const where of [
        [join(moved, 'gold'), '--task', join(folder, 'solved.parquet')],
        [join(folder, 'solved.parquet'), TASK],
      ]) {
        const said = await runCommand({
          command: process.execPath,
          args: [cli, 'gold', 'check', ...where, '--runtime', 'sandbox'],
          cwd: folder,
          advice: 'read what it printed.',
        });
        assert.match(said, /holds/);
      }
    });
  });

let freshly: Promise<string> | undefined;
let freshFolder: string | undefined;

/** The command line in a fresh copy, made once for both versions. */
async function theFreshCopy(): Promise<string> {
  freshly ??= mkdtemp(join(tmpdir(), 'repair-bench-fresh-')).then((folder) => {
    freshFolder = folder;
    return freshCopy(join(folder, 'repair-bench'));
  });
  return freshly;
}

after(async () => {
  if (freshFolder !== undefined) await rm(freshFolder, { recursive: true, force: true });
});
