// Exported gold fixes, end to end: what the command line writes opens again, and its gold gets reward 1.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_FILE } from '../../scripts/buildSamples.ts';
import { goldExportDocument, verifyDocument } from '../../src/cli/documents/jsonDocuments.ts';
import { sampleTask } from '../host/sampleTasks.ts';
import { solved } from '../host/solvedSamples.ts';
import { goldFixFor, keepGoldFix } from '../unit/gold/helpers/goldFixes.ts';
import { IMAGES, type Ended, runCli, SAMPLES } from './cliUnderTest.ts';
import { SECOND } from './testPlan.ts';

/** A task that ships no gold, one in Latin-1 with CRLF, and one whose gold was a script. */
const SOLVED = ['bugsinpy-0112', 'harbor-log-rotate', 'manybugs-0007'];
const LATIN1 = 'manybugs-0007';

describe('repair-bench gold export', function () {
  this.timeout(180 * SECOND);
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gold-export-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const at = (...names: string[]): string => join(folder, ...names);

  async function keep(id: string, ...place: string[]): Promise<string> {
    const task = await sampleTask(id);
    keepGoldFix(at(...place), goldFixFor(task, solved(task)));
    return at(...place);
  }

  async function rewardOf(runtime: readonly string[], ...target: string[]): Promise<number | undefined> {
    const { stdout } = await runCli(['verify', ...target, '--gold', '--no-trace', '--json', ...runtime]);
    const { verdict } = verifyDocument.parse(JSON.parse(stdout));
    return verdict.outcome === 'scored' ? verdict.reward : undefined;
  }

  const refused = ({ code, stdout, stderr }: Ended, says: RegExp): void => {
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr.replace(/\s+/g, ' '), says);
  };

  for (const [name, runtime, run] of [
    ['solved.parquet', ['--runtime', 'docker', ...IMAGES], [LATIN1]],
    ['solved.arrow', ['--runtime', 'sandbox'], SOLVED],
  ] as const)
    it(`writes ${name}, whose rows get reward 1 from their own gold (${runtime[1]})`, async () => {
      for (const id of SOLVED) await keep(id, 'tasks', id, 'gold');
      const args = ['gold', 'export', at('tasks'), '--dataset', SAMPLE_FILE, '--to', at(name)];
      const { code, stdout, stderr } = await runCli(args);
      assert.deepEqual([code, stderr], [0, 'reading gold fixes\nwriting rows\n']);
      assert.equal(stdout.split('\n')[0], '✓ 10 rows, 3 with gold fix, 7 untouched');
      for (const id of run) assert.equal(await rewardOf(runtime, at(name), id), 1, id);
      const again = await runCli(args);
      refused(again, /^reading gold fixes Error: .* is there already\. Next: Choose another target/);
      const forced = await runCli([...args, '--force', '--json']);
      const { written, skipped } = goldExportDocument.strict().parse(JSON.parse(forced.stdout));
      assert.deepEqual(
        [written.rows, written.withGold, written.untouched, written.leftOut, skipped, forced.stderr],
        [10, 3, 7, [], [], ''],
      );
    });

  it('puts one into its task folder, a new folder or a new archive', async () => {
    await cp(join(SAMPLES, 'manybugs-0007'), at('task'), { recursive: true });
    await rm(at('task', 'solution'), { recursive: true });
    const gold = await keep('manybugs-0007', 'fix', 'gold');
    const dataset = ['--dataset', SAMPLES];
    // The task of a gold fix that was saved from a workspace lies beside it.
    const { code } = await runCli(['open', SAMPLES, 'manybugs-0007', '--into', at('tasks')]);
    assert.equal(code, 0);
    const [workspace = ''] = await readdir(at('tasks'));
    await cp(gold, at('tasks', workspace, 'gold'), { recursive: true });
    for (const target of ['task', 'new', 'new.tar.gz']) {
      const exported = await runCli(['gold', 'export', at('tasks', workspace), '--to', at(target)]);
      assert.deepEqual([exported.code, exported.stderr], [0, '']);
      assert.match(exported.stdout, /^✓ 1 row, 1 with gold fix, 0 untouched\n/);
      assert.equal(await rewardOf(['--runtime', 'sandbox'], at(target)), 1, target);
    }
    assert.deepEqual(
      await readFile(at('task', 'instruction.md')),
      await readFile(join(SAMPLES, 'manybugs-0007', 'instruction.md')),
    );
    const again = await runCli(['gold', 'export', at('tasks', workspace), '--to', at('task')]);
    refused(again, /^Error: .*solution is there already\./);
    const other = await runCli(['gold', 'export', at('tasks', workspace), '--to', at('out.parquet')]);
    refused(
      other,
      /^Error: .* would be a dataset, and which one this gold fix belongs to was not said\. Next: Name the dataset/,
    );
    const away = await keep('bugsinpy-0112', 'away', 'gold');
    refused(
      await runCli(['gold', 'export', away, ...dataset, '--to', join(SAMPLES, 'out.parquet')]),
      /^reading gold fixes Error: .* is in the dataset that is read, and that is never changed\./,
    );
  });

  it('says which gold fix was edited, and which has no row', async () => {
    const edited = await keep('manybugs-0007', 'tasks', 'edited', 'gold');
    const file = join(edited, 'solution/files/workspace/src/rl_strip.c');
    await writeFile(file, Buffer.concat([await readFile(file), Buffer.from('/* more */\n')]));
    const args = ['gold', 'export', at('tasks'), '--dataset', SAMPLE_FILE, '--to', at('out.parquet')];
    refused(
      await runCli(args),
      /was changed since it was saved \(solution\/files\/workspace\/src\/rl_strip\.c, line \d+\)/,
    );
    await rm(edited, { recursive: true });
    await keep('manybugs-0007', 'tasks', 'kept', 'gold');
    const task = await sampleTask('bugsinpy-0112');
    keepGoldFix(at('tasks', 'stranger', 'gold'), goldFixFor({ ...task, id: 'stranger' }, solved(task)));
    refused(
      await runCli(args),
      /was saved for stranger, and .* has no row with that path\. Next: .*--skip-unmatched/,
    );
    const skipping = await runCli([...args, '--skip-unmatched']);
    assert.equal(skipping.code, 0);
    assert.match(skipping.stdout, /^✓ 10 rows, 1 with gold fix, 9 untouched/);
    assert.match(
      skipping.stderr.replace(/\s+/g, ' '),
      /! Left out: The gold fix in .*stranger.* was saved for stranger/,
    );
  });
});
