/** Many gold fixes at once go into a new dataset, each into the row that it was saved for. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { SAMPLE_FILE, SAMPLE_TASKS } from '../../../../scripts/buildSamples.ts';
import type { Dataset } from '../../../../src/dataset/dataset.ts';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import {
  type ExportedGoldFixes,
  exportGoldFixes,
  type ExportOptions,
} from '../../../../src/gold/export/exportGoldFixes.ts';
import { findGoldFixes } from '../../../../src/gold/export/findGoldFixes.ts';
import { goldFixInTask } from '../../../../src/gold/export/exportTask.ts';
import { GoldError } from '../../../../src/gold/goldError.ts';
import type { GoldFix } from '../../../../src/gold/goldFix.ts';
import { inspectGoldFix } from '../../../../src/gold/inspect.ts';
import { taskOfRow } from '../../../../src/gold/export/matchGoldFixes.ts';
import { packTaskArchive } from '../../../../src/task/archive/packArchive.ts';
import type { Task } from '../../../../src/task/task.ts';
import { starterOf } from '../../../../src/verifier/plan/solution.ts';
import { sampleTask } from '../../../host/sampleTasks.ts';
import { edited, goldFixFor, keepGoldFix } from '../helpers/goldFixes.ts';

/** One of them is Latin-1 with CRLF. */
const SOLVED = ['bugsinpy-0014', 'harbor-ledger-cli', 'manybugs-0007'];
const PLAIN: ExportOptions = { skipUnmatched: false, force: false };

