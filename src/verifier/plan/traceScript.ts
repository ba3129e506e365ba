/**
 * Makes bash trace an unmodified `test.sh`: a file that bash sources first, and the environment that names it.
 * bash ignores `PS4` of the environment for root (tried with 5.2), so the sourced file sets it.
 */
import { reportFile, TRACE_FILE, TRACE_SCRIPT, VERIFIER_SCRIPT } from './containerLayout.ts';

/**
 * The sourced file. A line of the trace reads `+LINE:STATUS: command`: one `+` per level, the line of `test.sh`, the
 * exit status of the previous command, the expanded command.
 * The arithmetic in PS4 also exports the line, so that a runner names its report after it.
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
