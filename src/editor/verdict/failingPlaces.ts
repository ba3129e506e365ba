/** Where a run failed, in the order in which a person walks through it: the solution first, then the task's own files. Pure. */
import { VERIFIER_SCRIPT } from '../../verifier/plan/containerLayout.ts';
import { parseComparison, type Comparison } from '../../verifier/tests/expectedActual.ts';
import type { Place, Verdict } from '../../verifier/verdict/verdict.ts';
import { didRun } from '../../verifier/verdict/verdictFacts.ts';
import { type TaskPlace, taskPlace } from '../task/taskUri.ts';

export interface FailingPlace {
  readonly place: TaskPlace & { readonly line: number };
  /** 1-based, where it is known. */
  readonly column: number | undefined;
  /** The gate that failed there, or that ran the case. */
  readonly gate: string;
  /** Line of `test.sh`. */
  readonly gateLine: number | undefined;
  /** The failed case; undefined when the gate itself failed there. */
  readonly testCase: string | undefined;
  readonly message: string;
  /** What the runner printed about it. */
  readonly detail: string;
  readonly compared: Comparison | undefined;
}

/** One place for each failure; a gate with failing cases is left out, as its cases stand for it. */
export function failingPlaces(verdict: Verdict): readonly FailingPlace[] {
  if (!didRun(verdict)) return [];
  const bad = verdict.cases.filter(({ state }) => state === 'failed' || state === 'errored');
  const ofCases = bad.flatMap((testCase): FailingPlace[] => {
    const { gateLine, message = '', detail = '' } = testCase;
    const gate = verdict.gates.find(
      ({ line, endLine }) => gateLine !== undefined && line <= gateLine && gateLine <= endLine,
    );
    const facts = {
      gate: gate?.title ?? '',
      gateLine,
      testCase: testCase.name,
      message,
      detail,
      compared: parseComparison(detail === '' ? message : detail),
    };
    return [testCase.at, testCase.related].flatMap((place) => (place ? [{ ...at(place), ...facts }] : []));
  });
  const ofGates = verdict.gates.flatMap((gate): FailingPlace[] => {
    if (gate.state !== 'failed' && gate.state !== 'errored') return [];
    if (
      ofCases.some(
        ({ gateLine }) => gateLine !== undefined && gate.line <= gateLine && gateLine <= gate.endLine,
      )
    )
      return [];
    const place = gate.at ?? { path: VERIFIER_SCRIPT, line: gate.line };
    const facts = { gate: gate.title, gateLine: gate.line, testCase: undefined, message: gate.message };
    return [{ ...at(place), ...facts, detail: '', compared: undefined }];
  });
  return [...ofGates, ...ofCases].sort(
    (left, right) =>
      Number(left.place.in === 'task') - Number(right.place.in === 'task') ||
      (left.place.path < right.place.path ? -1 : left.place.path > right.place.path ? 1 : 0) ||
      left.place.line - right.place.line,
  );
}

function at(place: Place): Pick<FailingPlace, 'place' | 'column'> {
  return { place: { ...taskPlace(place.path), line: place.line }, column: place.column };
}

/** The position of the cursor: a file of the task and a 1-based line. */
export type Here = Pick<TaskPlace, 'in' | 'path'> & { readonly line: number };

/** The place after `here`, or before it; after the last comes the first. Undefined when there is none. */
export function stepFrom(
  places: readonly FailingPlace[],
  here: Here | undefined,
  direction: 'next' | 'previous',
): FailingPlace | undefined {
  const stops = places.filter(({ place }, index) => index === 0 || !isAt(place, places[index - 1]?.place));
  const inFile = ({ place }: FailingPlace): boolean => place.in === here?.in && place.path === here.path;
  if (!here || !stops.some(inFile)) return direction === 'next' ? stops[0] : stops.at(-1);
  if (direction === 'next') {
    const later = stops.findIndex((stop) => inFile(stop) && stop.place.line > here.line);
    return stops[later === -1 ? stops.findLastIndex(inFile) + 1 : later] ?? stops[0];
  }
  const before = stops.findLastIndex((stop) => inFile(stop) && stop.place.line < here.line);
  return stops[before === -1 ? stops.findIndex(inFile) - 1 : before] ?? stops.at(-1);
}

function isAt(place: Here, other: Here | undefined): boolean {
  return place.in === other?.in && place.path === other.path && place.line === other.line;
}
