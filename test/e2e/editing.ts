// Files in the editors of a workbench: their tabs, lines and text.
import type { Locator, Page } from 'playwright-core';
import { actUntil, click, hasFocus, insertText, press, retried } from '../host/gestures.ts';
import { askPalette } from '../host/quickInput.ts';

const TRY_MS = 5_000;

/** The tab of a file, by its exact name. */
export function tab(page: Page, file: string): Locator {
  return page.locator(`.tabs-container .tab[data-resource-name="${file}"]`).first();
}

/** Brings the tab of a file to the front. */
export async function showTab(page: Page, file: string): Promise<void> {
  await actUntil(
    `${file} is in front`,
    () => click(tab(page, file), TRY_MS),
    () => tab(page, file).and(page.locator('.active')).isVisible(),
  );
}

/** Puts the cursor into a line of a file, and the focus with it. */
export async function goToLine(page: Page, file: string, line: number): Promise<void> {
  const cursor = page.locator('.statusbar-item', { hasText: new RegExp(`Ln ${line},`) });
  await retried(`the cursor is in line ${line} of ${file}`, async () => {
    await showTab(page, file);
    await askPalette(page, `:${line}`, new RegExp(`line ${line}\\b`));
    await cursor.waitFor({ timeout: TRY_MS });
    if (!(await hasFocus(textOf(page, file)))) throw new Error(`${file} has not got the focus.`);
  });
}

/** Replaces the text of a line of a file by typing; the indentation stays. */
export async function typeLine(page: Page, file: string, line: number, text: string): Promise<void> {
  await goToLine(page, file, line);
  const input = textOf(page, file);
  for (const key of ['End', 'Home', 'Shift+End']) await press(input, key);
  await insertText(input, text);
  await page.locator('.view-line', { hasText: text }).first().waitFor();
}

/** Sets a breakpoint in a line of a file. */
export async function setBreakpoint(page: Page, file: string, line: number): Promise<void> {
  await goToLine(page, file, line);
  await actUntil(
    `there is a breakpoint in line ${line} of ${file}`,
    () => press(textOf(page, file), 'F9'),
    () => page.locator('.codicon-debug-breakpoint').first().isVisible(),
  );
}

/** What has the focus while a file is edited; of older and newer workbenches. */
function textOf(page: Page, file: string): Locator {
  return page
    .locator(`.editor-instance[aria-label^="${file},"]`)
    .locator('textarea.inputarea, .native-edit-context')
    .first();
}
