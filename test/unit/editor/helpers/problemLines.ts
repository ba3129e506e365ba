// Problems as lines of text: severity, place, code and message, with the related places below.
import type { Problem } from '../../../../src/editor/verdict/problems.ts';

export function problemLines(problems: readonly Problem[]): string {
  return problems
    .map(({ severity, file, line, column, code, message, related }) =>
      [
        `${severity} ${file}:${line}${column === undefined ? '' : `:${column}`} [${code}] ${message}`,
        ...related.map((place) => `    ${place.in} ${place.path}:${place.line} ${place.message}`),
      ].join('\n'),
    )
    .join('\n');
}
