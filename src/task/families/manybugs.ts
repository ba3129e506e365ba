/** The ManyBugs sets: one C file in `/workspace/src`, compared with `tests/buggy` and `tests/fixed`. */
import { type ContainerPath, resolveContainerPath } from '../containerPath.ts';
import type { FamilyAnswer, FamilyInput } from './familyInput.ts';
import { memberPath, printableName } from '../archive/memberName.ts';
import { badMetadata } from '../metadata.ts';
import { copiesOf, hashPathsIn } from '../dockerfile/placedCopies.ts';
import type { FamilyFacts, TaskFiles } from '../task.ts';
import {
  BUGGY_FOLDER,
  FIXED_FOLDER,
  inContainer,
  INITIAL_FOLDER,
  isIn,
  METADATA,
  TESTS_FOLDER,
} from '../taskLayout.ts';
import type { TaskProblem } from '../taskProblem.ts';

const SOURCES: ContainerPath = '/workspace/src';

/** Without metadata: a buggy and a fixed version to compare with, and a verifier that looks into the source folder. */
export function looksLikeManyBugs({ files, testScript }: FamilyInput): boolean {
  return (
    firstName(files, BUGGY_FOLDER) !== undefined &&
    firstName(files, FIXED_FOLDER) !== undefined &&
    testScript.includes('/workspace')
  );
}

/** Facts of a ManyBugs task; the starter is what the image has, else `tests/initial/<file>`, else `tests/buggy/<file>`. */
export function manyBugsFacts(input: FamilyInput): FamilyAnswer {
  const { files, placed } = input;
  const { name, problems } = fileName(input);
  const facts = { name: 'manybugs', shape: shapeOf(input), hashPaths: hashPathsIn(files) } as const;
  if (name === undefined)
    return {
      facts: { ...facts, solution: [], baselinePaths: [], goldPaths: [], refusesStarter: false },
      problems: [...problems, NO_FILE],
    };
  const path = resolveContainerPath(SOURCES, name);
  const inImage = placed.find((one) => one.path === path);
  const shipped = files.get(`${INITIAL_FOLDER}/${name}`) ?? files.get(`${BUGGY_FOLDER}/${name}`);
  const shippedIn = (folder: string): readonly ContainerPath[] =>
    files.has(`${folder}/${name}`) ? [inContainer(`${folder}/${name}`)] : [];
  const baselinePaths = [
    ...shippedIn(BUGGY_FOLDER),
    ...(inImage === undefined ? [] : copiesOf(inImage, placed)),
  ];
  return {
    facts: {
      ...facts,
      solution: [
        {
          path,
          starter: inImage?.file.bytes ?? shipped?.bytes,
          mode: inImage?.mode ?? shipped?.mode ?? 0o644,
        },
      ],
      baselinePaths,
      goldPaths: shippedIn(FIXED_FOLDER),
      refusesStarter: baselinePaths.length > 0,
    },
    problems,
  };
}

const NO_FILE: TaskProblem = {
  code: 'no-solution-file',
  severity: 'warning',
  file: METADATA,
  message:
    'Neither flat_filename in metadata.json nor a file in tests/initial, tests/buggy or tests/fixed says which file is to be repaired, so there is nothing to edit yet. Add one of them.',
};

function fileName({ files, metadata }: FamilyInput): {
  readonly name: string | undefined;
  readonly problems: readonly TaskProblem[];
} {
  const shipped =
    firstName(files, INITIAL_FOLDER) ?? firstName(files, BUGGY_FOLDER) ?? firstName(files, FIXED_FOLDER);
  const stated = metadata.flat_filename;
  if (stated === undefined) return { name: shipped, problems: [] };
  const safe = memberPath(stated);
  if (safe.ok && safe.path === stated && !stated.includes('/')) return { name: stated, problems: [] };
  return {
    name: shipped,
    problems: [badMetadata(`flat_filename is ${printableName(stated)}, which is no plain file name`)],
  };
}

function firstName(files: TaskFiles, folder: string): string | undefined {
  return [...files.keys()]
    .filter((path) => isIn(folder, path))
    .map((path) => path.slice(folder.length + 1))
    .filter((name) => !name.includes('/'))
    .sort()[0];
}

function shapeOf({ files, testScript }: FamilyInput): FamilyFacts['shape'] {
  if (/^\s*trap\s.*\bEXIT\b/m.test(testScript)) return 'v1';
  return files.has(`${TESTS_FOLDER}/test_state.py`) ? 'v2' : undefined;
}