describe('exporting gold fixes', function () {
  this.timeout(60_000);
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'repair-bench-export-'));
    mkdirSync(join(folder, 'tasks'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (...names: string[]): string => join(folder, ...names);

  /** As a workspace keeps it. */
  function keep(name: string, goldFix: GoldFix): string {
    const place = at('tasks', name, 'gold');
    keepGoldFix(place, goldFix);
    writeFileSync(at('tasks', name, 'workspace.json'), '{}');
    return place;
  }

  async function run(
    target: string,
    options: Partial<ExportOptions> = {},
    source = SAMPLE_FILE,
  ): Promise<ExportedGoldFixes> {
    const dataset = await openDataset(source);
    try {
      return await exportGoldFixes(dataset, [at('tasks')], target, { ...PLAIN, ...options });
    } finally {
      await dataset.close();
    }
  }

  const refused = async (work: Promise<unknown>): Promise<GoldError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof GoldError, `a GoldError was expected, not ${String(error)}`);
    assert.deepEqual(readdirSync(folder), ['tasks']);
    return error;
  };

  for (const name of ['out.parquet', 'out.arrow', 'out.tar.gz', 'out']) {
    it(`puts each into its row of ${name}, and leaves the others alone`, async () => {
      for (const id of SOLVED) keep(id, await fixOf(id));
      const steps: string[] = [];
      const exported = await run(at(name), {
        onProgress: ({ phase, done, total }) => steps.push(`${phase} ${done}/${total}`),
      });
      const before = await open(SAMPLE_FILE);
      const after = await open(at(name));
      try {
        assert.equal(exported.rows, before.rowCount);
        assert.equal(exported.replaced, SOLVED.length);
        assert.deepEqual(exported.skipped, []);
        assert.ok(steps.includes('gold-fixes 3/3'));
        assert.equal(steps.at(-1), `rows ${before.rowCount}/${before.rowCount}`);
        for (let row = 0; row < before.rowCount; row++) {
          const [old, now] = [await taskOfRow(before, row), await taskOfRow(after, row)];
          assert.equal(now.id, old.id);
          if (SOLVED.includes(now.id)) assertSolved(now);
          else assert.equal(now.hash, old.hash);
          if (SOLVED.includes(now.id) || !/parquet|arrow/.test(name)) continue;
          assert.equal(await cellOf(after, row), await cellOf(before, row), 'the cell is the same');
        }
      } finally {
        await before.close();
        await after.close();
      }
    });
  }

  it('keeps rows apart that share a path', async () => {
    const task = await sampleTask('bugsinpy-0014');
    const other = await packTaskArchive([
      ...[...task.files.values()].filter(({ path }) => path !== 'instruction.md'),
      { path: 'instruction.md', bytes: Buffer.from('Another task.\n'), mode: 0o644 },
    ]);
    const same = await packTaskArchive(task.files.values());
    const source = at('tasks', 'repeated.parquet');
    const data = [other, same, other, same];
    const columns = [
      { name: 'path', data: data.map(() => task.id), type: 'STRING' as const },
      { name: 'task_binary', data, type: 'BYTE_ARRAY' as const },
    ];
    writeFileSync(source, new Uint8Array(parquetWriteBuffer({ columnData: columns })));
    keep('one', await fixOf('bugsinpy-0014', 3));
    await run(at('out.parquet'), {}, source);
    const dataset = await open(at('out.parquet'));
    for (const row of [0, 1, 2]) {
      assert.deepEqual(await dataset.readTask(row), { kind: 'archive', bytes: data[row] });
    }
    assertSolved(await taskOfRow(dataset, 3));
    await dataset.close();
  });

  it('does not take one whose task is not there, but for --skip-unmatched', async () => {
    const place = keep('known', await fixOf('manybugs-0007'));
    const task = await sampleTask('bugsinpy-0014');
    const stranger = keep('stranger', goldFixFor({ ...task, id: 'stranger' }, solutionOf(task)));
    const error = await refused(run(at('out.parquet')));
    assert.equal(error.code, 'other-task');
    assert.equal(
      error.message,
      `The gold fix in ${stranger} was saved for stranger, and ${SAMPLE_FILE} has no row with that path.`,
    );
    rmSync(place, { recursive: true });
    const none = await refused(run(at('out.parquet'), { skipUnmatched: true }));
    assert.equal(
      none.message,
      `There is 1 gold fix in ${at('tasks')}, and none is of a row of ${SAMPLE_FILE}.`,
    );
    keepGoldFix(place, await fixOf('manybugs-0007'));
    const exported = await run(at('out.parquet'), { skipUnmatched: true });
    assert.equal(exported.replaced, 1);
    assert.deepEqual(exported.skipped, [{ folder: stranger, because: error.message }]);
    assert.ok(readdirSync(place).includes('gold.json'));
  });

  it('does not take one whose task has other files now', async () => {
    const task = await sampleTask('bugsinpy-0014');
    const changed: Task = { ...task, hash: 'f'.repeat(64), files: new Map([...task.files].slice(1)) };
    const place = keep('changed', goldFixFor(changed, solutionOf(task)));
    const error = await refused(run(at('out.parquet')));
    assert.equal(
      error.message,
      `The gold fix in ${place} was saved for bugsinpy-0014 with other files than that row of ${SAMPLE_FILE} has.`,
    );
  });

  it('does not take one that was edited by hand, and says where', async () => {
    const file = 'solution/files/app/solution.py';
    const place = keep(
      'edited',
      edited(await fixOf('bugsinpy-0014'), file, (text) => `${text}# more\n`),
    );
    for (const skipUnmatched of [false, true]) {
      const error = await refused(run(at('out.parquet'), { skipUnmatched }));
      assert.equal(error.code, 'edited');
      assert.match(
        error.message,
        /^The gold fix in .* was changed since it was saved \(solution\/files\/app\/solution\.py, line \d+\)/,
      );
      assert.ok(error.message.includes(place));
    }
  });

  it('does not take two for one row', async () => {
    const [one, two] = [keep('a', await fixOf('manybugs-0007')), keep('b', await fixOf('manybugs-0007'))];
    const error = await refused(run(at('out.parquet')));
    assert.equal(error.code, 'occupied');
    assert.match(error.message, / are both gold fixes of row \d+ of .*, manybugs-0007\.$/);
    assert.ok(error.message.startsWith(`${one} and ${two} are`));
  });

  it('takes one once that was named in several ways', async () => {
    const place = keep('one', await fixOf('manybugs-0007'));
    const ways = [place, relative(process.cwd(), place), at('tasks')];
    assert.deepEqual(await findGoldFixes(ways), [place]);
  });

  it('says that there is none', async () => {
    mkdirSync(at('tasks', 'empty'));
    const error = await refused(run(at('out.parquet')));
    assert.equal(error.message, `There is no gold fix in ${at('tasks')}.`);
    const dataset = await open(SAMPLE_FILE);
    const missing = exportGoldFixes(dataset, [at('nowhere')], at('out.parquet'), PLAIN);
    assert.equal((await refused(missing)).message, `There is no folder ${at('nowhere')}.`);
    await dataset.close();
  });

  it('is cancelled while it looks at gold fixes, and leaves nothing behind', async () => {
    for (const id of SOLVED) keep(id, await fixOf(id));
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error('enough'));
    await assert.rejects(run(at('out.parquet'), { signal: stop.signal, onProgress }), /enough/);
    assert.deepEqual(readdirSync(folder), ['tasks']);
  });

  it('reads a folder of task folders as well as a file', async () => {
    keep('one', await fixOf('manybugs-0007'));
    const exported = await run(at('out.parquet'), {}, SAMPLE_TASKS);
    assert.equal(exported.replaced, 1);
    assert.equal(readFileSync(at('out.parquet')).toString('latin1', 0, 4), 'PAR1');
  });
});

const open = (location: string): Promise<Dataset> => openDataset(location);

async function cellOf(dataset: Dataset, row: number): Promise<string> {
  const content = await dataset.readTask(row);
  return content.kind === 'archive' ? Buffer.from(content.bytes).toString('hex') : content.dir;
}

function assertSolved(task: Task): void {
  assert.equal(task.gold.kind, 'script', task.id);
  assert.ok(task.files.has('solution/solve.sh'));
  const goldFix = goldFixInTask(task, task.id);
  assert.ok(goldFix);
  assert.deepEqual(inspectGoldFix(goldFix, task), []);
}

async function fixOf(id: string, row = 0): Promise<GoldFix> {
  const task = await sampleTask(id);
  return goldFixFor(task, solutionOf(task), { dataset: { name: 'tasks.parquet', format: 'parquet', row } });
}

/** The second line of each file is another. */
function solutionOf(task: Task) {
  const files = [...starterOf(task).files].map(([path, bytes]) => {
    const [first = '', , ...others] = Buffer.from(bytes).toString('latin1').split('\n');
    return [
      path,
      new Uint8Array(Buffer.from([first, 'another = 1', ...others].join('\n'), 'latin1')),
    ] as const;
  });
  return { files: new Map(files) };
}
