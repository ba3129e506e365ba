// The next container of the current task is started ahead: it is used by the next run, and shows nowhere.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { closeAllEditors } from './support/editing.ts';
import { openTaskWithScript } from './support/openTask.ts';
import { configure, DOCKER, withSettings } from './support/settings.ts';
import { until } from './support/until.ts';
import { verifyTask } from './support/verifyTask.ts';

const run = promisify(execFile);
const SCRIPT = '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n';

describe('the next container of the current task', () => {
  let api: ShownExtension;
  before(async () => {
    api = await activateExtension();
  });
  withSettings();
  after(closeAllEditors);

  it('waits once its image is there, is used by the next run, and shows nowhere', async () => {
    await configure(DOCKER);
    const id = `warm-${randomUUID().slice(0, 8)}`;
    await openTaskWithScript(api, id, SCRIPT);
    await verifyTask();
    const first = await until('a container waits', () => waiting(id));
    assert.deepEqual([api.statusText(), api.liveState()], [`$(beaker) ${id} · reward 1`, 'verified']);
    // The engine lists it a moment before it listens, and a run does not wait for that.
    await until('a run has used it', async () => {
      await verifyTask();
      return !(await waiting(id)).includes(first);
    });
    assert.equal(api.statusText(), `$(beaker) ${id} · reward 1`);
    await until('another one waits', () => waiting(id));
  });

  it('is not started when the setting says so', async () => {
    await configure({ ...DOCKER, keepWarm: false });
    const cold = `cold-${randomUUID().slice(0, 8)}`;
    await openTaskWithScript(api, cold, SCRIPT);
    await verifyTask();
    await configure({ keepWarm: true });
    const warm = `warm-${randomUUID().slice(0, 8)}`;
    await openTaskWithScript(api, warm, SCRIPT);
    await verifyTask();
    await until('a container waits', () => waiting(warm));
    assert.equal(await waiting(cold), '');
  });

  it('is thrown away when the setting is switched off', async () => {
    await configure({ ...DOCKER, keepWarm: true });
    const id = `cooled-${randomUUID().slice(0, 8)}`;
    await openTaskWithScript(api, id, SCRIPT);
    await verifyTask();
    await until('a container waits', () => waiting(id));
    await configure({ keepWarm: false });
    await until('none waits any more', async () => (await waiting(id)) === '');
  });
});

/** The ids of the containers that were started ahead for a task. */
async function waiting(task: string): Promise<string> {
  const filters = ['repair-bench.warm', `repair-bench.task=${task}`].flatMap((label) => [
    '--filter',
    `label=${label}`,
  ]);
  const { stdout } = await run('docker', ['ps', '--quiet', '--no-trunc', ...filters]);
  return stdout.trim();
}
