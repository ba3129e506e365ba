// What a person does with Repair Bench in a browser's workbench.
import type { Locator, Page } from 'playwright-core';

const LONG_MS = 60_000;

/** Opens the container of our views; does nothing when it is open. */
export async function showViews(page: Page): Promise<void> {
  const views = page.locator('.sidebar .pane-header', { hasText: 'Tasks' });
  if (await views.isVisible()) return;
  await page.locator('.activitybar .action-label[aria-label^="Repair Bench"]').click();
  await views.waitFor({ timeout: LONG_MS });
}

/** A row of one of our trees. */
export function treeRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
}

/** Clicks a link of a view's welcome text. */
export async function clickWelcome(page: Page, label: string): Promise<void> {
  await page.locator('.welcome-view-content .monaco-button', { hasText: label }).first().click();
}

/** Opens a task from the Tasks view and waits for its solution. */
export async function openTask(page: Page, task: string, file: string): Promise<void> {
  await treeRow(page, task).click();
  await tab(page, file).waitFor({ timeout: LONG_MS });
  await page.locator('.editor-instance .view-lines').first().waitFor({ timeout: LONG_MS });
}

/** The tab of a file, by its exact name. */
export function tab(page: Page, file: string): Locator {
  return page.locator(`.tabs-container .tab[data-resource-name="${file}"]`).first();
}

/** The status item, once it says this. */
export async function waitForStatus(page: Page, text: string): Promise<void> {
  await page.locator('.statusbar-item', { hasText: text }).first().waitFor({ timeout: LONG_MS });
}

/** Replaces the text of a line of a file by typing; the indentation stays. */
export async function typeLine(page: Page, file: string, line: number, text: string): Promise<void> {
  await tab(page, file).click();
  await page.keyboard.press('Control+g');
  await page.locator('.quick-input-widget input[type="text"]').first().fill(`:${line}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.insertText(text);
}

/** The document inside the instruction panel: a frame in a frame. */
export function instruction(page: Page) {
  return page.frameLocator('iframe.webview').first().frameLocator('iframe#active-frame');
}

/** Presses the Verify button of the editor's title. */
export async function pressVerify(page: Page): Promise<void> {
  await page.locator('.editor-actions .action-label[aria-label^="Verify"]').first().click();
}
