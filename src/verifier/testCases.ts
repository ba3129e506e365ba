/** Test cases of a run, from the reports that runners left, with places to open. */
import type { CollectedFile } from '../runtime/evidence.ts';
import { parseJunit } from './junit.ts';
import { casePlaces, findError } from './locations.ts';
import { reportLine } from './traceScript.ts';
import type { TestCase } from './verdict.ts';

const MOST_DETAIL = 8 * 1024;

export interface CollectedCases {
  readonly cases: readonly TestCase[];
  /** Lines of `test.sh` whose runner left a report, whether or not it lists cases. */
  readonly reportedLines: ReadonlySet<number>;
}

/**
 * @param reports collected `junit-LINE.xml` files
 * @param leftOut lines of `test.sh` whose runner only reports on the reward
 */
export function collectCases(
  reports: readonly CollectedFile[],
  solution: readonly string[],
  tests: readonly string[],
  leftOut: ReadonlySet<number>,
): CollectedCases {
  const reportedLines = new Set<number>();
  const cases = reports.flatMap((file) => {
    const line = reportLine(file.path);
    if (line !== undefined) reportedLines.add(line);
    if ((line !== undefined && leftOut.has(line)) || !('text' in file.content)) return [];
    return parseJunit(file.content.text).cases.map((reported): TestCase => {
      const detail = reported.detail ?? '';
      const places =
        reported.state === 'failed' || reported.state === 'errored'
          ? casePlaces(detail, solution, tests)
          : undefined;
      const at = places?.at ?? (places ? placeOf(detail, [...solution, ...tests]) : undefined);
      const message = reported.state === 'passed' ? undefined : firstLine(reported.message ?? detail);
      return {
        name: reported.name,
        state: reported.state,
        ...(reported.durationMs === undefined ? {} : { durationMs: reported.durationMs }),
        ...(message === undefined ? {} : { message }),
        ...(detail === ''
          ? {}
          : { detail: detail.length > MOST_DETAIL ? `${detail.slice(0, MOST_DETAIL)}…` : detail }),
        ...(at ? { at } : {}),
        ...(places?.related ? { related: places.related } : {}),
        ...(line === undefined ? {} : { gateLine: line }),
      };
    });
  });
  return { cases, reportedLines };
}

function placeOf(detail: string, files: readonly string[]) {
  const found = findError(detail.replace(/^E {2,}/gm, '  '), files);
  return found ? { path: found.path, line: found.line } : undefined;
}

function firstLine(text: string): string | undefined {
  const line = text
    .split(/\r?\n/)
    .find((one) => one.trim() !== '')
    ?.trim();
  return line === undefined || line.length <= 300 ? line : `${line.slice(0, 299)}…`;
}
