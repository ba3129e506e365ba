/** Files and folders of the container that a run writes or reads. */
import type { ContainerPath } from '../../task/containerPath.ts';
import {
  inContainer,
  SOLUTION_FOLDER,
  SOLVE_SCRIPT,
  TEST_SCRIPT,
  TESTS_FOLDER,
} from '../../task/taskLayout.ts';

export const CONTAINER_TESTS = inContainer(TESTS_FOLDER);
export const VERIFIER_SCRIPT = inContainer(TEST_SCRIPT);
export const CONTAINER_SOLUTION = inContainer(SOLUTION_FOLDER);
export const ORACLE_SCRIPT = inContainer(SOLVE_SCRIPT);

/** Where the verifier leaves its results. */
export const LOGS_FOLDER: ContainerPath = '/logs/verifier';
export const REWARD_JSON: ContainerPath = `${LOGS_FOLDER}/reward.json`;
export const REWARD_TEXT: ContainerPath = `${LOGS_FOLDER}/reward.txt`;
export const PASS_RATIO: ContainerPath = `${LOGS_FOLDER}/pass_ratio.txt`;
export const TEST_OUTPUT: ContainerPath = `${LOGS_FOLDER}/test-stdout.txt`;
export const ORACLE_LOGS: ContainerPath = '/logs/agent';
export const ORACLE_OUTPUT: ContainerPath = `${ORACLE_LOGS}/oracle.txt`;

/** The folder for files that we add, which no task knows about. */
export const OUR_FOLDER: ContainerPath = '/run/repair-bench';
export const TRACE_SCRIPT: ContainerPath = `${OUR_FOLDER}/trace.sh`;
/** Made with mode 0777, since the verifier may run as any user; collected whole. */
export const TRACE_OUT_FOLDER: ContainerPath = `${OUR_FOLDER}/out`;
export const TRACE_FILE: ContainerPath = `${TRACE_OUT_FOLDER}/trace`;
export const DEBUG_FOLDER: ContainerPath = `${OUR_FOLDER}/debug`;
/** Where debugpy is put for images without it. */
export const DEBUGPY_FOLDER: ContainerPath = `${DEBUG_FOLDER}/libs`;

/** The report of the runner that a line of `test.sh` starts; `line` may be a variable that the shell expands. */
export function reportFile(line: number | `$${string}`): ContainerPath {
  return `${TRACE_OUT_FOLDER}/junit-${line}.xml`;
}

/** The line of `test.sh` in a report's file name; undefined when the name has none. */
export function reportLine(path: string): number | undefined {
  const digits = /\/junit-(\d+)\.xml$/.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
