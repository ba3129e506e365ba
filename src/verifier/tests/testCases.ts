/** Reads the test cases of a run from the reports of its runners, with places to open. */
import type { CollectedFile } from '../../runtime/evidence.ts';
import { shortened } from '../../wording/shortened.ts';
import { isIn } from '../../task/taskLayout.ts';
import { LOGS_FOLDER, reportLine, TRACE_OUT_FOLDER } from '../plan/containerLayout.ts';
import type { Execution } from '../trace/replay.ts';
import { parseJunit } from './junit.ts';
import { casePlaces, findError } from './locations.ts';
import type { TestCase } from '../verdict/verdict.ts';

const MOST_DETAIL = 8 * 1024;
const MOST_MESSAGE = 300;

export interface CollectedCases {
  readonly cases: readonly TestCase[];
  /** Lines of `test.sh` whose runner left a report, whether or not it lists cases. */
  readonly reportedLines: ReadonlySet<number>;
}

/** A report, and the line of `test.sh` whose runner wrote it. */
export interface FoundReport {
  readonly file: CollectedFile;
  readonly line: number | undefined;
}

/**
 * Reports that our `PYTEST_ADDOPTS` asked for, and those that the script asked for with `--junitxml=PATH`, which takes
 * precedence: the command that names a collected file wrote it.
 */
export function findReports(
  collected: readonly CollectedFile[],
  executions: readonly Execution[],
): FoundReport[] {
  const reports = collected.filter(({ path }) => path.endsWith('.xml'));
  if (reports.length === 0) return [];
  const written = new Map<string, number>();
  /** bash may name any line of a command that spreads over several. */
  const gateLines = new Map<number, number>();
  const asked = reports.flatMap(({ path }) => (isIn(LOGS_FOLDER, path) ? [path] : []));
  for (const { command, line, words } of executions) {
    if (!gateLines.has(line) || /pytest/.test(command.text)) gateLines.set(line, command.line);
    if (asked.length === 0 || !words.some((word) => word.endsWith('.xml'))) continue;
    for (const path of asked)
      if (!written.has(path) && words.some((word, at) => isReportOption(word, words[at - 1], path)))
        written.set(path, command.line);
  }
  return reports.flatMap((file): FoundReport[] => {
    if (isIn(TRACE_OUT_FOLDER, file.path)) {
      const line = reportLine(file.path);
      return [{ file, line: line === undefined ? undefined : (gateLines.get(line) ?? line) }];
    }
    const line = written.get(file.path);
    return line === undefined ? [] : [{ file, line }];
  });
}

/** `--junitxml=PATH`, or `--output-file PATH`. */
function isReportOption(word: string, before: string | undefined, path: string): boolean {
  return word.endsWith(`=${path}`) || (word === path && before !== undefined && /^--?\w/.test(before));
}

/**
 * @param reportOnlyLines lines of `test.sh` whose runner only reports on the reward
 */
export function collectCases(
  reports: readonly FoundReport[],
  solution: readonly string[],
  tests: readonly string[],
  reportOnlyLines: ReadonlySet<number>,
): CollectedCases {
  const reportedLines = new Set<number>();
  const cases = reports.flatMap(({ file, line }) => {
    if (line !== undefined) reportedLines.add(line);
    if ((line !== undefined && reportOnlyLines.has(line)) || !('text' in file.content)) return [];
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
        ...(detail === '' ? {} : { detail: shortened(detail, MOST_DETAIL) }),
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
    .find((candidate) => candidate.trim() !== '')
    ?.trim();
  return line && shortened(line, MOST_MESSAGE);
}
