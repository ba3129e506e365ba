// Runs that earlier versions saved are read as runs of today.
import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inWords } from '../../../src/fault/remedy.ts';
import { verdictSchema } from '../../../src/verifier/verdict/verdict.ts';
import { runsFolderOf } from '../../../src/workspace/runs/runFiles.ts';
import { lastRun } from '../../../src/workspace/runs/runs.ts';
import { temporaryFolder } from './helpers/sampleTasks.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/runs');
const NAME = '2025-06-03T09-14-05.123Z-bbbbbbbb.json';

describe('a run whose verdict has version 1', () => {
  const folder = temporaryFolder();

  it('is read with its next step as a remedy in words', async () => {
    const workspace = { folder: folder() };
    await mkdir(runsFolderOf(workspace));
    await copyFile(join(FIXTURES, NAME), join(runsFolderOf(workspace), NAME));
    const verdict = (await lastRun(workspace))?.record.verdict;
    assert.ok(verdict?.outcome === 'unscored');
    assert.deepEqual(verdict.remedies, [
      inWords(
        'Look for an endless loop in the solution, or raise the limit with the setting repairBench.timeoutSeconds.',
      ),
    ]);
    assert.deepEqual(
      verdict.warnings.map(({ code, remedies }) => [code, remedies]),
      [['no-network', undefined]],
    );
    // It is a verdict of today through and through: nothing of the old form is left in it.
    assert.deepEqual(verdictSchema.parse(verdict), verdict);
  });
});
