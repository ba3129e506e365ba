// A person debugs a failing test of the sample dataset in its container: breakpoint, variables, stop.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { DEBUGPY_IMAGE } from '../host/baseImage.ts';
import { VSCODE_VERSIONS } from '../host/codeServer.ts';
import { actUntil, click } from '../host/gestures.ts';
import { runPaletteCommand } from '../host/quickInput.ts';
import { setBreakpoint, tab, typeLine } from './editing.ts';
import { arrive, type Person } from './person.ts';
import { expandRow, testRow } from './rows.ts';
import {
  answerDialog,
  describeWorkbench,
  openSampleDataset,
  openTask,
  showTests,
  showViews,
  verify,
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
      await openSampleDataset(page);
      await openTask(page, TASK, FILE);
      await typeLine(page, FILE, 81, 'return ByteRange(start, min(end, size - 1))');
      await verify(page, TASK, 'reward 0 · 4/5 gates');
      await runPaletteCommand(page, 'Repair Bench: Show Test Script');
      await answerDialog(page, 'Show Tests');
      await tab(page, 'test.sh').waitFor();
      await setBreakpoint(page, FILE, 122);
      await showTests(page);
      for (const item of [TASK, 'test_solution.py passes']) await expandRow(testRow(page, item));
      await debugTest(page, TEST);
      // The stop takes the focus, and would close the palette.
      await page.locator('.debug-top-stack-frame-line').first().waitFor();
      await runPaletteCommand(page, 'Run and Debug: Focus on Variables View');
      const variable = (name: string): Locator =>
        page.locator('.debug-variables .monaco-list-row', { hasText: name }).first();
      await expandRow(variable('Locals'));
      await variable('merged').waitFor();
      await person.pictures('11-debug');
      await stopDebugging(page);
      await showTests(page);
      await page.locator('.debug-top-stack-frame-line').first().waitFor({ state: 'hidden' });
    });
  });

const START_MS = 30_000;

/** Presses the button of a test's row that debugs it. */
async function debugTest(page: Page, name: string): Promise<void> {
  await actUntil(
    'debugging has started',
    async () => {
      // Its buttons are seen while the pointer is on it.
      await testRow(page, name).hover();
      await click(testRow(page, name).locator('.action-label[aria-label^="Debug Test"]'));
    },
    () => page.locator('.debug-toolbar').isVisible(),
    START_MS,
  );
}

async function stopDebugging(page: Page): Promise<void> {
  const stop = '.action-label:is(.codicon-debug-disconnect, .codicon-debug-stop)';
  await actUntil(
    'debugging has stopped',
    () => click(page.locator('.debug-toolbar').locator(stop).first()),
    () => page.locator('.debug-toolbar').isHidden(),
    START_MS,
  );
}
