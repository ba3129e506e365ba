// A gate that runs tests and failed, for those who look at what it runs.
import type { Gate } from '../../../../src/verifier/verdict.ts';

export function testsGate(part: Partial<Gate>): Gate {
  return {
    id: 'tests@4',
    kind: 'tests',
    title: 'test_solution.py passes',
    state: 'failed',
    decisive: true,
    line: 4,
    endLine: 4,
    command: '',
    runs: 1,
    message: '',
    ...part,
  };
}
