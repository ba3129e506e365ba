/** Warnings about parts of a task's configuration. */
import type { Task } from '../../task/task.ts';
import { counted } from '../../wording/counted.ts';
import { joinWords } from '../../wording/joinWords.ts';
import type { Warning } from '../verdict/verdict.ts';

/** Warns of parts of `task.toml` that Harbor runs and we do not. */
export function unsupportedParts({ config }: Task): Warning[] {
  const { steps, verifier } = config;
  const separate = verifier.environmentMode === 'separate' || verifier.environment !== null;
  const parts = [
    ...(steps.length > 0
      ? [
          `its ${counted(steps.length, 'step')} (${joinWords(
            steps.map(({ name }) => name),
            { most: 4 },
          )}), each with tests of its own`,
        ]
      : []),
    ...(separate ? ['the separate environment for its verifier'] : []),
  ];
  return parts.length === 0
    ? []
    : [
        {
          code: 'not-run-here',
          message: `task.toml asks for ${parts.join(' and for ')}; Repair Bench does not run this. The verdict is about tests/test.sh in the task's own image, and Harbor may score differently.`,
        },
      ];
}
