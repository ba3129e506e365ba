// What a person does with Repair Bench in a browser's workbench.
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { actUntil, click, PATIENCE_MS, restPointer } from '../host/gestures.ts';
import { quickInput, runPaletteCommand } from '../host/quickInput.ts';
import { until } from '../host/until.ts';
import { tab } from './editing.ts';
import { clickRow, testRow, treeRow } from './rows.ts';

const CLICK_MS = 5_000;
/** Opening a task, or starting a run of it, on a machine that has much else to do. */
const START_MS = 20_000;

/** Opens the container of our views. */
export async function showViews(page: Page): Promise<void> {
  const views = page.locator('.sidebar .pane-header', { hasText: 'Tasks' });
  if (await views.isVisible()) return;
  const icon = page.locator('.activitybar .action-item:has(.action-label[aria-label^="Repair Bench"])');
  await actUntil(
    'the views of Repair Bench are shown',
    async () => {
      await icon.waitFor();
      // Another click would close what the first one opens.
      if (!(await icon.and(page.locator('.checked')).isVisible()))
        await click(icon.locator('.action-label'), CLICK_MS);
    },
    () => views.isVisible(),
  );
}

/** Opens VS Code's own Testing view, with every test in sight. */
export async function showTests(page: Page): Promise<void> {
  await runPaletteCommand(page, 'View: Show Testing');
  await page.locator('.sidebar .test-explorer').waitFor();
}

/** A link of a view's welcome text. */
export function welcomeLink(page: Page, label: string): Locator {
  return page.locator('.welcome-view-content .monaco-button', { hasText: label }).first();
}

/** Opens the sample dataset by the link for a newcomer. */
export async function openSampleDataset(page: Page): Promise<void> {
  await actUntil(
    'the sample dataset is open',
    () => click(welcomeLink(page, 'Open Sample Dataset'), CLICK_MS),
    () => treeRow(page, 'tasks.parquet').isVisible(),
    START_MS,
  );
}

/** Opens a task from the Tasks view and waits for its solution. */
export async function openTask(page: Page, task: string, file: string): Promise<void> {
  await actUntil(
    `${task} is open`,
    () => clickRow(treeRow(page, task)),
    () => tab(page, file).isVisible(),
    START_MS,
  );
  await page.locator('.editor-instance .view-lines').first().waitFor();
  await waitForStatus(page, task);
}

/** Whether the status item says this now. */
export async function isStatus(page: Page, text: RegExp): Promise<boolean> {
  return page.locator('.statusbar-item', { hasText: text }).first().isVisible();
}

/** Waits until the status item says this. */
export async function waitForStatus(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.statusbar-item', { hasText: text }).first().waitFor();
}

/** Opens the file of a test from the Testing view. */
export async function openTest(page: Page, test: string, file: string): Promise<void> {
  await actUntil(
    `${file} is open`,
    async () => {
      await testRow(page, test).dblclick({ timeout: CLICK_MS });
      await restPointer(page);
    },
    () => tab(page, file).isVisible(),
    START_MS,
  );
}

/** The document inside the instruction panel: a frame in a frame. */
export function instruction(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview').first().frameLocator('iframe#active-frame');
}

/** Presses the Verify button of the editor's title until that has had its effect. */
export async function pressVerify(page: Page, what: string, done: () => Promise<boolean>): Promise<void> {
  const button = page.locator('.editor-actions .action-label[aria-label^="Verify"]').first();
  await actUntil(what, () => click(button, CLICK_MS), done, START_MS);
}

/** Verifies a solution that was just edited, and waits until the status item tells the result. */
export async function verify(page: Page, task: string, result: string): Promise<void> {
  const edited = page.locator('.statusbar-item', {
    hasText: new RegExp(`${task} · .*(not verified|outdated)$`),
  });
  await edited.waitFor();
  await pressVerify(page, 'the run has started', () => edited.isHidden());
  await waitForStatus(page, `${task} · ${result}`);
}

/** The dialog that keeps everything else waiting. */
export function dialogOf(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

/** Answers the dialog that is about to open, or open. */
export async function answerDialog(page: Page, button: string): Promise<void> {
  const dialog = dialogOf(page);
  await click(dialog.locator('.monaco-button', { hasText: button }));
  await dialog.waitFor({ state: 'hidden' });
}

/** Hides the panel with Problems, if it is shown. */
export async function hidePanel(page: Page): Promise<void> {
  const panel = page.locator('.part.panel');
  if (await panel.isHidden()) return;
  await runPaletteCommand(page, 'View: Toggle Panel Visibility');
  await panel.waitFor({ state: 'hidden' });
}

/** Presses a button of the notification that says this. */
export async function pressToast(page: Page, text: string, button: string): Promise<void> {
  const toast = page.locator('.notification-toast', { hasText: text });
  await click(toast.locator('.monaco-button', { hasText: button }));
  await toast.waitFor({ state: 'hidden' });
}

/** Answers VS Code's own dialog for a file, which first proposes one of this name: it takes nothing before. */
export async function enterPath(page: Page, proposed: string, path: string): Promise<void> {
  const input = quickInput(page);
  await input.waitFor();
  const says = (fits: (value: string) => boolean): Promise<boolean> =>
    until('the field for a file says it', async () => fits(await input.inputValue()), PATIENCE_MS);
  await says((value) => value.endsWith(proposed));
  await input.fill(path);
  await says((value) => value === path);
  await click(page.locator('.quick-input-widget .quick-input-action .monaco-button').first());
  await input.waitFor({ state: 'hidden' });
}

/** What the workbench shows, as text: for the log of a test that failed. */
export async function describeWorkbench(page: Page): Promise<string> {
  const places = {
    'quick input': '.quick-input-widget',
    tabs: '.tabs-container .tab',
    sidebar: '.sidebar .monaco-list-row',
    notifications: '.notification-list-item-message',
    dialog: '.monaco-dialog-box',
    status: '.statusbar-item',
  };
  const shown = Object.entries(places).map(async ([name, selector]) => {
    const texts = await page.locator(selector).filter({ visible: true }).allInnerTexts();
    return `${name}: ${texts.map((text) => text.replace(/\s+/g, ' ').trim()).join(' | ')}`;
  });
  return (await Promise.all(shown)).join('\n');
}
