// Rows of the workbench's trees.
import type { Locator, Page } from 'playwright-core';
import { actUntil, click, press } from '../host/gestures.ts';

const CLICK_MS = 5_000;

/** A row of one of our trees. */
export function treeRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
}

/** A row of the Testing view. */
export function testRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.sidebar .test-explorer .monaco-list-row', { hasText: text }).first();
}

/** Clicks a row until it is selected. */
export async function clickRow(row: Locator): Promise<void> {
  await actUntil(
    `the row is selected: ${row.toString()}`,
    () => click(row, CLICK_MS),
    () => isNow(row, '.selected'),
  );
}

/** Opens a row of any tree. */
export async function expandRow(row: Locator): Promise<void> {
  const isOpen = (): Promise<boolean> => isNow(row, '[aria-expanded="true"]');
  await row.waitFor();
  if (await isOpen()) return;
  await actUntil(
    `the row is open: ${row.toString()}`,
    async () => {
      await clickRow(row);
      // Some trees open a row that is clicked, and close it again at the next click.
      if ((await isNow(row, '.focused')) && !(await isOpen())) await press(treeOf(row), 'ArrowRight');
    },
    isOpen,
  );
}

/** What has the focus when a row of it has. */
function treeOf(row: Locator): Locator {
  return row.locator('xpath=ancestor::*[contains(concat(" ", @class, " "), " monaco-list ")][1]');
}

function isNow(row: Locator, state: string): Promise<boolean> {
  return row.and(row.page().locator(state)).isVisible();
}
