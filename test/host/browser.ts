// A real browser for tests: Debian's Chromium (or CHROMIUM_PATH), with fonts that make screenshots look right.
import { chromium, type Browser } from 'playwright-core';
import type { How } from './cache.ts';
import { findExecutable } from './command.ts';
import { ensurePackages } from './packages.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Where a Chromium is, and whether it had to be installed. */
export interface BrowserHost {
  readonly executable: string;
  readonly how: How;
}

/** Gives the Chromium of `CHROMIUM_PATH`, of this machine, or of Debian's package. */
export async function ensureChromium(): Promise<BrowserHost> {
  const given = process.env['CHROMIUM_PATH'];
  const present = given || findExecutable('chromium') || findExecutable('google-chrome');
  if (present && (given || !findExecutable('apt-get'))) return { executable: present, how: 'reused' };
  const how = await ensurePackages('chromium', 'fonts-dejavu-core', 'fonts-noto-color-emoji');
  return { executable: findExecutable('chromium') ?? '/usr/bin/chromium', how };
}

/** Starts a headless browser; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { executable } = await ensureChromium();
  // Who starts tests decides what an interruption ends; the browser goes with this process in any case.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launch({ executablePath: executable, args: FLAGS, ...signals });
}
