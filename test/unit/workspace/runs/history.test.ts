// What a workspace remembers: its runs in order, the solutions they were of, and what changed from one to the next.
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  gateChanges,
  HistoryCache,
  readHistory,
  solutionDifference,
} from '../../../../src/workspace/runs/history.ts';
import { keptFileOf } from '../../../../src/workspace/runs/keptSolutions.ts';
import { lastRun } from '../../../../src/workspace/runs/runs.ts';
import { solutionHash } from '../../../../src/verifier/plan/solution.ts';
import { listRuns } from '../../../host/listRuns.ts';
import { ROOT } from '../../../host/root.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';
import { workspaceWithRuns } from '../helpers/workspaceWithRuns.ts';

describe('the history of a workspace', () => {
  const on = workspaceWithRuns();
  const { changed, runs, save, shown } = on;

  it('tells what changed since the run before, and of the first run since the starter', async () => {
    await save(changed(['/app/new.py', 'a\nb\n']), '2026-01-01T10:00:00.000Z');
    await save(
      changed(['/app/new.py', 'a\nc\nd\n'], ['/app/README.txt', undefined]),
      '2026-01-01T11:00:00.000Z',
      1,
    );
    await save(
      changed(['/app/new.py', 'a\nc\nd\n'], ['/app/README.txt', undefined]),
      '2026-01-01T12:00:00.000Z',
      1,
    );
    const readme =
      Buffer.from(on.starter.files.get('/app/README.txt') ?? '')
        .toString()
        .split('\n').length - 1;
    assert.deepEqual(await shown(), [
      { at: '2026-01-01T12:00:00.000Z', kept: true, files: [], gates: [] },
      {
        at: '2026-01-01T11:00:00.000Z',
        kept: true,
        files: [`/app/README.txt deleted +0 -${readme}`, '/app/new.py changed +2 -1'],
        gates: ['tests pass: failed to passed'],
      },
      { at: '2026-01-01T10:00:00.000Z', kept: true, files: ['/app/new.py added +2 -0'], gates: [] },
    ]);
    assert.equal((await shown(1)).length, 1);
    assert.equal((await shown(1))[0]?.files?.length, 0, 'the run before is known, though it is not shown');
  });

  it('lists runs whose solution was not kept, and says so', async () => {
    const { file } = await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    await save(changed(['/app/new.py', 'b']), '2026-01-01T11:00:00.000Z');
    await rm(keptFileOf(on.workspace, solutionHash(changed(['/app/new.py', 'a']))));
    assert.deepEqual(
      (await shown()).map(({ kept, files }) => [kept, files]),
      [
        [true, undefined],
        [false, undefined],
      ],
    );
    assert.ok((await listRuns(on.workspace)).runs.some((run) => run.file === file));
  });

  it('passes over what earlier versions saved although nothing had run', async () => {
    await mkdir(runs(), { recursive: true });
    const name = '2026-11-30T12-00-00.000Z-8f14e45f.json';
    const stored = await readFile(join(ROOT, 'test/fixtures/runs', name), 'utf8');
    await writeFile(join(runs(), name), stored);
    const failed = { outcome: 'engine-error', version: 1, reason: 'no-engine', message: '', nextStep: '' };
    await writeFile(
      join(runs(), '2026-11-30T12-00-01.000Z-8f14e45f.json'),
      JSON.stringify({ ...z.record(z.string(), z.unknown()).parse(JSON.parse(stored)), verdict: failed }),
    );
    const known = new HistoryCache();
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await readHistory(on.workspace, 10, known), { entries: [], damaged: [] });
    assert.equal(await lastRun(on.workspace), undefined);
    const { file } = await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    assert.equal((await lastRun(on.workspace))?.file, file);
    await writeFile(join(runs(), name), stored.replace('script-missing', 'missing'));
    assert.equal((await listRuns(on.workspace)).runs.length, 2, 'only that reason stands for no run');
  });

  it('is not read again when nothing is new', async () => {
    await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    const known = new HistoryCache();
    const [first] = (await readHistory(on.workspace, 10, known)).entries;
    const [read] = known.runs.values();
    await save(changed(['/app/new.py', 'b']), '2026-01-01T10:00:01.000Z');
    const [, second] = (await readHistory(on.workspace, 10, known)).entries;
    assert.equal(second, first);
    assert.ok(read?.record && second?.record === read.record);
    assert.equal(known.runs.size, 2);
    await rm(first?.file ?? '');
    assert.equal((await readHistory(on.workspace, 10, known)).entries.length, 1);
    assert.equal(known.runs.size, 1, 'what is gone is forgotten');
  });

  it('is read again where a run was edited', async () => {
    const { file } = await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    await save(changed(['/app/new.py', 'b']), '2026-01-01T10:00:01.000Z');
    const known = new HistoryCache();
    await readHistory(on.workspace, 10, known);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"state": "failed"', '"state": "errored"'));
    const [newer, older] = (await readHistory(on.workspace, 10, known)).entries;
    assert.deepEqual(newer?.gates, [{ id: 'tests@4', title: 'tests pass', from: 'errored', to: 'failed' }]);
    assert.equal(older?.gates.length, 0);
    await writeFile(file, '{');
    const { entries, damaged } = await readHistory(on.workspace, 10, known);
    assert.deepEqual([entries.length, damaged], [1, [file]]);
  });

  it('holds a run against the one before it of the same subject, however far back that is', async () => {
    const solution = changed(['/app/new.py', 'a\n']);
    await save(solution, '2026-01-01T10:00:00.000Z');
    for (const second of ['01', '02', '03'])
      await save(on.starter, `2026-01-01T10:00:${second}.000Z`, 0, 'starter');
    await save(solution, '2026-01-01T10:00:04.000Z', 1);
    const [newest] = (await readHistory(on.workspace, 1)).entries;
    assert.equal(newest?.before, solutionHash(solution));
    assert.deepEqual(newest.files, []);
    assert.deepEqual(
      newest.gates.map(({ from, to }) => [from, to]),
      [['failed', 'passed']],
    );
  });
});

describe('two runs of the history', () => {
  it('counts no lines of what is no text', () => {
    const one = { files: new Map([['/a', Buffer.from([0, 1])]] as const) };
    const two = { files: new Map([['/a', Buffer.from([0, 2])]] as const) };
    assert.deepEqual(solutionDifference(one, two), [{ path: '/a', change: 'changed', lines: undefined }]);
  });

  it('shows no turned gates against a run that shows no gates', () => {
    assert.deepEqual(gateChanges([], scored().gates), []);
    assert.equal(gateChanges(scored().gates, scored().gates).length, 0);
  });
});
