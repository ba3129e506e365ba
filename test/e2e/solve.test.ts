// The packaged extension does the whole job in a browser: sample dataset, task, Verify, Problems, repair, reward 1, gold fix,
// export; and what it made holds in a fresh copy of the sources.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VSCODE_VERSIONS } from '../host/codeServer.ts';
import { runCommand } from '../host/command.ts';
import { freshCopy } from '../host/freshCopy.ts';
import { actUntil, click } from '../host/gestures.ts';
import { runPaletteCommand } from '../host/quickInput.ts';
import { setTheme, THEME_NAMES, waitForProblems } from '../host/workbenchPage.ts';
import { goToLine, showTab, tab } from './editing.ts';
import { clickRow, expandRow, testRow, treeRow } from './rows.ts';
import {
  FAILING_TEST,
  FILE,
  hasExported,
  hasGoldFix,
  hasHalfRepaired,
  hasRepaired,
  hasSeenTests,
  hasTaskOpen,
  TASK,
  workspaceOf,
} from './solving.ts';
import { storiesAt } from './stories.ts';
import {
  answerDialog,
  dialogOf,
  hidePanel,
  instruction,
  openTest,
  showTests,
  showViews,
  waitForStatus,
  welcomeLink,
} from './workbench.ts';

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
    const story = storiesAt({ version, settings: { 'repairBench.runtime': 'sandbox' } });

    story('welcomes a newcomer with buttons for what to open', async ({ page, pictures }) => {
      await showViews(page);
      await welcomeLink(page, 'Open Dataset from Hugging Face…').waitFor();
      await welcomeLink(page, 'Open Sample Dataset').waitFor();
      await pictures('1-welcome');
    });

    story('shows a walkthrough with pictures', async ({ page, picture }) => {
      const steps = page.locator('.gettingStartedContainer .getting-started-step:visible');
      for (const theme of THEME_NAMES) {
        await setTheme(page, theme);
        await runPaletteCommand(page, 'Repair Bench: Get Started');
        await steps.nth(STEPS.length - 1).waitFor();
        assert.equal(await steps.count(), STEPS.length);
        for (const [at, { title, picture: text }] of STEPS.entries()) {
          // A picture is a document of its own, as the instruction is.
          const shown = instruction(page).locator('svg text', { hasText: text }).first();
          await actUntil(
            `the step "${title}" is shown`,
            () => click(steps.filter({ hasText: title })),
            () => shown.isVisible(),
          );
          await picture(`1-walkthrough-${at + 1}-${theme}`);
        }
      }
      await runPaletteCommand(page, 'View: Close All Editors');
      await showViews(page);
    });

    story('opens the sample dataset and a task, with the instruction beside the code', async (person) => {
      const { page } = person;
      await hasTaskOpen(person);
      await instruction(page).getByRole('heading', { name: 'Fix the Range header handling' }).waitFor();
      await waitForStatus(page, `${TASK} · unchanged`);
      await instruction(page).getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' });
      await person.pictures('2-task');
    });

    story('says in Problems and in the Run view what the verifier said', async (person) => {
      const { page } = person;
      await hasHalfRepaired(person);
      await treeRow(page, 'Reward 0').waitFor();
      await waitForProblems(page, (text) => text.includes('Gate "test_solution.py passes" failed'));
      await instruction(page).getByText('Reward 0: 4 of 5 gates passed.').waitFor();
      await person.pictures('3-failed');
    });

    story('asks once before it shows test.sh', async (person) => {
      const { page } = person;
      await hasHalfRepaired(person);
      await clickRow(treeRow(page, 'test_solution.py passes'));
      await dialogOf(page).waitFor();
      await person.picture('4-reveal-hc');
      await answerDialog(page, 'Show Tests');
      await tab(page, 'test.sh').waitFor();
      await person.pictures('5-test-script');
    });

    story('shows the failure in the Testing view, and inline what was expected', async (person) => {
      const { page } = person;
      await hasHalfRepaired(person);
      await hasSeenTests(person);
      await showTests(page);
      for (const item of [TASK, 'test_solution.py passes']) await expandRow(testRow(page, item));
      await openTest(page, FAILING_TEST, 'test_solution.py');
      await page.locator('.peekview-widget', { hasText: 'Expected' }).first().waitFor();
      await person.pictures('5-testing');
      await goToLine(page, FILE, 1);
      await page.locator('.codelens-decoration', { hasText: 'Compare with starter' }).waitFor();
      await runPaletteCommand(page, 'Source Control: Focus on Changes View');
      await person.pictures('5-in-the-file');
      await showViews(page);
    });

    story('compares with the starter', async (person) => {
      const { page } = person;
      await hasHalfRepaired(person);
      await showTab(page, FILE);
      await runPaletteCommand(page, 'Repair Bench: Compare with Starter');
      await page.locator('.monaco-diff-editor').first().waitFor();
      await person.pictures('6-compare');
    });

    story('gives reward 1 for the repaired solution', async (person) => {
      const { page } = person;
      await hasRepaired(person);
      await waitForProblems(page, (text) => text.includes('passed') && !text.includes('failed'));
      await treeRow(page, /reward 1/).waitFor();
      await person.pictures('7-solved');
    });

    story('saves it as a gold fix, and shows its patch', async (person) => {
      const { page } = person;
      await hasGoldFix(person);
      await tab(page, 'gold.patch').waitFor();
      await page.locator('.view-line', { hasText: 'merged[-1].end + 1' }).first().waitFor();
      await person.pictures('8-gold');
    });

    story('keeps both runs in the history, with what changed between them', async (person) => {
      const { page } = person;
      await hasRepaired(person);
      await hidePanel(page);
      await runPaletteCommand(page, 'Repair Bench: Focus on History View');
      await expandRow(treeRow(page, /^Reward 1 · 5\/5 gates/));
      await treeRow(page, 'Output of test.sh').waitFor();
      await treeRow(page, /^Reward 0 · 4\/5 gates/).waitFor();
      await person.pictures('9-history');
    });

    story('exports the gold fix into a new dataset', async (person) => {
      await hasExported(person);
      await treeRow(person.page, 'solved.parquet').waitFor();
      await person.pictures('10-exported');
    });

    story(
      'holds where nothing is known of this workspace: in a fresh copy of the sources',
      async (person) => {
        const solved = await hasExported(person);
        const cli = await theFreshCopy();
        // Far from the workspace: a gold fix is checked from its files alone.
        const moved = join(person.folder, 'moved');
        await cp(join(await workspaceOf(person), 'gold'), join(moved, 'gold'), { recursive: true });
        for (const where of [
          [join(moved, 'gold'), '--task', solved],
          [solved, TASK],
        ]) {
          const said = await runCommand({
            command: process.execPath,
            args: [cli, 'gold', 'check', ...where, '--runtime', 'sandbox'],
            cwd: person.folder,
            advice: 'read what it printed.',
          });
          assert.match(said, /holds/);
        }
      },
    );
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
