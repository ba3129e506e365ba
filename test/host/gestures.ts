// Clicks and keys on a workbench. VS Code loses a click on what it is just drawing again, and a key goes to whatever has the
// focus; so nothing is pressed before what it acts on is there, and it counts only once it has worked.
import type { Locator, Page } from 'playwright-core';
import { until } from './until.ts';

/** How long a workbench may take for anything, on a machine that has much else to do. */
export const PATIENCE_MS = 60_000;
/** After how long without an effect a gesture is made again. */
const TRY_MS = 5_000;
const ABOVE_LOWER_EDGE = 8;

/** Clicks, and takes the pointer away from there. */
export async function click(target: Locator, timeout: number = PATIENCE_MS): Promise<void> {
  await target.click({ timeout });
  await restPointer(target.page());
}

/**
 * Puts the pointer where nothing opens under it, the empty middle of the status bar. Where else it rests a hover opens
 * after a moment, and that closes a quick input.
 */
export async function restPointer(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.move(width / 2, height - ABOVE_LOWER_EDGE);
}

/** Whether keys go to this element. */
export async function hasFocus(target: Locator): Promise<boolean> {
  if (!(await target.isVisible())) return false;
  return target
    .evaluate((element) => element.ownerDocument.activeElement === element, undefined, { timeout: TRY_MS })
    .catch(() => false);
}

/** Presses a key in an element that can have the focus. @throws Error when something else keeps the focus. */
export async function press(target: Locator, key: string): Promise<void> {
  await takeFocus(target);
  await target.page().keyboard.press(key);
}

/** Inserts a text in an element that can have the focus, as typing does. @throws Error when something else keeps it. */
export async function insertText(target: Locator, text: string): Promise<void> {
  await takeFocus(target);
  await target.page().keyboard.insertText(text);
}

/** Makes a gesture, and again as long as nothing came of it. */
export async function actUntil(
  what: string,
  act: () => Promise<unknown>,
  done: () => Promise<boolean>,
  tryMs: number = TRY_MS,
): Promise<void> {
  await retried(what, async () => {
    await act();
    await until(what, done, tryMs);
  });
}

/** Attempts something until it does not throw. @throws Error that says what was attempted, and why the last attempt failed. */
export async function retried<T>(what: string, attempt: (times: number) => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let times = 1; ; times++) {
    try {
      return await attempt(times);
    } catch (error) {
      if (performance.now() < deadline) continue;
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`Tried ${times} times in vain until ${what}. The last time: ${why}`, { cause: error });
    }
  }
}

async function takeFocus(target: Locator): Promise<void> {
  if (await hasFocus(target)) return;
  await target.focus({ timeout: TRY_MS });
  if (await hasFocus(target)) return;
  throw new Error(`${target.toString()} does not get the focus; ${await focused(target.page())} has it.`);
}

async function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement?.cloneNode().outerHTML ?? "nothing"');
}
