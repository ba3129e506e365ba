// The History view as text: what each run came to and what changed, in words too.
import assert from 'node:assert/strict';
import { historyTree, type HistoryNode } from '../../../../src/editor/history/historyTree.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import type { HistoryEntry } from '../../../../src/workspace/runs/history.ts';
import { scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';

const NOW = new Date('2026-01-02T03:10:00.000Z');

function entry(part: Partial<HistoryEntry> = {}, record: Partial<HistoryEntry['record']> = {}): HistoryEntry {
  return {
    id: '2026-01-02T03-04-05.000Z-bbbbbbbb',
    file: '/w/runs/a.json',
    kept: true,
    before: 'a'.repeat(64),
    files: [],
    gates: [],
    ...part,
    record: {
      version: 1,
      at: '2026-01-02T03:04:05.000Z',
      startedBy: 'person',
      subject: 'solution',
      runtime: { kind: 'docker', name: 'Docker 28.2.2' },
      verdict: scored(),
      ...record,
    },
  };
}

function drawn(nodes: readonly HistoryNode[], indent = ''): string[] {
  return nodes.flatMap(({ icon, label, description, context, children }) => [
    `${indent}[${icon}] ${label} (${description})${context === 'detail' ? '' : ` ${context}`}`,
    ...drawn(children, `${indent}  `),
  ]);
}

const tree = (...entries: HistoryEntry[]): readonly HistoryNode[] =>
  historyTree({ entries, damaged: [] }, NOW, inEnglish);

describe('the History view', () => {
  it('shows what a run came to, how long ago, and what changed since the run before', () => {
    const run = entry({
      files: [
        { path: '/app/solution.py', change: 'changed', lines: { added: 3, removed: 1 } },
        { path: '/app/data.bin', change: 'added', lines: undefined },
      ],
      gates: [{ id: 'tests@40', title: 'test_solution.py passes', from: 'passed', to: 'failed' }],
    });
    const nodes = tree(run);
    assert.deepEqual(drawn(nodes), [
      '[failed] Reward 0 · 2/5 gates (5 min ago · +3 −1) run-kept',
      '  [failed] test_solution.py passes (failed · was: passed)',
      '  [file] solution.py (changed · +3 −1)',
      '  [file] data.bin (added)',
      '  [output] Output of test.sh ()',
    ]);
    assert.deepEqual(
      nodes[0]?.children.map(({ opens }) => opens),
      [
        { shows: 'gate', line: 40 },
        { shows: 'difference', path: '/app/solution.py' },
        { shows: 'difference', path: '/app/data.bin' },
        { shows: 'output' },
      ],
    );
  });

  it('says everything in words', () => {
    const run = entry(
      { files: [{ path: '/a', change: 'changed', lines: { added: 3, removed: 1 } }] },
      { startedBy: 'agent' },
    );
    const [node] = tree(run);
    assert.equal(
      node?.spoken,
      'Reward 0, 2 of 5 gates passed, 5 min ago, by an agent, 3 lines added, 1 removed',
    );
    assert.equal(node?.children[0]?.spoken, '/a, changed, 3 lines added, 1 removed');
  });

  it('marks what an agent started and what was not the solution', () => {
    const run = entry({}, { startedBy: 'agent', subject: 'gold', verdict: scored({ reward: 1 }) });
    assert.equal(
      drawn(tree(run))[0],
      '[passed] Reward 1 · 2/5 gates (5 min ago · gold · by an agent) run-kept',
    );
    assert.match(tree(run)[0]?.tooltip ?? '', /\nStarted by an agent\./);
  });

  it('says why there is nothing to compare', () => {
    const lost = entry({ kept: false, files: undefined }, { verdict: unscored() });
    assert.deepEqual(drawn(tree(lost)), [
      '[errored] No reward (5 min ago) run',
      '  [unknown] No comparison: the earlier solution was not kept ()',
      '  [output] Output of test.sh ()',
    ]);
    assert.match(tree(lost)[0]?.tooltip ?? '', /was not kept, so you cannot compare it or go back to it\.$/);
    assert.equal(tree(entry())[0]?.children[0]?.label, 'Same solution as the run before');
    assert.equal(tree(entry({ before: undefined }))[0]?.children[0]?.label, 'Unchanged from the starter');
  });

  it('tells of damaged run files', () => {
    const [node] = historyTree({ entries: [], damaged: ['/w/runs/x.json'] }, NOW, inEnglish);
    assert.equal(node?.label, '1 run file is damaged');
    assert.match(node?.tooltip ?? '', /\n\/w\/runs\/x\.json$/);
  });
});
