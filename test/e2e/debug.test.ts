// A person debugs a failing test of the sample dataset in its container: breakpoint, variables, stop.
import type { Locator, Page } from 'playwright-core';
import { DEBUGPY_IMAGE } from '../host/baseImage.ts';
import { VSCODE_VERSIONS } from '../host/codeServer.ts';
import { actUntil, click } from '../host/gestures.ts';
import { runPaletteCommand } from '../host/quickInput.ts';
import { setBreakpoint } from './editing.ts';
import { expandRow, testRow } from './rows.ts';
import { FAILING_TEST, FILE, hasHalfRepaired, hasSeenTests, TASK } from './solving.ts';
import { storiesAt } from './stories.ts';
import { showTests } from './workbench.ts';

const START_MS = 30_000;
const SETTINGS = {
  'repairBench.runtime': 'docker',
  'repairBench.images': { 'python:3.10-slim': DEBUGPY_IMAGE },
};

for (const version of VSCODE_VERSIONS)
  describe(`Debug Test in VS Code ${version}`, () => {
    const story = storiesAt({ version, settings: SETTINGS });

    story(
      'stops at a breakpoint of the solution, shows its variables, and ends with Stop',
      async (person) => {
        const { page } = person;
        await hasHalfRepaired(person);
        await hasSeenTests(person);
        await setBreakpoint(page, FILE, 122);
        await showTests(page);
        for (const item of [TASK, 'test_solution.py passes']) await expandRow(testRow(page, item));
        await debugTest(page, FAILING_TEST);
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
      },
    );
  });

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
