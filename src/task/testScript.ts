/** Finds problems of `tests/test.sh` before it runs. */
import type { TaskFiles } from './task.ts';
import { TEST_SCRIPT } from './taskLayout.ts';
import type { TaskProblem } from './taskProblem.ts';

/** Problems that keep a verifier from starting, or from running as its author meant. */
export function testScriptProblems(files: TaskFiles): readonly TaskProblem[] {
  const file = files.get(TEST_SCRIPT);
  if (file === undefined)
    return [
      problem(
        'no-test-script',
        'blocking',
        'The task has no tests/test.sh, so there is nothing that could verify a solution. Add the script.',
      ),
    ];
  // The kernel reads bytes, so a byte order mark must not be dropped.
  const text = Buffer.from(file.bytes).toString('latin1');
  if (text.trim() === '')
    return [
      problem(
        'no-test-script',
        'blocking',
        'tests/test.sh is empty, so it writes no reward and nothing can be verified. Write the script.',
      ),
    ];
  return [...lineEnds(text), ...shebang(text)];
}

function lineEnds(text: string): readonly TaskProblem[] {
  const lines = text.split('\n');
  const line = lines.findIndex((one) => one.endsWith('\r')) + 1;
  if (line === 0) return [];
  const program = /^#!\s*(\S+)/.exec(lines[0] ?? '')?.[1];
  const effect =
    line === 1 && program !== undefined
      ? `Linux then looks for a program named "${program}\\r" and cannot start the script`
      : 'the shell then takes the carriage return for a part of its commands';
  return [
    problem(
      'crlf-test-script',
      'warning',
      `Line ${line} of tests/test.sh ends with CRLF, as Windows writes it: ${effect}. Save the file with LF line ends.`,
      line,
    ),
  ];
}

/** The byte order mark of UTF-8, read as Latin-1. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

function shebang(text: string): readonly TaskProblem[] {
  if (text.startsWith('#!')) return [];
  const mark = text.startsWith(BYTE_ORDER_MARK) ? ' but with a byte order mark' : '';
  return [
    problem(
      'no-shebang',
      'warning',
      `tests/test.sh does not start with #!${mark}, so it is left to the calling shell, bash, to run it. Put #!/bin/bash at the very start of its first line.`,
      1,
    ),
  ];
}

function problem(
  code: TaskProblem['code'],
  severity: TaskProblem['severity'],
  message: string,
  line?: number,
): TaskProblem {
  return { code, severity, file: TEST_SCRIPT, message, ...(line === undefined ? {} : { line, column: 1 }) };
}
