import assert from 'node:assert/strict';
import { failingPlaces, type FailingPlace, type Here, stepFrom } from '../../../src/editor/failingPlaces.ts';
import { hoverHeading, hoverText } from '../../../src/editor/failureHover.ts';
import { lensesOf } from '../../../src/editor/lenses.ts';
import { runTree } from '../../../src/editor/runTree.ts';
import { lineHolds } from '../../../src/editor/solutionLines.ts';
import { statusText } from '../../../src/editor/statusText.ts';
import { inEnglish } from '../../../src/wording/translate.ts';
import { ENGINE_ERROR, gate, scored, shown, state } from '../verifier/helpers/smallVerdicts.ts';

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

  it('of a changed solution are those whose line stayed', () => {
    const files = (text: string) => new Map([['/app/solution.py' as const, Buffer.from(text)]]);
    const { run } = shown(scored(), true);
    assert.ok(run);
    const holds = lineHolds({ ...run, snapshot: files('a\nb\nc\n') }, files('a\nx\nc\n'));
    assert.deepEqual(
      [1, 2, 3].map((line) => holds('/app/solution.py', line)),
      [true, false, true],
    );
    assert.equal(lineHolds(run, files('a\n'))('/app/solution.py', 1), false);
  });
});

describe('a hover on a failing line', () => {
  const [, ofCase] = failingPlaces(scored());

  it('says gate, case, what was compared, and what the runner printed', () => {
    assert.ok(ofCase);
    assert.equal(hoverHeading(ofCase, inEnglish), 'A test failed here (line 40 of test.sh)');
    assert.equal(
      hoverText(ofCase, inEnglish),
      'test_solution.py passes · test_solution.test_two\nassert 999 == 1000\nexpected: 1000\nactual: 999\n\nE  assert 999 == 1000',
    );
  });

  it('is bounded and free of what steers a terminal', () => {
    assert.ok(ofCase);
    const long: FailingPlace = { ...ofCase, detail: `\u001b[31mred\u001b[0m\n${'x\n'.repeat(10_000)}` };
    const said = hoverText(long, inEnglish);
    assert.ok(said.length < 2100);
    assert.ok(said.endsWith('\n…'));
    assert.match(said, /^red$/m);
  });
});

describe('the lenses of a solution', () => {
  const lenses = (activity: Parameters<typeof lensesOf>[0]['activity']): string =>
    lensesOf(state({ activity }), inEnglish)
      .map(({ title, command }) => (command === undefined ? title : `[${title}]`))
      .join(' ');

  it('offer what can be done, and say what is going on', () => {
    const edits = '[Compare with starter] [Reset]';
    assert.equal(lenses({ kind: 'idle' }), `[$(beaker) Verify] ${edits}`);
    assert.equal(lenses({ kind: 'running', phase: 'verify' }), `$(sync~spin) Verifying… [Cancel] ${edits}`);
    assert.equal(lenses({ kind: 'waiting' }), `$(clock) Waiting… [Cancel] ${edits}`);
    assert.equal(lenses({ kind: 'cancelling' }), `$(sync~spin) Cancelling… ${edits}`);
  });

  it('offer the gold fix only while a verdict of reward 1 holds and nothing runs', () => {
    const offers = (of: ReturnType<typeof shown>): boolean =>
      lensesOf(of, inEnglish).some(({ command }) => command === 'repairBench.saveGoldFix');
    assert.ok(offers(shown(scored({ reward: 1 }))));
    assert.ok(!offers(shown(scored({ reward: 1 }), true)));
    assert.ok(!offers(shown(scored({ reward: 0.5 }))));
    assert.ok(!offers(shown(ENGINE_ERROR)));
    const running = { kind: 'running', phase: undefined } as const;
    assert.ok(!offers({ ...shown(scored({ reward: 1 })), activity: running }));
  });
});

describe('a solution that is the starter again', () => {
  const again = { ...shown(scored(), true), solution: 'unchanged' as const };

  it('is unchanged, and no longer outdated', () => {
    const { text, tooltip } = statusText(again, inEnglish);
    assert.equal(text, '$(beaker) bugsinpy-0001 · unchanged');
    assert.deepEqual(tooltip, [
      'bugsinpy-0001.tar.gz',
      'Unchanged from the starter, which this verifier refuses.',
      'Click to verify.',
    ]);
  });

  it('says so above the last run, whether or not its verifier looks for an edit', () => {
    const first = (refusesStarter: boolean): string =>
      runTree({ ...again, refusesStarter }, inEnglish)[0]?.label ?? '';
    assert.equal(first(true), 'Unchanged from the starter, which this verifier refuses.');
    assert.equal(
      first(false),
      'Unchanged from the starter: the verifier would say what it says for the starter.',
    );
  });
});
