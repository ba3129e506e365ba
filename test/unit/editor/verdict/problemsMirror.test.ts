import assert from 'node:assert/strict';
import { ChangeEvent } from '../../../../src/editor/platform/changeEvent.ts';
import type { RunProgress } from '../../../../src/editor/run/runService.ts';
import type { OpenTask } from '../../../../src/editor/task/openTask.ts';
import { ProblemsMirror } from '../../../../src/editor/verdict/problemsMirror.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';
import { holdsFor, openedTasks, runOf, until } from '../helpers/openedTasks.ts';

describe('problems in VS Code', () => {
  const opened = openedTasks();
  const seen = () => {
    const { fake, tasks, owned, open } = opened();
    const events = new ChangeEvent<RunProgress>();
    const mirror = owned.add(new ProblemsMirror(fake.api, tasks, { onRunProgress: events.on }));
    const collection = fake.problems[0];
    assert.ok(collection);
    const messages = (): string[] => [...collection.shown.values()].flat().map(({ message }) => message);
    return { mirror, collection, messages, events, open };
  };
  /** A verdict that holds for the solution as it is. */
  const run = (task: OpenTask, reward = 0): void => {
    task.setRun(runOf(scored({ reward, holdsFor: holdsFor(task) })));
  };

  it('stand on the file of the solution, at their lines, with the places beside them', async () => {
    const { collection, messages, open } = seen();
    const task = await open('bugsinpy-0001');
    run(task);
    await until('there are problems', () => messages().length > 0);
    assert.deepEqual(collection.calls, ['set solution.py']);
    const [shown = []] = collection.shown.values();
    const failing = shown.find(({ code }) => code === 'case');
    assert.ok(failing);
    assert.match(failing.message, /^Test test_solution\.test_two failed: assert 999 == 1000$/);
    assert.deepEqual([failing.range.start.line, failing.source, failing.severity], [6, 'Repair Bench', 0]);
    assert.deepEqual(
      failing.relatedInformation?.map(({ location, message }) => `${location.uri.scheme} ${message}`),
      ['repair-bench The assertion', 'repair-bench The gate in test.sh'],
    );
  });

  it('are drawn again only when they are others, and those of another task stay', async () => {
    const { collection, messages, open } = seen();
    const task = await open('bugsinpy-0001');
    const other = await open('bugsinpy-0014');
    run(task);
    run(other);
    await until('both have problems', () => collection.shown.size === 2);
    collection.calls.length = 0;
    run(task);
    task.setActivity({ kind: 'waiting' });
    run(other, 1);
    await until('the other is drawn', () => messages().some((message) => message.startsWith('Reward 1')));
    assert.deepEqual(collection.calls, ['delete solution.py', 'set solution.py']);
  });

  it('go when a run starts, and come again when it ends with the same verdict', async () => {
    const { collection, messages, events, open } = seen();
    const task = await open('bugsinpy-0001');
    run(task);
    await until('there are problems', () => messages().length > 0);
    const before = messages();
    events.fire({ kind: 'started', run: { id: 'run', task, startedBy: 'person' } });
    assert.equal(collection.shown.size, 0);
    task.setActivity({ kind: 'running', phase: undefined });
    task.setActivity({ kind: 'idle' });
    await until('they are there again', () => messages().length > 0);
    assert.deepEqual(messages(), before);
  });

  it('are gone once they are disposed, and do not come again', async () => {
    const { mirror, collection, messages, open } = seen();
    const task = await open('bugsinpy-0001');
    run(task);
    await until('there are problems', () => messages().length > 0);
    mirror.dispose();
    assert.ok(collection.isDisposed);
    collection.calls.length = 0;
    run(task, 1);
    await open('bugsinpy-0014');
    assert.deepEqual(collection.calls, []);
  });
});
