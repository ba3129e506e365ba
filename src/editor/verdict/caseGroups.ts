/** Which gate a test case belongs to, and what the names of a gate's cases share. Pure. */
import type { Gate, RanVerdict, TestCase } from '../../verifier/verdict/verdict.ts';

/** The cases that one gate ran; `gate` is undefined for cases whose gate is not known. */
export interface CaseGroup {
  readonly gate: Gate | undefined;
  readonly cases: readonly TestCase[];
  /** What all names begin with, up to a dot: the module, which says nothing when it is always the same. */
  readonly shared: string;
}

/** The cases of every gate, in the order of the gates; those without a gate last. */
export function caseGroups(verdict: RanVerdict): readonly CaseGroup[] {
  const owned = new Map<Gate | undefined, TestCase[]>();
  for (const testCase of verdict.cases) {
    const gate = ownerOf(testCase, verdict);
    owned.set(gate, [...(owned.get(gate) ?? []), testCase]);
  }
  const groups = verdict.gates.map((gate) => groupOf(gate, owned.get(gate) ?? []));
  const homeless = owned.get(undefined);
  return homeless ? [...groups, { gate: undefined, cases: homeless, shared: '' }] : groups;
}

function groupOf(gate: Gate, cases: readonly TestCase[]): CaseGroup {
  return { gate, cases, shared: sharedPrefix(cases.map(({ name }) => name)) };
}

/** A case belongs to the gate at its line, else to the last gate that ran tests. */
function ownerOf(testCase: TestCase, verdict: RanVerdict): Gate | undefined {
  return (
    verdict.gates.find(
      ({ kind, line, endLine }) =>
        kind === 'tests' &&
        testCase.gateLine !== undefined &&
        testCase.gateLine >= line &&
        testCase.gateLine <= endLine,
    ) ?? verdict.gates.filter(({ kind, runs }) => kind === 'tests' && runs > 0).at(-1)
  );
}

function sharedPrefix(names: readonly string[]): string {
  const [first = ''] = names;
  const prefix = first.slice(0, first.lastIndexOf('.') + 1);
  return names.every((name) => name.startsWith(prefix)) ? prefix : '';
}
