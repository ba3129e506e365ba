/** From what was looked at to what is said about it. Pure. */
import { engineFinding, imagesFinding, permissionsFinding } from './engineFindings.ts';
import type { Finding, Fix } from './finding.ts';
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
  ].map((each) => (facts.isRoot ? { ...each, fixes: each.fixes.map(asRoot) } : each));
}

/** Root needs no `sudo`, and small images have none. */
function asRoot(fix: Fix): Fix {
  return fix.kind === 'type' ? { ...fix, command: fix.command.replace(/^sudo /, '') } : fix;
}
