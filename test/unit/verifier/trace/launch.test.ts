import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evidenceSchema } from '../../../../src/runtime/evidence.ts';
import { judgeRun } from '../../../../src/verifier/verify.ts';
import { ROOT } from '../../../host/root.ts';
import { bashGrammar, sampleTask, subjectOf } from '../../../host/sampleTasks.ts';
import { launchOfTests } from '../helpers/launchOfTests.ts';
import { judgeScripted } from '../helpers/scriptedEvidence.ts';

describe('how a runner was started', () => {
  it('is read from the trace of a recorded run', async () => {
    const file = join(ROOT, 'test/fixtures/evidence/bugsinpy-0001.wrong-edit.json');
    const evidence = evidenceSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const task = await sampleTask('bugsinpy-0001');
    const subject = subjectOf(task, 'wrong-edit');
    assert.equal(subject.kind, 'solution');
    const options = { parseBash: await bashGrammar(), trace: true };
    const launch = launchOfTests(judgeRun(task, subject.solution, evidence, options));
    assert.deepEqual(launch, {
      words: ['python3', '-m', 'pytest', '/tests/test_solution.py', '-v', '--tb=short'],
      env: { PYTHONPATH: '/app' },
    });
  });

  it('holds folder and variables as the script left them, sourced files with them', async () => {
    const launch = launchOfTests(
      await judgeScripted({
        script: [
          'cd /app',
          'source ./env.sh',
          'PLAIN=1',
          'X=$(cd /; pwd)',
          'if MODE=fast pytest test_a.py; then echo 1 > /logs/verifier/reward.txt; fi',
        ].join('\n'),
        trace: [
          '+2:0: cd /app',
          '+3:0: source ./env.sh',
          '++1:0: export PATH=/venv/bin:/usr/bin',
          '++1:0: PATH=/venv/bin:/usr/bin',
          '++2:0: cd build',
          '+4:0: PLAIN=1',
          '++5:0: cd /',
          '++5:0: pwd',
          '+5:0: X=/',
          '+6:0: MODE=fast',
          '+6:0: pytest test_a.py',
          '+6:0: echo 1',
          '',
        ].join('\n'),
        reward: '1',
      }),
    );
    assert.deepEqual(launch, {
      words: ['pytest', 'test_a.py'],
      folder: '/app/build',
      env: { PATH: '/venv/bin:/usr/bin', MODE: 'fast' },
    });
  });
});
