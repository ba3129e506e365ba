// Recorded evidence and its verdict as text. `npm run test:update` rewrites the texts; read the difference before you commit it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evidenceSchema } from '../../../../src/runtime/evidence.ts';
import { resolveSubject } from '../../../../src/verifier/plan/subject.ts';
import { judgeRun } from '../../../../src/verifier/verify.ts';
import { verdictSchema } from '../../../../src/verifier/verdict/verdict.ts';
import { ROOT } from '../../../host/root.ts';
import { bashGrammar, sampleTask, subjectOf } from '../../../host/sampleTasks.ts';
import { verdictText } from '../../../host/verdictText.ts';

const FOLDER = join(ROOT, 'test/fixtures/evidence');

describe('verdicts of recorded evidence', () => {
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.json'))) {
    const [id = '', scenario = ''] = name.split('.');
    it(`${id}: ${scenario}`, async () => {
      const evidence = evidenceSchema.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
      const task = await sampleTask(id);
      const { solution } = resolveSubject(task, subjectOf(task, scenario));
      const verdict = judgeRun(task, solution, evidence, { parseBash: await bashGrammar(), trace: true });
      assert.deepEqual(verdictSchema.parse(JSON.parse(JSON.stringify(verdict))), verdict);
      const golden = join(FOLDER, name.replace(/json$/, 'golden.txt'));
      const text = verdictText(verdict);
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, text);
      assert.equal(text, readFileSync(golden, 'utf8'));
    });
  }
});
