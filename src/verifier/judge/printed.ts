/** The output, the trace and the text files that were collected from a run. */
import type { CollectedFile, Evidence } from '../../runtime/evidence.ts';
import { shortenedInside } from '../../wording/shortened.ts';
import { isIn } from '../../task/taskLayout.ts';
import { LOGS_FOLDER, PASS_RATIO, TEST_OUTPUT, TRACE_FILE } from '../plan/containerLayout.ts';
import { parseTrace, type Trace } from '../trace/trace.ts';

/** Characters of the output of `test.sh` that a verdict keeps. */
const MOST_OUTPUT = 64 * 1024;
/** Characters of all output that are searched for errors. */
const MOST_SEARCHED = 4 * 1024 * 1024;

export function traceOf(evidence: Evidence): Trace {
  const file = evidence.collected.find(({ path }) => path === TRACE_FILE);
  return file
    ? parseTrace(decode(file.content), file.tail && decode(file.tail))
    : { entries: [], cutBefore: undefined };
}

function decode(content: CollectedFile['content']): string {
  return 'text' in content ? content.text : Buffer.from(content.base64, 'base64').toString('latin1');
}

function textOf(file: CollectedFile): string {
  return file.tail ? `${decode(file.content)}\n${decode(file.tail)}` : decode(file.content);
}

export function verifierOutput(evidence: Evidence): { text: string; omitted: number } {
  const file = evidence.collected.find(({ path }) => path === TEST_OUTPUT);
  const own = evidence.verifier.output;
  const text = `${file ? textOf(file) : ''}${own}`;
  const kept = shortenedInside(text, MOST_OUTPUT, () => '\n…\n');
  return { text: kept.text, omitted: kept.omitted + (file?.omitted ?? 0) };
}

export function allOutput(evidence: Evidence): string {
  const logs = evidence.collected.filter(
    ({ path }) =>
      isIn(LOGS_FOLDER, path) && /\.(txt|log|out|err)$/.test(path) && !/reward|pass_ratio/.test(path),
  );
  const text = [...logs.map(textOf), evidence.verifier.output].join('\n');
  return shortenedInside(text, MOST_SEARCHED, () => '\n').text;
}

/** The pass ratio that the verifier wrote beside its reward. */
export function readPassRatio(files: readonly CollectedFile[]): number | undefined {
  const file = files.find(({ path }) => path === PASS_RATIO);
  const value = file ? Number(textOf(file).trim() || 'none') : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
