/** Removes containers whose owner is gone, and never those of another living owner. */
import type Docker from 'dockerode';
import { OWNER_LABEL, removeContainer } from './container.ts';

/** Removes the containers of all owners for whom `isGone` holds; a container that resists is left to the next sweep. */
export async function sweepContainers(docker: Docker, isGone: (owner: string) => boolean): Promise<void> {
  const containers = await docker.listContainers({ all: true, filters: { label: [OWNER_LABEL] } });
  const abandoned = containers.filter(({ Labels }) => {
    const owner = Labels[OWNER_LABEL];
    return owner !== undefined && isGone(owner);
  });
  await Promise.allSettled(abandoned.map(({ Id }) => removeContainer(docker.getContainer(Id))));
}
