// In a workspace that is not trusted tasks can be read, and nothing of theirs runs.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { click } from '../host/gestures.ts';
import { startVsixHost, type VsixHost } from '../host/vsixHost.ts';
import { saveScreenshot } from '../host/workbenchPage.ts';
import { openSampleDataset, openTask, pressVerify, showViews, waitForStatus } from './workbench.ts';

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
    await openSampleDataset(page);
    await openTask(page, 'bugsinpy-0001', 'solution.py');
    await waitForStatus(page, 'bugsinpy-0001 · unchanged');
    const message = page.locator('.notification-toast', { hasText: 'not trusted' });
    await pressVerify(page, 'it is refused', () => message.isVisible());
    await saveScreenshot(page, join(import.meta.dirname, '../../out/screenshots'), 'untrusted');
    const [task = ''] = await readdir(join(folder, '.repair-bench'));
    assert.deepEqual(await readdir(join(folder, '.repair-bench', task, 'runs')), []);
    await click(message.getByRole('button', { name: 'Manage Workspace Trust' }));
    await page.locator('.workspace-trust-editor').waitFor();
  });
});
