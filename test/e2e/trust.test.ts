// In a workspace that is not trusted tasks can be read, and nothing of theirs runs.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startVsixHost, type VsixHost } from '../host/vsixHost.ts';
import { saveScreenshot } from '../host/workbenchPage.ts';
import { openTask, pressVerify, showViews, waitForStatus, welcomeLink } from './workbench.ts';

describe('a workspace that is not trusted', () => {
  let host: VsixHost;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repair-bench-untrusted-'));
    host = await startVsixHost({
      version: '1.139.1',
      vsix: process.env['REPAIR_BENCH_VSIX'] ?? '',
      trust: false,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
    });
  });
  after(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('opens tasks, refuses to run them, and offers to trust', async () => {
    const page = await host.open(folder);
    await showViews(page);
    await welcomeLink(page, 'Open Sample Dataset').click();
    await openTask(page, 'bugsinpy-0001', 'solution.py');
    await waitForStatus(page, 'bugsinpy-0001 · unchanged');
    await pressVerify(page);
    const message = page.locator('.notification-toast', { hasText: 'not trusted' });
    await message.waitFor();
    await saveScreenshot(page, join(import.meta.dirname, '../../out/screenshots'), 'untrusted');
    const [task = ''] = await readdir(join(folder, '.repair-bench'));
    assert.deepEqual(await readdir(join(folder, '.repair-bench', task, 'runs')), []);
    await message.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await page.locator('.workspace-trust-editor').waitFor();
  });
});
