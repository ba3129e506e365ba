/**
 * What makes an unmodified `test.sh` talk: a file that bash sources before it, and the environment that points there.
 * `PS4` from the environment is ignored for root, so it is set inside the sourced file (bash 5.2 tried).
 */
import { reportFile, TRACE_FILE, TRACE_SCRIPT, VERIFIER_SCRIPT } from './containerLayout.ts';

/**
 * The sourced file. Each line of the trace reads `+LINE:STATUS: command`: depth by the number of `+`, the line of
 * `test.sh`, the exit status of the previous command, the command as expanded.
 * The arithmetic in PS4 also exports the line, so that a runner started there names its report after it.
 */
export function traceScript(): string {
  return [
    `if [ "$0" = '${VERIFIER_SCRIPT}' ]; then`,
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
  PYTEST_ADDOPTS: `--junitxml=${reportFile('$REPAIR_BENCH_LINE')}`,
};
