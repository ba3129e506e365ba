// What a person sees of a workbench as a whole: that it stands, its end, its theme, its problems, a picture of it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from './gestures.ts';
import { pickQuickEntry, runPaletteCommand } from './quickInput.ts';
import { until } from './until.ts';

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
  for (const part of ['.statusbar .statusbar-item', '.activitybar .action-item'])
    await page.locator(`.monaco-workbench .part${part}`).first().waitFor({ timeout: PATIENCE_MS });
}

/** Closes the window as a person does, so that its extensions end by themselves; what is unsaved is given up. */
export async function closeWindow(page: Page): Promise<void> {
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('about:blank');
  await page.close();
}

/** Shows the Problems panel and waits until its text `isWanted`. Only what its list has on screen counts. */
export async function waitForProblems(page: Page, isWanted: (text: string) => boolean): Promise<void> {
  const panel = page.locator('.markers-panel');
  if (!(await panel.isVisible())) await runPaletteCommand(page, 'Problems: Focus on Problems View');
  let text = '';
  const read = async (): Promise<boolean> => isWanted((text = await panel.innerText()));
  await until('Problems says what it should', read, PATIENCE_MS).catch((error: unknown) => {
    throw new Error(`Problems does not say what it should, but: ${text}`, { cause: error });
  });
}

/** Changes the theme by its picker (a browser's workbench does not watch the settings file) and waits until the page has it. */
export async function setTheme(page: Page, theme: ThemeName): Promise<void> {
  const { label, workbenchClass } = THEMES[theme];
  await runPaletteCommand(page, 'Preferences: Color Theme');
  await pickQuickEntry(page, 'Select Color Theme', label);
  await page.locator(`.monaco-workbench.${workbenchClass}`).waitFor();
}

/** Saves what the page shows as `<folder>/<name>.png` and returns that path. */
export async function saveScreenshot(page: Page, folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  return path;
}
