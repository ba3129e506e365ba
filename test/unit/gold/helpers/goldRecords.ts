// A gold record as it may be saved, for tests that are about something else.
import type { GoldRecord } from '../../../../src/gold/goldRecord.ts';

const HASH = 'ab'.repeat(32);

export function goldRecord(part: Partial<GoldRecord> = {}): Omit<GoldRecord, 'seals'> {
  return {
    version: 1,
    task: { id: 'bugsinpy-0001', family: 'bugsinpy', hash: HASH, hashWithoutSolution: HASH },
    dataset: { name: 'tasks', format: 'folder', row: 0 },
    solution: {
      hash: HASH,
      files: [
        {
          path: '/app/solution.py',
          change: 'changed',
          file: 'solution/files/app/solution.py',
          mode: 0o644,
        },
      ],
    },
    notInPatch: [],
    verifier: { hash: HASH },
    image: 'sha256:1234',
    runtime: { kind: 'docker', name: 'Docker 28.0.1', platform: 'linux/amd64' },
    reward: 1,
    rewards: { reward: 1 },
    clocks: { verify: 1200 },
    gates: [],
    cases: [],
    savedAt: '2026-01-02T03:04:05.000Z',
    tool: { name: 'repair-bench', version: '0.1.0' },
    revealed: {},
    startedBy: 'person',
    files: { 'solution/solve.sh': HASH },
    ...part,
  };
}
