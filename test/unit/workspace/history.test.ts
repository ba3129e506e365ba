// What a workspace remembers: its runs in order, the solutions they were of, and what changed from one to the next.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as z from 'zod';
import { openOrCreateWorkspace } from '../../../src/workspace/createWorkspace.ts';
import { gateTurns, KnownHistory, readHistory, solutionDifference } from '../../../src/workspace/history.ts';
import { keptFileOf, readKeptSolution } from '../../../src/workspace/keptSolutions.ts';
import { pruneRuns } from '../../../src/workspace/pruneRuns.ts';
import { firstRunOf, lastRun, type RunRecord, saveRun } from '../../../src/workspace/runs.ts';
import { nextRunName } from '../../../src/workspace/runFiles.ts';
import { planTowards } from '../../../src/workspace/solutionStatus.ts';
import type { TaskWorkspace } from '../../../src/workspace/taskWorkspace.ts';
import { solutionHash, type SolutionState, starterOf } from '../../../src/verifier/solution.ts';
import { listRuns } from '../../host/listRuns.ts';
import { gate, scored } from '../editor/verdicts.ts';
import { ORIGIN, sampleTask, temporaryFolder } from './sampleTasks.ts';

const LATIN1_CRLF = Buffer.from('caf\xe9\r\nx\r\n', 'latin1');

