/**
 * What makes an unmodified `test.sh` talk: a file that bash sources before it, and the environment that points there.
 * `PS4` from the environment is ignored for root, so it is set inside the sourced file (bash 5.2 tried).
 */

/** Where the runtime puts what we add, away from everything a task knows about. */
export const TRACE_FOLDER = '/run/repair-bench';
export const TRACE_FILE = `${TRACE_FOLDER}/out/trace`;
/** The verifier's user may be anybody, so this folder is made with mode 0777 and brought back whole. */
export const TRACE_OUT_FOLDER = `${TRACE_FOLDER}/out`;
export const TRACE_SCRIPT = `${TRACE_FOLDER}/trace.sh`;

/**
 * The sourced file. Each line of the trace reads `+LINE:STATUS: command`: depth by the number of `+`, the line of
 * `test.sh`, the exit status of the previous command, the command as expanded.
 * The arithmetic in PS4 also exports the line, so that a runner started there names its report after it.
 */
export function traceScript(verifierScript: string): string {
  return [
    `if [ "$0" = '${verifierScript}' ]; then`,
    '  unset BASH_ENV',
    '  export REPAIR_BENCH_LINE=0',
    `  exec {BASH_XTRACEFD}>>'${TRACE_FILE}'`,
    "  PS4='+$((REPAIR_BENCH_LINE=LINENO)):$?: '",
    '  set -x',
    'fi',
    '',
  ].join('\n');
}

/** pytest expands variables in `--junitxml` (os.path.expandvars), so each call in `test.sh` gets its own report. */
export const TRACE_ENVIRONMENT: Readonly<Record<string, string>> = {
  BASH_ENV: TRACE_SCRIPT,
  PYTEST_ADDOPTS: `--junitxml=${TRACE_OUT_FOLDER}/junit-$REPAIR_BENCH_LINE.xml`,
};

/** The line of `test.sh` in a report's file name; `undefined` when the script hid it from the runner. */
export function reportLine(path: string): number | undefined {
  const digits = /\/junit-(\d+)\.xml$/.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
