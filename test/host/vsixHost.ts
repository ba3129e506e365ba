// The packaged extension as its user has it: installed into a VS Code whose workbench is open in a browser.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import type { VscodeVersion } from './codeServer.ts';
import { PATIENCE_MS } from './gestures.ts';
import { installVsix, startServer, type VscodeServer } from './vscodeServer.ts';
import { closeWindow, waitForWorkbench } from './workbenchPage.ts';

const SCREEN = { width: 1440, height: 900 };

/** What to install and how to start. */
export interface VsixHostOptions {
  readonly version: VscodeVersion;
  /** The packaged extension; `npm test` gives its path as `REPAIR_BENCH_VSIX`. */
  readonly vsix: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Trusted unless told. */
  readonly trust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A VS Code with the extension installed, until it is closed. */
export interface VsixHost {
  readonly server: VscodeServer;
  /** Opens a folder in a page of its own and waits until the workbench is there; without a folder, an empty window. */
  open(folder?: string): Promise<Page>;
  close(): Promise<void>;
}

/** Installs the packaged extension into an empty VS Code and starts it. */
export async function startVsixHost(options: VsixHostOptions): Promise<VsixHost> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-e2e-'));
  const place = {
    version: options.version,
    userDataDir: join(folder, 'user'),
    extensionsDir: join(folder, 'extensions'),
  };
  let browser: Browser | undefined;
  let server: VscodeServer | undefined;
  const pages: Page[] = [];
  const close = async (): Promise<void> => {
    try {
      for (const page of pages) await closeWindow(page);
      await server?.extensionsEnded();
    } finally {
      await browser?.close();
      await server?.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  try {
    await installVsix(place, options.vsix);
    const started = await startServer({
      ...place,
      settings: options.settings ?? {},
      trust: options.trust ?? true,
      ...(options.env ? { env: options.env } : {}),
    });
    server = started;
    const opened = await launchBrowser();
    browser = opened;
    return {
      server: started,
      close,
      async open(workspace) {
        const page = await opened.newPage({ viewport: SCREEN });
        pages.push(page);
        page.setDefaultTimeout(PATIENCE_MS);
        const query = workspace ? new URLSearchParams({ folder: workspace }) : 'ew=true';
        await page.goto(`${started.origin}/?${query}`);
        await waitForWorkbench(page);
        return page;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
