// How the verdict says that the tests were started.
import assert from 'node:assert/strict';
import type { Launch, Verdict } from '../../../../src/verifier/verdict/verdict.ts';

export function launchOfTests(verdict: Verdict): Launch | undefined {
  assert.equal(verdict.outcome, 'scored');
  return verdict.gates.find(({ kind }) => kind === 'tests')?.launch;
}
