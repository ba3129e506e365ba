/** Where the parts of a task lie in its archive, after Harbor's layout: relative, POSIX; folders end without a slash. */
import type { ContainerPath } from './containerPath.ts';

export const INSTRUCTION = 'instruction.md';
export const TASK_TOML = 'task.toml';
export const METADATA = 'metadata.json';

/** The build context of the task's image. */
export const ENVIRONMENT_FOLDER = 'environment';
export const DOCKERFILE = `${ENVIRONMENT_FOLDER}/Dockerfile`;
export const COMPOSE_FILE = `${ENVIRONMENT_FOLDER}/docker-compose.yaml`;

export const TESTS_FOLDER = 'tests';
/** The verifier. */
export const TEST_SCRIPT = `${TESTS_FOLDER}/test.sh`;
/** Some sets ship the file to repair three times: as given out, with its bug, and fixed. */
export const INITIAL_FOLDER = `${TESTS_FOLDER}/initial`;
export const BUGGY_FOLDER = `${TESTS_FOLDER}/buggy`;
export const FIXED_FOLDER = `${TESTS_FOLDER}/fixed`;

export const SOLUTION_FOLDER = 'solution';
export const SOLVE_SCRIPT = `${SOLUTION_FOLDER}/solve.sh`;

/** Whether `path` lies in `folder`, at any depth; for paths of containers too. */
export function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** Where a file of `tests/` or `solution/` lies in the container. */
export function inContainer(path: string): ContainerPath {
  return `/${path}`;
}
