// A Dockerfile as a plan holds it, for tests that make their recipes themselves.
import type { PlannedDockerfile } from '../../src/runtime/plan.ts';
import { parseDockerfile } from '../../src/task/dockerfile/dockerfile.ts';

export function plannedDockerfile(text: string, path = 'Dockerfile'): PlannedDockerfile {
  const build = parseDockerfile(text).facts?.build;
  return { path, ...(build ?? { instructions: [], stages: 0, images: [], needsBuildKit: [] }) };
}
