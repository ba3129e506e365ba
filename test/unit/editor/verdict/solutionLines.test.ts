import assert from 'node:assert/strict';
import { lineHolds } from '../../../../src/editor/verdict/solutionLines.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';
import { shown } from '../helpers/taskStates.ts';

describe('the failing places of a run', () => {
  it('of a changed solution are those whose line stayed', () => {
    const files = (text: string) => new Map([['/app/solution.py' as const, Buffer.from(text)]]);
    const { run } = shown(scored(), true);
    assert.ok(run);
    const holds = lineHolds({ ...run, snapshot: files('a\nb\nc\n') }, files('a\nx\nc\n'));
    assert.deepEqual(
      [1, 2, 3].map((line) => holds('/app/solution.py', line)),
      [true, false, true],
    );
    assert.equal(lineHolds(run, files('a\n'))('/app/solution.py', 1), false);
  });
});
