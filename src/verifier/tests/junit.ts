/**
 * Reads a JUnit XML report, such as pytest's `--junitxml`. The solution runs in the process that writes it, so the
 * report is hostile text: only XML's own five entities, bounded cases and texts.
 */
import sax from 'sax';
import * as z from 'zod';

export interface ReportedCase {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'errored' | 'skipped';
  readonly durationMs: number | undefined;
  /** The `message` attribute of the failure. */
  readonly message: string | undefined;
  /** The failure's text: a traceback for pytest. */
  readonly detail: string | undefined;
}

export interface Report {
  readonly cases: readonly ReportedCase[];
  /** Whether the report is not well-formed; `cases` then ends there. */
  readonly broken: boolean;
}

const MOST_CASES = 10_000;
const MOST_TEXT = 64 * 1024;
/** Characters; a report of ten thousand cases fits. */
const MOST_XML = 4 * 1024 * 1024;
/** Levels of elements; a report has four or five. */
const MOST_DEPTH = 50;
/** Errors after which reading stops: a few wrong characters are fine, but each error costs more than a case. */
const MOST_ERRORS = 100;

const attributes = z.record(z.string(), z.string());

/** Parses a report. Never throws. */
export function parseJunit(xml: string): Report {
  const cases: ReportedCase[] = [];
  let broken = false;
  let open: { name: string; time: string | undefined } | undefined;
  let outcome:
    { state: 'failed' | 'errored' | 'skipped'; message: string | undefined; text: string } | undefined;
  let collects = false;
  const parser = sax.parser(true, { trim: false, normalize: false });

  let depth = 0;
  parser.onopentag = (tag) => {
    depth += 1;
    if (depth > MOST_DEPTH) throw new Error('The report is nested too deeply.');
    const attribute = attributes.catch({}).parse(tag.attributes);
    if (tag.name === 'testcase') {
      const scope = attribute['classname'] ?? '';
      const name = attribute['name'] ?? '';
      open = {
        name: scope === '' ? name : name === '' ? scope : `${scope}.${name}`,
        time: attribute['time'],
      };
      outcome = undefined;
    } else if (open && (tag.name === 'failure' || tag.name === 'error' || tag.name === 'skipped')) {
      const state = tag.name === 'failure' ? 'failed' : tag.name === 'error' ? 'errored' : 'skipped';
      // A case may fail and then error in its teardown: the first of the two is kept.
      if (!outcome) {
        outcome = { state, message: attribute['message'], text: '' };
        collects = true;
      }
    }
  };
  const onText = (text: string): void => {
    if (collects && outcome && outcome.text.length < MOST_TEXT) outcome.text += text.slice(0, MOST_TEXT);
  };
  parser.ontext = onText;
  parser.oncdata = onText;
  parser.onclosetag = (name) => {
    depth -= 1;
    if (name === 'failure' || name === 'error' || name === 'skipped') collects = false;
    if (name !== 'testcase' || !open) return;
    const seconds = Number(open.time);
    if (cases.length < MOST_CASES)
      cases.push({
        name: open.name,
        state: outcome?.state ?? 'passed',
        durationMs:
          open.time !== undefined && Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined,
        message: outcome?.message,
        detail: outcome && outcome.text !== '' ? outcome.text : undefined,
      });
    open = undefined;
  };
  let errors = 0;
  parser.onerror = () => {
    broken = true;
    errors += 1;
    if (errors > MOST_ERRORS) throw new Error('The report is no XML.');
  };
  try {
    parser.write(xml.slice(0, MOST_XML)).close();
  } catch {
    broken = true;
  }
  return { cases, broken };
}
