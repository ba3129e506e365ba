import assert from 'node:assert/strict';
import { failingPlaces, type Here, stepFrom } from '../../../../src/editor/verdict/failingPlaces.ts';
import { ENGINE_ERROR, gate, scored } from '../../verifier/helpers/smallVerdicts.ts';

function placeText(place: Here | undefined): string {
  return place ? `${place.in} ${place.path}:${place.line}` : 'nowhere';
}

describe('the failing places of a run', () => {
  it('are those of the solution first, then those of the tests', () => {
    assert.deepEqual(
      failingPlaces(scored()).map(
        ({ place, testCase, gate: title }) => `${placeText(place)} ${testCase ?? title}`,
      ),
      [
        'solution /app/solution.py:3 solution.py compiles',
        'solution /app/solution.py:7 test_solution.test_two',
        'task tests/test_solution.py:14 test_solution.test_two',
      ],
    );
  });

  it('are the line of test.sh when that is all that is known', () => {
    const gates = [gate({ kind: 'check', line: 9, title: 'style', state: 'failed', message: 'No.' })];
    const [only] = failingPlaces(scored({ gates, cases: [] }));
    assert.equal(placeText(only?.place), 'task tests/test.sh:9');
    assert.deepEqual(failingPlaces(ENGINE_ERROR), []);
  });

  it('are walked through in both directions, and round', () => {
    const places = failingPlaces(scored());
    const walk = (direction: 'next' | 'previous'): string[] => {
      const way: string[] = [];
      let here: Here | undefined;
      for (let step = 0; step < 4; step += 1) {
        here = stepFrom(places, here, direction)?.place;
        way.push(placeText(here));
      }
      return way;
    };
    const [first, second, third] = places.map(({ place }) => placeText(place));
    assert.deepEqual(walk('next'), [first, second, third, first]);
    assert.deepEqual(walk('previous'), [third, second, first, third]);
  });

  it('are found from any line of a file, and from files without one', () => {
    const places = failingPlaces(scored());
    const from = (here: Here, direction: 'next' | 'previous'): string =>
      placeText(stepFrom(places, here, direction)?.place);
    const solution = { in: 'solution', path: '/app/solution.py' } as const;
    assert.equal(from({ ...solution, line: 1 }, 'next'), 'solution /app/solution.py:3');
    assert.equal(from({ ...solution, line: 5 }, 'next'), 'solution /app/solution.py:7');
    assert.equal(from({ ...solution, line: 5 }, 'previous'), 'solution /app/solution.py:3');
    assert.equal(from({ ...solution, line: 1 }, 'previous'), 'task tests/test_solution.py:14');
    assert.equal(from({ ...solution, line: 99 }, 'next'), 'task tests/test_solution.py:14');
    assert.equal(
      from({ in: 'task', path: 'instruction.md', line: 1 }, 'next'),
      'solution /app/solution.py:3',
    );
    assert.equal(stepFrom([], undefined, 'next'), undefined);
  });
});
