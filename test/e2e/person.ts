// A person with the packaged extension in a folder of their own, and pictures of what they see.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { VscodeVersion } from '../host/codeServer.ts';
import { restPointer } from '../host/gestures.ts';
import { startVsixHost } from '../host/vsixHost.ts';
import { saveScreenshot, setTheme, THEME_NAMES } from '../host/workbenchPage.ts';

const SCREENSHOTS = join(import.meta.dirname, '../../out/screenshots');

type Settings = Readonly<Record<string, unknown>>;

/** Where a person comes to. */
export interface Place {
  readonly version: VscodeVersion;
  /** Settings of the folder: where verifiers run VS Code does not take from a browser's user settings. */
  readonly settings: Settings;
  readonly userSettings?: Settings;
  /** Trusted unless told. */
  readonly trust?: boolean;
}

export interface Person {
  readonly page: Page;
  /** The folder that their workbench has open. */
  readonly folder: string;
  /** Saves one picture. */
  picture(name: string): Promise<void>;
  /** Saves one picture for each theme. */
  pictures(name: string): Promise<void>;
  leave(): Promise<void>;
}

export async function arrive({ version, settings, userSettings, trust }: Place): Promise<Person> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-person-'));
  await mkdir(join(folder, '.vscode'));
  await writeFile(join(folder, '.vscode/settings.json'), JSON.stringify(settings));
  const host = await startVsixHost({
    version,
    vsix: process.env['REPAIR_BENCH_VSIX'] ?? '',
    ...(userSettings && { settings: userSettings }),
    ...(trust !== undefined && { trust }),
  });
  const leave = async (): Promise<void> => {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const page = await host.open(folder);
    const picture = async (name: string): Promise<void> => {
      await saveScreenshot(page, join(SCREENSHOTS, version), name);
    };
    return {
      page,
      folder,
      picture,
      pictures: async (name) => {
        for (const theme of THEME_NAMES) {
          await setTheme(page, theme);
          await restPointer(page);
          await picture(`${name}-${theme}`);
        }
      },
      leave,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}
