// What a person does in the workbench, as steps on its page: the palette, Problems, themes, screenshots.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const START_MS = 60_000;
const COMMAND_MS = 30_000;
const LOOK_MS = 1_500;
const QUICK_INPUT = '.quick-input-widget .quick-input-box input';
const QUICK_ROWS = '.quick-input-widget .quick-input-list .monaco-list-row';

/** The three looks that screenshots are taken in. */
export const THEME_NAMES = ['light', 'dark', 'hc'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

const THEMES: Readonly<Record<ThemeName, { readonly label: string; readonly workbenchClass: string }>> = {
  light: { label: 'Light Modern', workbenchClass: 'vs' },
  dark: { label: 'Dark Modern', workbenchClass: 'vs-dark' },
  hc: { label: 'Dark High Contrast', workbenchClass: 'hc-black' },
};

/** Waits until the workbench stands and takes commands. */
export async function waitForWorkbench(page: Page): Promise<void> {
  await page
    .locator('.monaco-workbench .part.statusbar .statusbar-item')
    .first()
    .waitFor({ timeout: START_MS });
  await page
    .locator('.monaco-workbench .part.activitybar .action-item')
    .first()
    .waitFor({ timeout: START_MS });
}

/**
 * Runs a command through the palette. An extension's commands may appear later than the workbench, so it looks again for a while.
 * @param title as the palette shows it, such as `View: Toggle Terminal`
 * @throws Error with what the palette shows instead
 */
export async function runPaletteCommand(page: Page, title: string): Promise<void> {
  const deadline = Date.now() + COMMAND_MS;
  while (!(await tryPaletteCommand(page, title))) {
    if (Date.now() < deadline) continue;
    const shown = await page.locator(QUICK_ROWS).allInnerTexts();
    throw new Error(`The palette has no "${title}"; it shows: ${shown.join(' | ')}`);
  }
}

/** Chooses the entry of an open quick pick that has exactly this label. */
export async function pickQuickEntry(page: Page, label: string): Promise<void> {
  await page.locator(QUICK_INPUT).fill(label);
  await quickEntry(page, label).click();
}

/** The text of the Problems panel, which is opened if it is not. Only what its list has on screen. */
export async function readProblems(page: Page): Promise<string> {
  const panel = page.locator('.markers-panel');
  if (!(await panel.isVisible())) {
    await page.keyboard.press('Control+Shift+M');
    await panel.waitFor();
  }
  return panel.innerText();
}

/** Changes the theme by its picker (a browser's workbench does not watch the settings file) and waits until the page has it. */
export async function setTheme(page: Page, theme: ThemeName): Promise<void> {
  const { label, workbenchClass } = THEMES[theme];
  await runPaletteCommand(page, 'Preferences: Color Theme');
  await pickQuickEntry(page, label);
  await page.locator(`.monaco-workbench.${workbenchClass}`).waitFor();
  await page.locator(QUICK_INPUT).waitFor({ state: 'hidden' });
}

/** Saves what the page shows as `<folder>/<name>.png` and returns that path. */
export async function saveScreenshot(page: Page, folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

async function tryPaletteCommand(page: Page, title: string): Promise<boolean> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('F1');
  await page.locator(QUICK_INPUT).fill(`>${title}`);
  return quickEntry(page, title)
    .click({ timeout: LOOK_MS })
    .then(
      () => true,
      () => false,
    );
}

function quickEntry(page: Page, label: string): Locator {
  return page
    .locator(QUICK_ROWS)
    .filter({ has: page.locator('.label-name').getByText(label, { exact: true }) })
    .first();
}