describe('the history of a workspace', () => {
  const root = temporaryFolder();
  let workspace: TaskWorkspace;
  let starter: SolutionState;
  beforeEach(async () => {
    ({ workspace } = await openOrCreateWorkspace(root(), await sampleTask('harbor-ledger-cli'), ORIGIN));
    starter = starterOf(workspace.task);
  });
  const runs = (): string => join(workspace.folder, 'runs');
  const changed = (...files: readonly (readonly [`/${string}`, string | Uint8Array | undefined])[]) => {
    const all = new Map(starter.files);
    for (const [path, content] of files)
      if (content === undefined) all.delete(path);
      else all.set(path, Buffer.from(content));
    return { files: all };
  };
  const save = (
    solution: SolutionState,
    at: string,
    reward = 0,
    subject: RunRecord['subject'] = 'solution',
    startedBy: RunRecord['startedBy'] = 'person',
  ) =>
    saveRun(
      workspace,
      {
        startedBy,
        subject,
        runtime: { kind: 'docker', name: 'Docker 28.2.2' },
        verdict: scored({
          reward,
          gates: [
            gate({ kind: 'tests', line: 4, title: 'tests pass', state: reward === 1 ? 'passed' : 'failed' }),
          ],
          holdsFor: { task: workspace.task.hash, solution: solutionHash(solution), image: 'sha256:0' },
        }),
      },
      solution,
      new Date(at),
    );
  const shown = async (most = 10) =>
    (await readHistory(workspace, most)).entries.map(({ record, kept, files, gates }) => ({
      at: record.at,
      kept,
      files: files?.map(
        ({ path, change, lines }) => `${path} ${change} +${lines?.added ?? '?'} -${lines?.removed ?? '?'}`,
      ),
      gates: gates.map(({ title, from, to }) => `${title}: ${from ?? 'new'} to ${to}`),
    }));

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
      Buffer.from(starter.files.get('/app/README.txt') ?? '')
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

  it('keeps one file a solution, however often it was verified, and gives back every byte', async () => {
    const solution = changed(
      ['/app/caf\udce9.c', LATIN1_CRLF],
      ['/app/aliases.ini', ''],
      ['/app/README.txt', undefined],
    );
    await save(solution, '2026-01-01T10:00:00.000Z');
    const file = keptFileOf(workspace, solutionHash(solution));
    const longAgo = new Date('2026-01-01T09:00:00.000Z');
    await utimes(file, longAgo, longAgo);
    const { ino } = await stat(file);
    await save(solution, '2026-01-01T10:00:01.000Z');
    assert.equal((await readdir(join(runs(), 'solutions'))).length, 1);
    const now = await stat(file);
    assert.equal(now.ino, ino, 'it is not written again');
    assert.notEqual(now.mtimeMs, longAgo.getTime(), 'it counts as new');
    const kept = await readKeptSolution(workspace, solutionHash(solution));
    assert.deepEqual(
      [...(kept?.files ?? [])].map(([path, bytes]) => [path, Buffer.from(bytes)]).sort(),
      [...solution.files].map(([path, bytes]) => [path, Buffer.from(bytes)]).sort(),
    );
  });

  it('lists runs whose solution was not kept, and says so', async () => {
    const { file } = await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    await save(changed(['/app/new.py', 'b']), '2026-01-01T11:00:00.000Z');
    await rm(keptFileOf(workspace, solutionHash(changed(['/app/new.py', 'a']))));
    assert.deepEqual(
      (await shown()).map(({ kept, files }) => [kept, files]),
      [
        [true, undefined],
        [false, undefined],
      ],
    );
    assert.ok((await listRuns(workspace)).runs.some((run) => run.file === file));
  });

  it('keeps no solution that changes more than can be kept, and the run all the same', async () => {
    const big = changed(['/app/big.bin', new Uint8Array(17 * 1024 * 1024)]);
    await save(big, '2026-01-01T10:00:00.000Z');
    assert.deepEqual(
      (await shown()).map(({ kept }) => kept),
      [false],
    );
  });

  it('uses no kept solution that was edited, swapped, or unpacks without end', async () => {
    const solution = changed(['/app/new.py', 'a']);
    const hash = solutionHash(solution);
    await save(solution, '2026-01-01T10:00:00.000Z');
    const file = keptFileOf(workspace, hash);
    const damages = [
      gzipSync(JSON.stringify({ version: 1, files: [{ path: '/app/new.py', base64: 'Yg==' }], deleted: [] })),
      gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)),
      Buffer.from('no gzip'),
      gzipSync('{'),
    ];
    for (const bytes of damages) {
      await writeFile(file, bytes);
      await assert.rejects(
        readKeptSolution(workspace, hash),
        /cannot be used: it is not the solution that was verified\.$/,
      );
      assert.equal((await shown())[0]?.files, undefined);
    }
    await save(solution, '2026-01-01T10:00:01.000Z');
    assert.equal(solutionHash((await readKeptSolution(workspace, hash)) ?? starter), hash, 'kept anew');
    await rm(file);
    await symlink('/etc/passwd', file);
    assert.deepEqual(
      (await shown()).map(({ kept }) => kept),
      [false, false],
    );
    await assert.rejects(readKeptSolution(workspace, hash), /is a symbolic link/);
  });

  it('writes no solution through a link', async () => {
    await symlink(root(), join(runs(), 'solutions'));
    await assert.rejects(save(starter, '2026-01-01T10:00:00.000Z'), /solutions is not a folder/);
  });

  it('keeps the order in which runs ended when the clock is set back, with the times as they were', async () => {
    await save(changed(['/app/new.py', 'a']), '2030-01-01T10:00:00.000Z');
    await save(changed(['/app/new.py', 'b']), '2026-01-01T10:00:00.000Z');
    await save(changed(['/app/new.py', 'c']), '2026-01-01T10:00:05.000Z');
    assert.deepEqual(
      (await shown()).map(({ at }) => at),
      ['2026-01-01T10:00:05.000Z', '2026-01-01T10:00:00.000Z', '2030-01-01T10:00:00.000Z'],
    );
    assert.equal((await lastRun(workspace))?.record.at, '2026-01-01T10:00:05.000Z');
  });

  it('loses no run of many that end in the same millisecond', async () => {
    const files = await Promise.all(
      Array.from({ length: 8 }, async () => (await save(starter, '2026-01-01T10:00:00.000Z')).file),
    );
    assert.equal(new Set(files).size, 8);
    assert.equal((await listRuns(workspace)).runs.length, 8);
    assert.deepEqual(
      (await readdir(runs())).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  it('is bounded: the oldest runs go, then the solutions that no run names', async () => {
    const solutions = ['a', 'b', 'c'].map((text) => changed(['/app/new.py', text]));
    for (const [index, solution] of solutions.entries())
      await save(solution, `2026-01-01T10:00:0${index}.000Z`);
    const longAgo = new Date(Date.now() - 60 * 60 * 1000);
    for (const name of await readdir(join(runs(), 'solutions')))
      await utimes(join(runs(), 'solutions', name), longAgo, longAgo);
    await pruneRuns(workspace, { runs: 2, bytes: Infinity });
    assert.deepEqual(
      (await shown()).map(({ at, kept }) => [at.slice(17, 19), kept]),
      [
        ['02', true],
        ['01', true],
      ],
    );
    assert.equal((await readdir(join(runs(), 'solutions'))).length, 2);
    await pruneRuns(workspace, { runs: 100, bytes: 1 });
    assert.deepEqual(
      (await shown()).map(({ at }) => at.slice(17, 19)),
      ['02'],
      'the newest stays',
    );
  });

  it('leaves a solution alone whose run another window has not written yet', async () => {
    await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    const [name = ''] = (await readdir(runs())).filter((each) => each.endsWith('.json'));
    await rm(join(runs(), name));
    await pruneRuns(workspace);
    assert.equal((await readdir(join(runs(), 'solutions'))).length, 1);
  });

  it('reads no folder full of other things to its end', async () => {
    await mkdir(runs(), { recursive: true });
    const name = (index: number) => `2026-01-01T10-00-00.${String(index).padStart(3, '0')}Z-00000000.json`;
    for (let index = 0; index < 150; index++) await writeFile(join(runs(), name(index)), '{');
    const { runs: found, damaged } = await listRuns(workspace);
    assert.deepEqual([found.length, damaged.length], [0, 100]);
    assert.equal(await lastRun(workspace), undefined);
  });

  it('passes over what earlier versions saved although nothing had run', async () => {
    await mkdir(runs(), { recursive: true });
    const name = '2026-11-30T12-00-00.000Z-8f14e45f.json';
    const stored = await readFile(join(import.meta.dirname, '../../fixtures/runs', name), 'utf8');
    await writeFile(join(runs(), name), stored);
    const failed = { outcome: 'engine-error', version: 1, reason: 'no-engine', message: '', nextStep: '' };
    await writeFile(
      join(runs(), '2026-11-30T12-00-01.000Z-8f14e45f.json'),
      JSON.stringify({ ...z.record(z.string(), z.unknown()).parse(JSON.parse(stored)), verdict: failed }),
    );
    const known = new KnownHistory();
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await readHistory(workspace, 10, known), { entries: [], damaged: [] });
    assert.equal(await lastRun(workspace), undefined);
    const { file } = await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    assert.equal((await lastRun(workspace))?.file, file);
    await writeFile(join(runs(), name), stored.replace('script-missing', 'missing'));
    assert.equal((await listRuns(workspace)).runs.length, 2, 'only that reason stands for no run');
  });

  it('is not read again when nothing is new', async () => {
    await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    const known = new KnownHistory();
    const [first] = (await readHistory(workspace, 10, known)).entries;
    const [read] = known.runs.values();
    await save(changed(['/app/new.py', 'b']), '2026-01-01T10:00:01.000Z');
    const [, second] = (await readHistory(workspace, 10, known)).entries;
    assert.equal(second, first);
    assert.ok(read?.record && second?.record === read.record);
    assert.equal(known.runs.size, 2);
    await rm(first?.file ?? '');
    assert.equal((await readHistory(workspace, 10, known)).entries.length, 1);
    assert.equal(known.runs.size, 1, 'what is gone is forgotten');
  });

  it('tells who verified a solution first', async () => {
    const [own, tools] = [changed(['/app/new.py', 'a']), changed(['/app/new.py', 'b'])];
    const at = (second: string) => `2026-01-01T10:00:${second}.000Z`;
    await save(tools, at('00'), 1, 'gold', 'agent');
    assert.equal(await firstRunOf(workspace, tools), undefined, 'no run of the solution itself');
    await save(own, at('01'));
    await save(tools, at('02'), 0, 'solution', 'agent');
    await save(tools, at('03'), 1);
    await save(own, at('04'), 1, 'solution', 'agent');
    const first = async (solution: SolutionState) =>
      (await firstRunOf(workspace, solution))?.record.startedBy;
    assert.deepEqual([await first(own), await first(tools)], ['person', 'agent']);
    assert.equal(await first(starter), undefined);
  });

  it('is read again where a run was edited', async () => {
    const { file } = await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    await save(changed(['/app/new.py', 'b']), '2026-01-01T10:00:01.000Z');
    const known = new KnownHistory();
    await readHistory(workspace, 10, known);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"state": "failed"', '"state": "errored"'));
    const [newer, older] = (await readHistory(workspace, 10, known)).entries;
    assert.deepEqual(newer?.gates, [{ id: 'tests@4', title: 'tests pass', from: 'errored', to: 'failed' }]);
    assert.equal(older?.gates.length, 0);
    await writeFile(file, '{');
    const { entries, damaged } = await readHistory(workspace, 10, known);
    assert.deepEqual([entries.length, damaged], [1, [file]]);
  });

  it('holds a run against the one before it of the same subject, however far back that is', async () => {
    const solution = changed(['/app/new.py', 'a\n']);
    await save(solution, '2026-01-01T10:00:00.000Z');
    for (const second of ['01', '02', '03'])
      await save(starter, `2026-01-01T10:00:${second}.000Z`, 0, 'starter');
    await save(solution, '2026-01-01T10:00:04.000Z', 1);
    const [newest] = (await readHistory(workspace, 1)).entries;
    assert.equal(newest?.before, solutionHash(solution));
    assert.deepEqual(newest.files, []);
    assert.deepEqual(
      newest.gates.map(({ from, to }) => [from, to]),
      [['failed', 'passed']],
    );
  });

  it('holds plain text that a person can read', async () => {
    const { file } = await save(starter, '2026-01-01T10:00:00.000Z');
    assert.match(
      await readFile(file, 'utf8'),
      /^\{\n {2}"version": 1,\n {2}"at": "2026-01-01T10:00:00\.000Z"/,
    );
  });
});

describe('the name of a run', () => {
  const HASH = 'c'.repeat(64);

  it('sorts behind every name there is, for any clock', () => {
    const times = fc.date({ min: new Date(0), max: new Date('9998-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(times, { minLength: 2, maxLength: 8 }), (clock) => {
        const names: string[] = [];
        for (const now of clock) names.push(nextRunName(now, HASH, names.at(-1)));
        assert.deepEqual([...names].sort(), names);
        assert.equal(new Set(names).size, names.length);
      }),
    );
  });

  it('does not leave the years that it can hold', () => {
    const last = `9999-12-31T23-59-59.999Z-${'0'.repeat(8)}.json`;
    assert.equal(nextRunName(new Date(0), HASH, last), '1970-01-01T00-00-00.000Z-cccccccc.json');
  });
});

describe('going from one solution to another', () => {
  const solutions = fc
    .dictionary(fc.constantFrom('/a', '/b/c', '/d'), fc.uint8Array({ maxLength: 3 }))
    .map((files): SolutionState => ({
      files: new Map(Object.entries(files).map(([path, bytes]) => [path as `/${string}`, bytes])),
    }));

  it('writes and deletes exactly what differs', () => {
    fc.assert(
      fc.property(solutions, solutions, (target, now) => {
        const plan = planTowards(target, now);
        const files = new Map(now.files);
        for (const { path, bytes } of plan.write) files.set(path, bytes);
        for (const path of plan.delete) assert.ok(files.delete(path));
        assert.equal(solutionHash({ files }), solutionHash(target));
        assert.equal(plan.write.length + plan.delete.length, solutionDifference(now, target).length);
      }),
    );
  });

  it('counts no lines of what is no text', () => {
    const one = { files: new Map([['/a', Buffer.from([0, 1])]] as const) };
    const two = { files: new Map([['/a', Buffer.from([0, 2])]] as const) };
    assert.deepEqual(solutionDifference(one, two), [{ path: '/a', change: 'changed', lines: undefined }]);
  });

  it('shows no turned gates against a run that shows no gates', () => {
    assert.deepEqual(gateTurns([], scored().gates), []);
    assert.equal(gateTurns(scored().gates, scored().gates).length, 0);
  });
});
