// What a person does with Repair Bench in a browser's workbench.
import type { Locator, Page } from 'playwright-core';
import { runPaletteCommand } from '../host/workbenchPage.ts';

const LONG_MS = 60_000;

/** Opens the container of our views; does nothing when it is open. */
export async function showViews(page: Page): Promise<void> {
  const views = page.locator('.sidebar .pane-header', { hasText: 'Tasks' });
  if (await views.isVisible()) return;
  await page.locator('.activitybar .action-label[aria-label^="Repair Bench"]').click();
  await views.waitFor({ timeout: LONG_MS });
}

/** Opens VS Code's own Testing view, with every test in sight. */
export async function showTests(page: Page): Promise<void> {
  await runPaletteCommand(page, 'View: Show Testing');
  await page.locator('.sidebar .test-explorer').waitFor({ timeout: LONG_MS });
}

/** A row of the Testing view. */
export function testRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.sidebar .test-explorer .monaco-list-row', { hasText: text }).first();
}

/** Opens a row of the Testing view. */
export async function expandTest(page: Page, text: string): Promise<void> {
  await expandRow(testRow(page, text));
}

/** Opens a row of any tree. */
export async function expandRow(row: Locator): Promise<void> {
  await clickRow(row);
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.page().keyboard.press('ArrowRight');
  await row.and(row.page().locator('[aria-expanded="true"]')).waitFor();
}

/** A row of one of our trees. */
export function treeRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
}

/** Clicks a row until it is selected: VS Code loses a click on a row that it is just drawing again. */
export async function clickRow(row: Locator): Promise<void> {
  for (const deadline = Date.now() + LONG_MS; Date.now() < deadline;) {
    await row.click();
    const selected = row.and(row.page().locator('.selected'));
    if (
      await selected.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  throw new Error(`The row was clicked in vain: ${await row.innerText()}`);
}

/** What the workbench shows, as text: for the log of a test that failed. */
export async function describeWorkbench(page: Page): Promise<string> {
  // Notifications hide themselves after a while.
  await runPaletteCommand(page, 'Notifications: Show Notifications').catch(() => undefined);
  const places = {
    tabs: '.tabs-container .tab',
    sidebar: '.sidebar .monaco-list-row',
    notifications: '.notification-list-item-message',
    dialog: '.monaco-dialog-box',
    status: '.statusbar-item',
  };
  const shown = Object.entries(places).map(async ([name, selector]) => {
    const texts = await page.locator(selector).allInnerTexts();
    return `${name}: ${texts.map((text) => text.replace(/\s+/g, ' ').trim()).join(' | ')}`;
  });
  return (await Promise.all(shown)).join('\n');
}

/** A link of a view's welcome text. */
export function welcomeLink(page: Page, label: string): Locator {
  return page.locator('.welcome-view-content .monaco-button', { hasText: label }).first();
}

/** Opens a task from the Tasks view and waits for its solution. */
export async function openTask(page: Page, task: string, file: string): Promise<void> {
  await clickRow(treeRow(page, task));
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

/** Puts the cursor into a line of a file. */
export async function goToLine(page: Page, file: string, line: number): Promise<void> {
  await tab(page, file).click();
  await page.keyboard.press('Control+g');
  await page.locator('.quick-input-widget input[type="text"]').first().fill(`:${line}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/** Replaces the text of a line of a file by typing; the indentation stays. */
export async function typeLine(page: Page, file: string, line: number, text: string): Promise<void> {
  await goToLine(page, file, line);
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

/** Presses a button of the notification that says this. */
export async function pressToast(page: Page, text: string, button: string): Promise<void> {
  const toast = page.locator('.notification-toast', { hasText: text });
  await toast.waitFor({ timeout: LONG_MS });
  await toast.locator('.monaco-button', { hasText: button }).click();
}

/** Answers VS Code's own dialog for a file, which first proposes one of this name: it takes nothing before. */
export async function enterPath(page: Page, proposed: string, path: string): Promise<void> {
  const input = page.locator('.quick-input-widget .quick-input-box input');
  await input.waitFor({ timeout: LONG_MS });
  await waitForValue(input, (value) => value.endsWith(proposed));
  await input.fill(path);
  await waitForValue(input, (value) => value === path);
  await page.locator('.quick-input-widget .quick-input-action .monaco-button').first().click();
}

async function waitForValue(input: Locator, fits: (value: string) => boolean): Promise<void> {
  const deadline = Date.now() + LONG_MS;
  while (!fits(await input.inputValue()))
    if (Date.now() > deadline) throw new Error(`The field says ${await input.inputValue()}`);
    else await input.page().waitForTimeout(50);
}
