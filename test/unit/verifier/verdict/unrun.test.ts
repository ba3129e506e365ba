// Verdicts of runs that never were: alike on every surface, and without a word of a runtime.
import assert from 'node:assert/strict';
import { exitCodeOf } from '../../../../src/cli/failures/exitCode.ts';
import { verifyDocument } from '../../../../src/cli/documents/jsonDocuments.ts';
import { taskDocument } from '../../../../src/cli/documents/taskDocument.ts';
import { verdictDocumentOf } from '../../../../src/cli/documents/verdictDocument.ts';
import { inWords } from '../../../../src/fault/remedy.ts';
import type { Runtime, RuntimeFailure } from '../../../../src/runtime/runtime.ts';
import type { Task } from '../../../../src/task/task.ts';
import { verdictHashes, starterOf } from '../../../../src/verifier/plan/solution.ts';
import { cancelledVerdict, engineErrorVerdict } from '../../../../src/verifier/verdict/unrun.ts';
import { type Verdict, verdictSchema } from '../../../../src/verifier/verdict/verdict.ts';
import { didRun } from '../../../../src/verifier/verdict/verdictFacts.ts';
import { verify } from '../../../../src/verifier/verify.ts';
import { verifyOptions } from '../../../host/sampleTasks.ts';
import { tinyTask } from '../../../host/tinyTask.ts';

const HOLDS = { task: 'a', solution: 'b' };
const FAILURE: RuntimeFailure = {
  reason: 'build-failed',
  message: 'The image could not be built.',
  remedies: [inWords('Correct the Dockerfile.')],
};

/** A runtime that only ever gives `result`. */
function runtimeWith(result?: Awaited<ReturnType<Runtime['run']>>): Runtime {
  const never = (): never => assert.fail('nothing is to be run');
  return {
    kind: 'sandbox',
    probe: never,
    prepare: never,
    run: () => (result ? Promise.resolve(result) : never()),
    dispose: () => Promise.resolve(),
  };
}

async function verdictOn(task: Task, runtime: Runtime): Promise<Verdict> {
  const subject = { kind: 'solution', solution: starterOf(task) } as const;
  const options = await verifyOptions();
  const verdict = await verify(
    { task, subject, options },
    { runtime, sinks: {}, signal: new AbortController().signal },
  );
  assert.deepEqual(verdictSchema.parse(JSON.parse(JSON.stringify(verdict))), verdict);
  return verdict;
}

describe('a verdict on a task without a verifier', () => {
  it('says so, and nothing of a run', async () => {
    const task = tinyTask({});
    const verdict = await verdictOn(task, runtimeWith());
    assert.deepEqual(verdict, {
      outcome: 'no-verifier',
      version: 2,
      message: 'tiny has no tests/test.sh, so nothing can give a reward.',
      remedies: [inWords('Add tests/test.sh to the task, or choose another row.')],
      holdsFor: verdictHashes(task, starterOf(task)),
    });
    assert.equal(didRun(verdict), false);
    assert.equal(exitCodeOf(verdict), 3);
  });

  it('is the whole verdict of the JSON document, with neither a runtime nor a saved run', async () => {
    const task = tinyTask({});
    const document = {
      version: 1,
      command: 'verify',
      task: taskDocument(task),
      subject: 'starter',
      workspace: { folder: '/w', run: null },
      runtime: null,
      verdict: verdictDocumentOf(await verdictOn(task, runtimeWith()), 'verify'),
    } as const;
    assert.deepEqual(verifyDocument.parse(document), document);
    const { version, ...verdict } = document.verdict;
    assert.equal(version, 1);
    assert.equal(
      verifyDocument.safeParse({ ...document, verdict: { ...verdict, version, outcome: 'unscored' } })
        .success,
      false,
      'an unscored verdict tells of its run',
    );
  });
});

describe('a verdict when the run could not take place', () => {
  it('names files by their place in the task, and keeps only what a verdict has', () => {
    const failure = { ...FAILURE, detail: 'no pip', command: 'ls', at: { file: 'Dockerfile', line: 3 } };
    assert.deepEqual(engineErrorVerdict(failure, HOLDS), {
      outcome: 'engine-error',
      version: 2,
      ...FAILURE,
      detail: 'no pip',
      at: { file: 'environment/Dockerfile', line: 3 },
      holdsFor: HOLDS,
    });
  });

  it('has no detail when the engine said nothing', () => {
    const verdict = engineErrorVerdict({ ...FAILURE, detail: '' }, HOLDS);
    assert.equal('detail' in verdict, false);
    assert.deepEqual(verdictSchema.parse(verdict), verdict);
  });

  it('comes of a runtime that failed, and of a task that names no image', async () => {
    const task = tinyTask({ testScript: '#!/bin/bash\n' });
    const failed = await verdictOn(task, runtimeWith({ kind: 'failed', failure: FAILURE }));
    assert.deepEqual(failed, engineErrorVerdict(FAILURE, verdictHashes(task, starterOf(task))));
    const files = new Map([...task.files].filter(([path]) => path !== 'environment/Dockerfile'));
    const verdict = await verdictOn({ ...task, files, dockerfile: undefined }, runtimeWith());
    assert.ok(verdict.outcome === 'engine-error' && verdict.reason === 'no-image', JSON.stringify(verdict));
    assert.match(verdict.message, /^tiny names no image/);
    assert.equal(exitCodeOf(verdict), 4);
  });
});

describe('a verdict on a run that was cancelled', () => {
  it('says only what it would have been about', async () => {
    const task = tinyTask({ testScript: '#!/bin/bash\n' });
    const verdict = await verdictOn(task, runtimeWith({ kind: 'cancelled' }));
    assert.deepEqual(verdict, cancelledVerdict(verdictHashes(task, starterOf(task))));
    assert.equal(exitCodeOf(verdict), 130);
  });
});
