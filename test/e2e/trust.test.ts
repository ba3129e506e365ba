// In a workspace that is not trusted tasks can be read, and nothing of theirs runs.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { click } from '../host/gestures.ts';
import { hasTaskOpen, TASK, workspaceOf } from './solving.ts';
import { storiesAt } from './stories.ts';
import { pressVerify, waitForStatus } from './workbench.ts';

describe('a workspace that is not trusted', () => {
  const story = storiesAt({
    version: '1.139.1',
    settings: {},
    userSettings: { 'security.workspace.trust.startupPrompt': 'never' },
    trust: false,
  });

  story('opens tasks, refuses to run them, and offers to trust', async (person) => {
    const { page } = person;
    await hasTaskOpen(person);
    await waitForStatus(page, `${TASK} · unchanged`);
    const message = page.locator('.notification-toast', { hasText: 'not trusted' }).first();
    await pressVerify(page, 'it is refused', () => message.isVisible());
    await person.picture('untrusted');
    assert.deepEqual(await readdir(join(await workspaceOf(person), 'runs')), []);
    await click(message.getByRole('button', { name: 'Manage Workspace Trust' }));
    await page.locator('.workspace-trust-editor').waitFor();
  });
});
