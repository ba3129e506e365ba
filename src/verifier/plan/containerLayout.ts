/** Every file and folder of the container that a run puts there, or reads afterwards. */
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

/** What the verifier leaves behind. */
export const LOGS_FOLDER: ContainerPath = '/logs/verifier';
export const REWARD_JSON: ContainerPath = `${LOGS_FOLDER}/reward.json`;
export const REWARD_TEXT: ContainerPath = `${LOGS_FOLDER}/reward.txt`;
export const PASS_RATIO: ContainerPath = `${LOGS_FOLDER}/pass_ratio.txt`;
export const TEST_OUTPUT: ContainerPath = `${LOGS_FOLDER}/test-stdout.txt`;
export const ORACLE_LOGS: ContainerPath = '/logs/agent';
export const ORACLE_OUTPUT: ContainerPath = `${ORACLE_LOGS}/oracle.txt`;

/** Where the runtime puts what we add, away from everything a task knows about. */
export const OUR_FOLDER: ContainerPath = '/run/repair-bench';
export const TRACE_SCRIPT: ContainerPath = `${OUR_FOLDER}/trace.sh`;
/** The verifier's user may be anybody, so this folder is made with mode 0777 and brought back whole. */
export const TRACE_OUT_FOLDER: ContainerPath = `${OUR_FOLDER}/out`;
export const TRACE_FILE: ContainerPath = `${TRACE_OUT_FOLDER}/trace`;
export const DEBUG_FOLDER: ContainerPath = `${OUR_FOLDER}/debug`;
/** Where debugpy lies that the image does not bring. */
export const DEBUGPY_FOLDER: ContainerPath = `${DEBUG_FOLDER}/libs`;

/** The report of the runner that a line of `test.sh` started; a variable in its place is for the shell to expand. */
export function reportFile(line: number | `$${string}`): ContainerPath {
  return `${TRACE_OUT_FOLDER}/junit-${line}.xml`;
}

/** The line of `test.sh` in a report's file name; `undefined` when the script hid it from the runner. */
export function reportLine(path: string): number | undefined {
  const digits = /\/junit-(\d+)\.xml$/.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
