import assert from 'node:assert/strict';
import { shellPlan } from '../../../../src/editor/run/shellPlan.ts';
import { testPlan, textFile } from '../../../engine/testPlan.ts';

describe('what a shell finds in place', () => {
  const plan = testPlan({ files: [textFile('/app/solution.py', 'x')], oracle: { script: 'true' } });
  const pathsOf = (revealed: boolean) => shellPlan(plan, revealed).verifier.files.map(({ path }) => path);

  it('is the solution, and the tests only when they were revealed', () => {
    assert.deepEqual(pathsOf(false), ['/app/solution.py']);
    assert.deepEqual(pathsOf(true), ['/tests/test.sh', '/app/solution.py']);
  });

  it('is never the gold', () => {
    assert.equal(shellPlan(plan, true).oracle, undefined);
  });
});
