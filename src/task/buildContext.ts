/** What of `environment/` a build sends to its engine: all but what `.dockerignore` leaves out. */
import { ignoredBy } from './dockerignore.ts';
import type { TaskFiles } from './task.ts';
import { DOCKERFILE, ENVIRONMENT_FOLDER } from './taskLayout.ts';
import { MOST_WORK, type WorkLeft } from './workLeft.ts';

/** The files that `.dockerignore` leaves, as COPY sees them. */
export function withoutIgnored(all: TaskFiles, work: WorkLeft): TaskFiles {
  const ignore = all.get('.dockerignore');
  if (ignore === undefined) return all;
  const ignored = ignoredBy(Buffer.from(ignore.bytes).toString(), work);
  return new Map([...all].filter(([path]) => !ignored(path)));
}

/** The build context: like Docker's client, it sends the Dockerfile even where `.dockerignore` names it. */
export function buildContextOf(environmentFiles: TaskFiles): TaskFiles {
  const kept = withoutIgnored(environmentFiles, { left: MOST_WORK });
  const dockerfile = environmentFiles.get(DOCKERFILE_NAME);
  return dockerfile && !kept.has(DOCKERFILE_NAME) ? new Map([...kept, [DOCKERFILE_NAME, dockerfile]]) : kept;
}

const DOCKERFILE_NAME = DOCKERFILE.slice(ENVIRONMENT_FOLDER.length + 1);
