import assert from 'node:assert/strict';
import { taskDocument } from '../../../../src/cli/documents/taskDocument.ts';
import { plainStyle } from '../../../../src/cli/terminal/terminalStyle.ts';
import { renderRun } from '../../../../src/cli/render/renderHistory.ts';
import { renderVerdict } from '../../../../src/cli/render/renderVerdict.ts';
import { tinyTask } from '../../../host/tinyTask.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';

describe('a reward in a terminal', () => {
  it('has one colour, in a verdict and in a history', () => {
    const style = plainStyle({ width: 80, colour: true, unicode: true });
    for (const [reward, colour] of [
      [0, 31],
      [0.5, 33],
      [1, 32],
    ] as const) {
      const verdict = scored({ reward });
      const record = {
        version: 1,
        at: '2026-01-02T03:04:05.678Z',
        startedBy: 'person',
        subject: 'solution',
        runtime: { kind: 'docker', name: 'Docker' },
        verdict,
      } as const;
      const entry = { id: 'a', file: 'a', kept: true, before: undefined, files: [], gates: [], record };
      const report = {
        task: taskDocument(tinyTask({})),
        subject: 'solution',
        runtime: 'Docker',
        verdict,
        command: 'verify',
        showPath: (path: string) => path,
      } as const;
      for (const lines of [renderRun(entry, style), renderVerdict(report, style)])
        assert.match(lines.join('\n'), new RegExp(`\\u001b\\[${colour}mreward ${reward}`, 'i'));
    }
  });
});
