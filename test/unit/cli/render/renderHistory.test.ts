// A history as a person reads it in a terminal.
import assert from 'node:assert/strict';
import { plainStyle } from '../../../../src/cli/terminal/terminalStyle.ts';
import { renderRun } from '../../../../src/cli/render/renderHistory.ts';
import type { HistoryEntry } from '../../../../src/workspace/runs/history.ts';
import { scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';

const STYLE = plainStyle({ width: 80, colour: false, unicode: true });

function entry(part: Partial<HistoryEntry>, record: Partial<HistoryEntry['record']> = {}): HistoryEntry {
  return {
    id: 'a',
    file: '/w/runs/a.json',
    kept: true,
    before: undefined,
    files: [],
    gates: [],
    ...part,
    record: {
      version: 1,
      at: '2026-01-02T03:04:05.678Z',
      startedBy: 'person',
      subject: 'solution',
      runtime: { kind: 'docker', name: 'Docker 28.2.2' },
      verdict: scored(),
      ...record,
    },
  };
}

describe('a run of the history in a terminal', () => {
  it('says when, what it came to, and what changed', () => {
    const lines = renderRun(
      entry({
        files: [
          { path: '/app/a.py', change: 'changed', lines: { added: 3, removed: 1 } },
          { path: '/app/b.bin', change: 'added', lines: undefined },
        ],
        gates: [
          { id: 'tests@4', title: 'test_solution.py passes', from: 'passed', to: 'failed' },
          { id: 'check@9', title: 'style', from: undefined, to: 'not-reached' },
        ],
      }),
      STYLE,
    );
    assert.deepEqual(lines, [
      '2026-01-02 03:04:05Z  reward 0 · 2/5 gates · Docker 28.2.2',
      '    a.py +3 -1, b.bin added (not counted)',
      '    ✗ test_solution.py passes: failed (was: passed)',
      '    ○ style: not reached (new)',
    ]);
  });

  it('marks runs of an agent and of other subjects, and solutions that were not kept', () => {
    assert.deepEqual(
      renderRun(
        entry(
          { kept: false, files: undefined },
          { startedBy: 'agent', subject: 'gold', verdict: unscored() },
        ),
        STYLE,
      ),
      [
        '2026-01-02 03:04:05Z  no reward (missing) · the gold · Docker 28.2.2 · started by an agent',
        '    The solution of this run was not kept.',
      ],
    );
    assert.deepEqual(renderRun(entry({ files: undefined }), STYLE), [
      '2026-01-02 03:04:05Z  reward 0 · 2/5 gates · Docker 28.2.2',
      '    The solution of the run before was not kept.',
    ]);
  });

  it('lets no name of a task steer the terminal', () => {
    const [, line = ''] = renderRun(
      entry({ files: [{ path: '/app/a\u001b[31m\nb', change: 'deleted', lines: { added: 0, removed: 1 } }] }),
      STYLE,
    );
    assert.equal(line, '    a\\x1b[31m b deleted (+0 -1)');
  });
});
