// A solution with reward 1 of every sample task that can have one, as a person would leave it in a workspace.
import assert from 'node:assert/strict';
import type { ContainerPath } from '../../src/task/containerPath.ts';
import type { Task } from '../../src/task/task.ts';
import { type SolutionState, starterOf } from '../../src/verifier/plan/solution.ts';
import { resolveSubject } from '../../src/verifier/plan/subject.ts';
import { sampleScenarios, subjectOf } from './sampleTasks.ts';

type Edit = readonly [path: ContainerPath, before: string, after: string];

/** What the gold scripts of these tasks come to. */
const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  'harbor-ledger-cli': [
    ['/app/aliases.ini', 'rent = Expences:Rent\n', 'rent = Expenses:Rent\n'],
    [
      '/app/ledger/balance.py',
      '    return account.startswith(parent)\n',
      '    return not parent or account == parent or account.startswith(parent + SEPARATOR)\n',
    ],
    [
      '/app/ledger/journal.py',
      String.raw`_AMOUNT = re.compile(r"^[+-]?\d+(\.\d{2})?$")`,
      String.raw`_AMOUNT = re.compile(r"^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d{2})?$")`,
    ],
    ['/app/ledger/journal.py', 'return Decimal(text)', 'return Decimal(text.replace(",", ""))'],
  ],
  'harbor-log-rotate': [
    ['/app/rotate.sh', 'for file in $*; do\n', 'for file in "$@"; do\n'],
    ['/app/rotate.sh', '[ "$size" -lt "$limit" ]', '[ "$size" -le "$limit" ]'],
  ],
};

/** Ids of the samples whose reward can be 1. */
export function solvableSamples(): string[] {
  return [...new Set(sampleScenarios().flatMap(({ task, reward }) => (reward === 1 ? [task] : [])))];
}

export function solved(task: Task): SolutionState {
  const files = new Map(starterOf(task).files);
  const edits = EDITS[task.id];
  if (edits) {
    for (const [path, before, after] of edits) {
      const text = Buffer.from(files.get(path) ?? []).toString('utf8');
      assert.equal(text.split(before).length, 2, `${path} of ${task.id} holds ${before} once`);
      files.set(path, Buffer.from(text.split(before).join(after)));
    }
    if (task.id === 'harbor-log-rotate') shiftFromTheOldest(files);
    return { files };
  }
  const scenario = task.gold.kind === 'none' ? 'wrong-edit' : 'gold';
  return resolveSubject(task, subjectOf(task, scenario)).solution;
}

function shiftFromTheOldest(files: Map<ContainerPath, Uint8Array>): void {
  const text = Buffer.from(files.get('/app/rotate.sh') ?? []).toString('utf8');
  const from = text.indexOf('    i=1\n');
  const to = text.indexOf('}\n\nrotate() {');
  assert.ok(from > 0 && to > from);
  const loop = [
    '    i=$((keep - 1))',
    '    while [ "$i" -ge 1 ]; do',
    '        if [ -f "$1.$i" ]; then',
    '            cp -p "$1.$i" "$1.$((i + 1))"',
    '        fi',
    '        i=$((i - 1))',
    '    done',
    '',
  ];
  files.set('/app/rotate.sh', Buffer.from(text.slice(0, from) + loop.join('\n') + text.slice(to)));
}
