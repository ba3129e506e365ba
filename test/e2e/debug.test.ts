// A person debugs a failing test of the sample dataset in its container: breakpoint, variables, stop.
import assert from 'node:assert/strict';
import { DEBUGPY_IMAGE } from '../host/baseImage.ts';
import { VSCODE_VERSIONS } from '../host/codeServer.ts';
import { runPaletteCommand } from '../host/workbenchPage.ts';
import { arrive, type Person } from './person.ts';
import {
  clickRow,
  describeWorkbench,
  expandRow,
  expandTest,
  goToLine,
  openTask,
  pressVerify,
  showTests,
  showViews,
  tab,
  testRow,
  typeLine,
  waitForStatus,
  welcomeLink,
} from './workbench.ts';

const TASK = 'bugsinpy-0001';
const FILE = 'solution.py';
const TEST = 'test_adjacent_ranges_are_merged';
const SETTINGS = {
  'repairBench.runtime': 'docker',
  'repairBench.images': { 'python:3.10-slim': DEBUGPY_IMAGE },
};

for (const version of VSCODE_VERSIONS)
  describe(`Debug Test in VS Code ${version}`, () => {
    let person: Person | undefined;

    before(async () => {
      person = await arrive(version, SETTINGS);
    });
    afterEach(async function () {
      if (this.currentTest?.state !== 'failed' || !person) return;
      await person.picture('failed-debug');
      console.log(await describeWorkbench(person.page));
    });
    after(() => person?.leave());

    it('stops at a breakpoint of the solution, shows its variables, and ends with Stop', async () => {
      assert.ok(person);
      const { page } = person;
      await showViews(page);
      await welcomeLink(page, 'Open Sample Dataset').click();
      await openTask(page, TASK, FILE);
      await typeLine(page, FILE, 81, 'return ByteRange(start, min(end, size - 1))');
      await pressVerify(page);
      await waitForStatus(page, `${TASK} · reward 0 · 4/5 gates`);
      await runPaletteCommand(page, 'Repair Bench: Show Test Script');
      await page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Show Tests' }).click();
      await tab(page, 'test.sh').waitFor();
      await goToLine(page, FILE, 122);
      await page.keyboard.press('F9');
      await page.locator('.codicon-debug-breakpoint').first().waitFor();
      await showTests(page);
      await expandTest(page, TASK);
      await expandTest(page, 'test_solution.py passes');
      await clickRow(testRow(page, TEST));
      await testRow(page, TEST).locator('.action-label[aria-label^="Debug Test"]').click();
      await page.locator('.debug-toolbar').waitFor({ timeout: 60_000 });
      // The stop takes the focus, and would close the palette.
      await page.locator('.debug-top-stack-frame-line').first().waitFor({ timeout: 60_000 });
      await runPaletteCommand(page, 'Run and Debug: Focus on Variables View');
      await expandRow(page.locator('.debug-variables .monaco-list-row', { hasText: 'Locals' }).first());
      await page.locator('.debug-variables .monaco-list-row', { hasText: 'merged' }).first().waitFor();
      await person.pictures('11-debug');
      await page
        .locator(
          '.debug-toolbar .action-label.codicon-debug-disconnect, .debug-toolbar .action-label.codicon-debug-stop',
        )
        .first()
        .click();
      await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
      await showTests(page);
      assert.equal(await page.locator('.debug-top-stack-frame-line').count(), 0);
    });
  });
