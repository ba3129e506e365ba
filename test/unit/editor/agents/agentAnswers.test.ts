import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runAnswer, taskAnswer } from '../../../../src/editor/agents/agentAnswers.ts';
import { parseTask } from '../../../../src/task/parseTask.ts';
import { readTaskFolder } from '../../../../src/task/archive/taskFolder.ts';
import type { Revealable } from '../../../../src/workspace/workspaceFile.ts';
import { ROOT } from '../../../host/root.ts';
import { ENGINE_ERROR, gate, NO_VERIFIER, scored } from '../../verifier/helpers/smallVerdicts.ts';

const SAMPLE = join(ROOT, 'test/fixtures/tasks/bugsinpy-0001');

const SOLUTION = '/app/solution.py';
const hostPathOf = (path: string): string => `/w/work${path}`;
const hidden = (): boolean => false;
const shown = (): boolean => true;

describe('what a model is told of a task', () => {
  const tell = async (isRevealed: (kind: Revealable) => boolean): Promise<string> => {
    const read = await readTaskFolder(SAMPLE);
    assert.ok(read.ok);
    const task = parseTask('bugsinpy-0001', read.files);
    return JSON.stringify(taskAnswer({ task, folder: '/w', hostPathOf, isRevealed }));
  };

  it('holds no test and no solution until they are revealed', async () => {
    const told = await tell(hidden);
    assert.match(told, /"inContainer":"\/app\/solution\.py"/);
    assert.match(told, /"hiddenFiles":[1-9]/);
    assert.doesNotMatch(told, /tests\/test_solution|solution\/solution\.py/);
    assert.match(await tell((kind) => kind === 'tests'), /tests\/test_solution\.py/);
    assert.match(await tell(shown), /"hiddenFiles":0/);
  });

  it('is bounded', async () => {
    const read = await readTaskFolder(SAMPLE);
    assert.ok(read.ok);
    const task = { ...parseTask('t', read.files), instruction: 'x'.repeat(10_000_000) };
    const told = JSON.stringify(taskAnswer({ task, folder: '/w', hostPathOf, isRevealed: hidden }));
    assert.ok(told.length < 40_000, String(told.length));
    assert.match(told, /9984000 characters left out/);
  });
});

describe('what a model is told of a run', () => {
  const solution = new Set([SOLUTION]);
  const secret = 'assert merge(SECRET) == 4';
  const verdict = scored({
    reward: 0,
    gates: [
      gate({
        kind: 'tests',
        title: 'test_solution.py passes',
        line: 40,
        state: 'failed',
        decisive: true,
        message: secret,
        at: { path: '/tests/test_solution.py', line: 19 },
      }),
    ],
    cases: [
      {
        name: 'test_merge',
        state: 'failed',
        message: secret,
        at: { path: SOLUTION, line: 7 },
      },
    ],
    output: { text: secret, omitted: 0 },
  });

  it('keeps the words of the tests until they are revealed', () => {
    const told = JSON.stringify(runAnswer(verdict, { hostPathOf, isRevealed: hidden, solution }));
    assert.doesNotMatch(told, /SECRET|\/tests\//);
    assert.match(told, /"reward":0/);
    assert.match(told, /"decided":true/);
    assert.match(told, /"at":"\/w\/work\/app\/solution\.py:7"/);
    const all = JSON.stringify(runAnswer(verdict, { hostPathOf, isRevealed: shown, solution }));
    assert.match(all, /SECRET/);
    assert.match(all, /\/tests\/test_solution\.py:19/);
  });

  it('is bounded', () => {
    const [failed] = verdict.gates;
    const [failing] = verdict.cases;
    assert.ok(failed && failing);
    const huge = 'y'.repeat(1_000_000);
    const told = JSON.stringify(
      runAnswer(
        {
          ...verdict,
          gates: Array.from({ length: 5000 }, () => ({ ...failed, message: huge, title: huge })),
          cases: Array.from({ length: 5000 }, () => ({ ...failing, message: huge, name: huge })),
          output: { text: huge, omitted: 0 },
        },
        { hostPathOf, isRevealed: shown, solution },
      ),
    );
    assert.ok(told.length < 150_000, String(told.length));
  });

  it('says that there is no verifier, and tells of no gates', () => {
    assert.deepEqual(runAnswer(NO_VERIFIER, { hostPathOf, isRevealed: hidden, solution }), {
      outcome: 'no reward',
      reason: 'no-verifier',
      blame: 'the task is at fault, not the solution',
      message: 'tiny has no tests/test.sh.',
      next: 'Add it.',
    });
  });

  it('does not blame the solution for a run that could not take place', () => {
    const told = JSON.stringify(runAnswer(ENGINE_ERROR, { hostPathOf, isRevealed: hidden, solution }));
    assert.match(told, /"outcome":"could not run"/);
    assert.match(told, /do not change the solution because of it/);
  });
});
