/** The plan of a shell: the files that the verifier would find, without those that were not revealed. Pure. */
import type { RunPlan } from '../../runtime/plan.ts';
import { isIn } from '../../task/taskLayout.ts';
import { CONTAINER_TESTS } from '../../verifier/plan/containerLayout.ts';

/** The plan of a bare run, without the tests and without the gold unless they may be seen. */
export function shellPlan(plan: RunPlan, testsRevealed: boolean): RunPlan {
  const { oracle: _gold, verifier, ...rest } = plan;
  const files = verifier.files.filter(({ path }) => testsRevealed || !isIn(CONTAINER_TESTS, path));
  return { ...rest, verifier: { ...verifier, files } };
}
