/** Turns the facts of the set-up into findings. Pure. */
import type { Remedy } from '../fault/remedy.ts';
import { engineFinding, imagesFinding, permissionsFinding } from './engineFindings.ts';
import type { Finding } from './finding.ts';
import { cacheFinding, diskFinding, programFinding } from './placeFindings.ts';
import { pythonFinding, sandboxFinding } from './sandboxFindings.ts';
import type { SetupFacts } from './setupFacts.ts';

export function findingsOf(facts: SetupFacts): Finding[] {
  return [
    engineFinding(facts),
    permissionsFinding(facts),
    imagesFinding(facts),
    sandboxFinding(facts),
    pythonFinding(facts),
    diskFinding(facts),
    cacheFinding(facts),
    programFinding(facts),
  ].map((each) => (facts.isRoot ? { ...each, remedies: each.remedies.map(asRoot) } : each));
}

/** Root needs no `sudo`, and small images have none. */
function asRoot(remedy: Remedy): Remedy {
  return remedy.kind === 'command' ? { ...remedy, line: remedy.line.replace(/^sudo /, '') } : remedy;
}
