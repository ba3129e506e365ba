/** The BugsInPy sets: one file, `/app/solution.py`, with tests in `tests/test_solution.py`. */
import type { ContainerPath } from '../containerPath.ts';
import type { FamilyAnswer, FamilyInput } from './familyInput.ts';
import { copiesOf, hashPathsIn } from '../dockerfile/placedCopies.ts';
import type { FamilyFacts } from '../task.ts';
import { ENVIRONMENT_FOLDER, FIXED_FOLDER, inContainer, TESTS_FOLDER } from '../taskLayout.ts';

const SOLUTION: ContainerPath = '/app/solution.py';
const BASELINE: ContainerPath = '/app/.buggy_solution.py';
const STARTER = `${ENVIRONMENT_FOLDER}/solution.py`;
const GOLD = `${FIXED_FOLDER}/solution.py`;

/** Without metadata: the starter and the tests lie where these sets put them, and the verifier names the solution. */
export function looksLikeBugsInPy({ files, testScript }: FamilyInput): boolean {
  return files.has(STARTER) && files.has(`${TESTS_FOLDER}/test_solution.py`) && testScript.includes(SOLUTION);
}

/** Facts of a BugsInPy task; the starter is what the image has, else `environment/solution.py`. */
export function bugsInPyFacts(input: FamilyInput): FamilyAnswer {
  const inImage = input.placed.find((placed) => placed.path === SOLUTION);
  const shipped = input.files.get(STARTER);
  const baselines = new Set(inImage === undefined ? [] : copiesOf(inImage, input.placed));
  if (mentionsBaseline(input)) baselines.add(BASELINE);
  const shape = shapeOf(input, baselines);
  return {
    facts: {
      name: 'bugsinpy',
      shape,
      solution: [
        {
          path: SOLUTION,
          starter: inImage?.file.bytes ?? shipped?.bytes,
          mode: inImage?.mode ?? shipped?.mode ?? 0o644,
        },
      ],
      baselinePaths: [...baselines],
      hashPaths: hashPathsIn(input.files),
      goldPaths: input.files.has(GOLD) ? [inContainer(GOLD)] : [],
      refusesStarter: baselines.size > 0 || shape === 'v4',
    },
    problems: [],
  };
}

/** Some images make the baseline with `RUN cp`, which is not executed here. */
function mentionsBaseline({ testScript, dockerfile }: FamilyInput): boolean {
  return testScript.includes(BASELINE) || dockerfile.includes('.buggy_solution.py');
}

function shapeOf({ files, testScript }: FamilyInput, baselines: ReadonlySet<string>): FamilyFacts['shape'] {
  if (files.has(`${TESTS_FOLDER}/baseline_sha256.txt`)) return 'v4';
  if (baselines.size > 0) return 'v2';
  return /^\s*trap\s.*\bEXIT\b/m.test(testScript) ? 'v1' : undefined;
}
