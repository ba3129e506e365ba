/** The lenses above the first line of a solution: what a person does with it. Pure. */
import type { CommandId } from '../platform/commands/commandArguments.ts';
import { canSaveGold, type TaskState } from '../task/taskState.ts';
import type { Translate } from '../../wording/translate.ts';

export interface Lens {
  readonly title: string;
  /** Undefined: the lens only informs. */
  readonly command: CommandId | undefined;
}

export function lensesOf(state: TaskState, t: Translate): readonly Lens[] {
  return [...runLenses(state.activity.kind, t), ...editLenses(t), ...goldLenses(state, t)];
}

function runLenses(activity: TaskState['activity']['kind'], t: Translate): readonly Lens[] {
  const cancel: Lens = { title: t('Cancel'), command: 'repairBench.cancelRun' };
  switch (activity) {
    case 'idle':
      return [{ title: `$(beaker) ${t('Verify')}`, command: 'repairBench.verify' }];
    case 'waiting':
      return [{ title: `$(clock) ${t('Waiting…')}`, command: undefined }, cancel];
    case 'running':
      return [{ title: `$(sync~spin) ${t('Verifying…')}`, command: undefined }, cancel];
    case 'cancelling':
      return [{ title: `$(sync~spin) ${t('Cancelling…')}`, command: undefined }];
  }
}

function editLenses(t: Translate): readonly Lens[] {
  return [
    { title: t('Compare with starter'), command: 'repairBench.compareWithStarter' },
    { title: t('Reset'), command: 'repairBench.resetToStarter' },
  ];
}

function goldLenses(state: TaskState, t: Translate): readonly Lens[] {
  return state.activity.kind === 'idle' && canSaveGold(state)
    ? [{ title: t('Save as gold fix'), command: 'repairBench.saveGoldFix' }]
    : [];
}
