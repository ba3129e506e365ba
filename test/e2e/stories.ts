// Stories of a person. Each brings the workbench to where it starts, which takes no time where it is there already; after
// one that fails the next is told by a new person, so that none hides what another would tell.
import type { Test } from 'mocha';
import { until } from '../host/until.ts';
import { arrive, type Person, type Place } from './person.ts';
import { describeWorkbench } from './workbench.ts';

/** All that leads to a story may have to be done again, on a machine that has much else to do. */
const STORY_MS = 5 * 60_000;
const LEAVE_MS = 60_000;

export type Story = (title: string, tell: (person: Person) => Promise<void>) => Test;

/** For the stories of a suite: gives what tells one, as `it` does. */
export function storiesAt(place: Place): Story {
  let person: Person | undefined;
  const leave = async (): Promise<void> => {
    const leaving = person;
    person = undefined;
    await leaving?.leave();
  };
  after(leave);
  return (title, tell) =>
    it(title, async () => {
      person ??= await arrive(place);
      try {
        await inTime(tell(person));
      } catch (error) {
        await recordFailure(person, title).catch(tellAlso);
        // What is still under way in it ends with its browser.
        await leave().catch(tellAlso);
        throw error;
      }
    }).timeout(STORY_MS + 2 * LEAVE_MS);
}

/** What goes wrong after a story has failed must not take its place. */
function tellAlso(error: unknown): void {
  console.log(error);
}

async function inTime(story: Promise<void>): Promise<void> {
  let ended = false;
  const ending = story.finally(() => (ended = true));
  // Its failure is told by `ending`.
  ending.catch(() => undefined);
  await until('the story has ended', () => ended, STORY_MS);
  await ending;
}

async function recordFailure(person: Person, title: string): Promise<void> {
  await person.picture(`failed-${title.replace(/\W+/g, '-').slice(0, 60)}`);
  console.log(await describeWorkbench(person.page));
}
