import assert from 'node:assert/strict';
import type { RunPlan } from '../../../../src/runtime/plan.ts';
import { planWarnings, userWarning } from '../../../../src/runtime/sandbox/sandboxWarnings.ts';
import { plannedDockerfile } from '../../../host/plannedDockerfile.ts';

const PYTHON = {
  executable: '/usr/bin/python3',
  version: '3.11.2',
  prefix: '/usr',
  basePrefix: '/usr',
  pytestVersion: '7.2.1',
};

describe('notes of the sandbox', () => {
  it('name the lines that were not executed and the interpreter that was used', () => {
    const skipped = [
      { line: 2, text: 'RUN apt-get update && \\\n    apt-get install -y gcc' },
      { line: 5, text: 'RUN pip install pytest' },
    ];
    assert.deepEqual(planWarnings(plan({ skipped }), PYTHON), [
      {
        code: 'sandbox-run-lines-skipped',
        message:
          'The sandbox builds no image, so these lines of the Dockerfile were not executed: ' +
          'line 2 (RUN apt-get update && \\ apt-get install -y gcc) and line 5 (RUN pip install pytest).',
      },
      {
        code: 'sandbox-interpreter',
        message:
          "The task asks for python:3.10-slim; the sandbox used this machine's Python 3.11.2, with pytest 7.2.1.",
      },
    ]);
  });

  it('say when there is no pytest, or no Python at all', () => {
    assert.match(
      planWarnings(plan({}), { ...PYTHON, pytestVersion: undefined })[0]?.message ?? '',
      /which has no pytest/,
    );
    assert.match(planWarnings(plan({}), undefined)[0]?.message ?? '', /found no Python 3/);
  });

  it('stay short for a Dockerfile with many lines', () => {
    const skipped = Array.from({ length: 9 }, (_, index) => ({
      line: index + 1,
      text: 'RUN '.padEnd(500, 'x'),
    }));
    const [note] = planWarnings(plan({ skipped }), PYTHON);
    assert.match(note?.message ?? '', /4 more\.$/);
    assert.ok((note?.message.length ?? 0) < 800);
  });

  it('say that an image cannot be used and that there is no network', () => {
    const codes = planWarnings({ ...plan({}), network: 'default', image: pulled() }, PYTHON).map(
      ({ code }) => code,
    );
    assert.deepEqual(codes, ['sandbox-image-not-used', 'sandbox-interpreter', 'sandbox-no-network']);
  });

  it('say what another user than root means', () => {
    assert.equal(userWarning({ name: 'root', uid: 0, gid: 0, home: '/root' }), undefined);
    assert.match(userWarning({ name: undefined, uid: 7, gid: 7, home: '/' })?.message ?? '', /running as 7/);
  });
});

function plan(layout: Partial<RunPlan['image']['layout']>): RunPlan {
  const step = { command: ['true'], env: {}, timeoutMs: 1, files: [], emptied: [] };
  return {
    version: 1,
    task: 't',
    image: {
      kind: 'build',
      layout: { baseImage: 'python:3.10-slim', workdir: '/app', env: {}, files: [], skipped: [], ...layout },
      dockerfile: plannedDockerfile(''),
      context: [],
      timeoutMs: 1,
    },
    removed: [],
    verifier: step,
    collected: [],
    network: 'none',
    limits: {
      ...{ cpus: 1, memoryMb: 1, pids: 1, fileSizeMb: 1 },
      ...{ collectedFileBytes: 1, collectedTotalBytes: 1, collectedFiles: 1 },
    },
  };
}

function pulled(): RunPlan['image'] {
  const { layout } = plan({}).image;
  return { kind: 'pull', name: 'registry/task:1', layout, timeoutMs: 1 };
}
