// The quick input of a workbench: its palette, pickers and questions. It closes when anything else takes the focus.
import type { Locator, Page } from 'playwright-core';
import { actUntil, click, hasFocus, press, retried } from './gestures.ts';

const LOOK_MS = 1_500;
const CLOSE_MS = 5_000;
const ROWS = '.quick-input-widget .quick-input-list .monaco-list-row';

/** The field of the quick input, whatever it asks for. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget .quick-input-box input');
}

/**
 * Runs a command through the palette. An extension's commands may appear later than the workbench, so it looks again for a while.
 * @param title as the palette shows it, such as `View: Toggle Terminal`
 * @throws Error with what the palette shows instead
 */
export async function runPaletteCommand(page: Page, title: string): Promise<void> {
  await retried(`the palette runs "${title}"`, async (times) => {
    await closeQuickInput(page);
    const input = await openPalette(page);
    await input.fill(`>${title}`, { timeout: LOOK_MS });
    await chooseEntry(page, title, LOOK_MS * times);
  });
}

/** Types what the palette answers in its one row, such as `:12` for a line, and presses Enter. */
export async function askPalette(page: Page, text: string, answer: RegExp): Promise<void> {
  await retried(`the palette answers "${text}"`, async (times) => {
    await closeQuickInput(page);
    const input = await openPalette(page);
    await input.fill(text, { timeout: LOOK_MS });
    await page.locator(ROWS, { hasText: answer }).waitFor({ timeout: LOOK_MS * times });
    await press(input, 'Enter');
    await input.waitFor({ state: 'hidden', timeout: CLOSE_MS });
  });
}

/** Chooses the entry that has exactly this label in the picker whose field says `placeholder` while it is empty. */
export async function pickQuickEntry(page: Page, placeholder: string, label: string): Promise<void> {
  const picker = quickInput(page).and(page.locator(`[placeholder^="${placeholder}"]`));
  await picker.waitFor();
  await picker.fill(label);
  await chooseEntry(page, label);
  await picker.waitFor({ state: 'hidden' });
}

/** Closes the quick input, if one is open. */
export async function closeQuickInput(page: Page): Promise<void> {
  const input = quickInput(page);
  if (!(await input.isVisible())) return;
  await press(input, 'Escape');
  await input.waitFor({ state: 'hidden', timeout: CLOSE_MS });
}

/** Opens the palette and gives its field, which has the focus. F1 does it wherever the focus is, but in a dialog. */
async function openPalette(page: Page): Promise<Locator> {
  const dialog = page.locator('.monaco-dialog-box');
  if (await dialog.isVisible()) throw new Error(`A dialog is open: ${await dialog.innerText()}`);
  const input = quickInput(page);
  await actUntil(
    'the palette is open',
    () => page.keyboard.press('F1'),
    () => hasFocus(input),
  );
  return input;
}

async function chooseEntry(page: Page, label: string, timeout?: number): Promise<void> {
  const entry = page
    .locator(ROWS)
    .filter({ has: page.locator('.label-name').getByText(label, { exact: true }) })
    .first();
  try {
    await click(entry, timeout);
  } catch (error) {
    const shown = await page.locator(ROWS).allInnerTexts();
    throw new Error(`There is no "${label}" in: ${shown.join(' | ')}`, { cause: error });
  }
  await entry.waitFor({ state: 'hidden', timeout: CLOSE_MS });
}
