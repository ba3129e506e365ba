// What the editor knows of a task, with and without a run.
import type { ShownVerdict, TaskState } from '../../../../src/editor/task/taskState.ts';

export function state(part: Partial<TaskState> = {}): TaskState {
  return {
    folder: '/work/bugsinpy-0001-12345678',
    taskId: 'bugsinpy-0001.tar.gz',
    solution: 'changed',
    refusesStarter: true,
    goldFix: false,
    activity: { kind: 'idle' },
    run: undefined,
    ...part,
  };
}

export function shown(verdict: ShownVerdict, outdated = false): TaskState {
  const at = '2026-01-02T03:04:05.000Z';
  return state({ run: { id: 'run 1', verdict, at, outdated, snapshot: undefined } });
}
