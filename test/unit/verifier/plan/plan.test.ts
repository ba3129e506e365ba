import assert from 'node:assert/strict';
import { planRun } from '../../../../src/verifier/plan/plan.ts';
import { starterOf } from '../../../../src/verifier/plan/solution.ts';
import { sampleTask } from '../../../host/sampleTasks.ts';
import { tinyTask, type TinyTask } from '../../../host/tinyTask.ts';
import type { Task } from '../../../../src/task/task.ts';
import type { RunPlan } from '../../../../src/runtime/plan.ts';

const OPTIONS = {
  trace: true,
  allowNetwork: false,
  allowedHostNames: new Set<string>(),
  hostEnv: { SECRET: 'x' },
};

function planned(task: Task, options: Partial<Parameters<typeof planRun>[2]> = {}): RunPlan {
  const result = planRun(task, starterOf(task), { ...OPTIONS, ...options });
  assert.ok(result.kind === 'planned', JSON.stringify(result));
  return result.plan;
}

function tiny(toml: string, more: TinyTask = {}): Task {
  return tinyTask({ testScript: '#!/bin/bash\n', toml, ...more });
}

describe('a run plan', () => {
  it("takes limits from task.toml, with Harbor's defaults", () => {
    const { limits, verifier } = planned(
      tiny('[verifier]\ntimeout_sec = 90.0\n[environment]\ncpus = 2\nmemory_mb = 512\n'),
    );
    assert.deepEqual([limits.cpus, limits.memoryMb, verifier.timeoutMs], [2, 512, 90_000]);
    const defaults = planned(tiny(''));
    assert.deepEqual(
      [defaults.limits.cpus, defaults.limits.memoryMb, defaults.verifier.timeoutMs],
      [1, 2048, 600_000],
    );
  });

  it('lets no task ask for what an engine reads as no limit', () => {
    const { limits, verifier } = planned(
      tiny('[verifier]\ntimeout_sec = 1e12\n[environment]\ncpus = 1e-10\nmemory_mb = 1000000000\n'),
    );
    assert.deepEqual(
      [limits.cpus, limits.memoryMb, verifier.timeoutMs],
      [0.01, 1024 * 1024, 24 * 60 * 60 * 1000],
    );
  });

  it('lets no task ask for more than can be written down as a whole number', () => {
    const { limits } = planned(tiny('[environment]\ncpus = 1e30\nstorage_mb = 1e30\n'));
    assert.deepEqual([limits.cpus, limits.fileSizeMb], [1024, 1024 * 1024]);
  });

  it('has no network unless the user allows it and the task does not forbid it', () => {
    assert.equal(planned(tiny('')).network, 'none');
    assert.equal(planned(tiny(''), { allowNetwork: true }).network, 'default');
    assert.equal(
      planned(tiny('[environment]\nallow_internet = false\n'), { allowNetwork: true }).network,
      'none',
    );
  });

  it('gives no host variable that the user did not allow', () => {
    const task = tiny('[verifier.env]\nKEY = "${SECRET}"\n');
    assert.equal(planned(task).verifier.env['KEY'], undefined);
    assert.equal(planned(task, { allowedHostNames: new Set(['SECRET']) }).verifier.env['KEY'], 'x');
  });

  it('uploads an unchanged starter only where the image does not have it', async () => {
    const paths = (plan: RunPlan): string[] =>
      plan.verifier.files
        .map(({ path }) => path)
        .filter((path) => !path.startsWith('/tests/') && !path.startsWith('/run/'));
    assert.deepEqual(paths(planned(await sampleTask('bugsinpy-0001'))), []);
    assert.deepEqual(paths(planned(await sampleTask('manybugs-0007'))), ['/workspace/src/rl_strip.c']);
  });

  it('is bare without the trace', () => {
    const { verifier, collected } = planned(tiny(''), { trace: false });
    assert.deepEqual(verifier.env, {});
    assert.ok(
      ![...collected, ...verifier.files.map(({ path }) => path)].some((path) => path.startsWith('/run/')),
    );
  });
});
