// Gold fixes on real runtimes: saved, checked from their files alone, edited, and run by a script that knows none of us.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkGoldFix, type GoldCheck, goldFixHolds } from '../../src/gold/checkGoldFix.ts';
import { exportTaskArchive, exportTaskFolder, goldFixInTask } from '../../src/gold/export/exportTask.ts';
import { GoldError } from '../../src/gold/goldError.ts';
import { type GoldFix, readGoldFix } from '../../src/gold/goldFix.ts';
import { goldFolderOf } from '../../src/gold/goldNames.ts';
import { saveGoldFix, type SaveOptions } from '../../src/gold/saveGoldFix.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { readTaskArchive } from '../../src/task/archive/archive.ts';
import { parseTask } from '../../src/task/parseTask.ts';
import type { Task } from '../../src/task/task.ts';
import { readTaskFolder } from '../../src/task/archive/taskFolder.ts';
import { type SolutionState, solutionHash, starterOf } from '../../src/verifier/plan/solution.ts';
import { openOrCreateWorkspace } from '../../src/workspace/createWorkspace.ts';
import { listRuns } from '../host/listRuns.ts';
import { markRevealed, type TaskWorkspace } from '../../src/workspace/taskWorkspace.ts';
import { BASE_IMAGE } from '../host/baseImage.ts';
import type { Engine } from '../host/engine.ts';
import { sampleTask, verifyOptions } from '../host/sampleTasks.ts';
import { solvableSamples, solved } from '../host/solvedSamples.ts';
import { SAMPLES } from './cliUnderTest.ts';
import { dockerRuntime, readyEngine } from './dockerUnderTest.ts';
import { sandboxUnderTest } from './sandboxUnderTest.ts';
import { SECOND } from './testPlan.ts';
import { remedyText } from '../host/remedyText.ts';

const BARE_ORACLE = join(import.meta.dirname, 'bareOracle.sh');
const signal = new AbortController().signal;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gold-fix-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function workspaceOf(task: Task): Promise<TaskWorkspace> {
  const origin = { dataset: '/somewhere/tasks', format: 'folder', row: 3 };
  return (await openOrCreateWorkspace(folder, task, origin)).workspace;
}

async function save(
  workspace: TaskWorkspace,
  solution: SolutionState,
  runtime: Runtime,
  options: Partial<SaveOptions> = {},
): Promise<GoldFix> {
  const all: SaveOptions = {
    verify: await verifyOptions(),
    startedBy: 'person',
    version: '1.2.3',
    replace: false,
    ...options,
  };
  const result = await saveGoldFix(
    { workspace, solution, options: all },
    { runtime: async () => ({ runtime, name: 'the runtime under test' }), sinks: {}, signal },
  );
  assert.equal(result.kind, 'saved');
  return readGoldFix(goldFolderOf(workspace));
}

async function check(goldFix: GoldFix, task: Task, runtime: Runtime): Promise<GoldCheck> {
  return checkGoldFix(
    { goldFix, task, options: await verifyOptions() },
    { runtime: async () => runtime, sinks: {}, signal },
  );
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof GoldError, String(error));
    return `${error.code}: ${error.message} ${remedyText(error.remedies)}`;
  }
  return assert.fail('it was not refused');
}

describe('gold fixes on docker', function () {
  this.timeout(180 * SECOND);
  let engine: Engine;
  let runtime: Runtime;
  before(async () => {
    engine = await readyEngine();
    runtime = dockerRuntime(engine).runtime;
  });
  after(() => runtime.dispose());

  for (const id of solvableSamples())
    it(`that of ${id} gets reward 1 from a script that knows nothing of this project`, async () => {
      const task = await sampleTask(id);
      const workspace = await workspaceOf(task);
      const { record } = await save(workspace, solved(task), runtime);
      assert.equal(record.reward, 1);
      const { stdout } = await promisify(execFile)(
        BARE_ORACLE,
        [join(SAMPLES, id), join(goldFolderOf(workspace), 'solution'), BASE_IMAGE],
        { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DOCKER_HOST: engine.host } },
      );
      assert.equal(rewardIn(stdout), 1, stdout);
    });

  it('is refused with what the verifier said, and nothing is written', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const workspace = await workspaceOf(task);
    const files = new Map(starterOf(task).files);
    files.set('/app/solution.py', Buffer.from('import nothing_of_this_name\n'));
    assert.match(
      await refusal(save(workspace, { files }, runtime)),
      /^not-solved: The verifier of bugsinpy-0001 gave reward 0, and a gold fix needs 1\. It said: FAILED .*test_state\.py::\w+ .* Verify the solution to see its gates/s,
    );
    assert.deepEqual((await readdir(workspace.folder)).sort(), [
      'runs',
      'task.tar.gz',
      'work',
      'workspace.json',
    ]);
  });

  it('puts back owner and mode, adds, deletes and quotes as it was verified', async () => {
    const task = taskOf({
      'environment/Dockerfile':
        'FROM python:3.10-slim\nWORKDIR /app\nCOPY . /app/\nRUN chown 1234:1234 /app/run.sh && chmod 0750 /app/run.sh\n',
      'environment/run.sh': 'old\n',
      'environment/gone.txt': 'gone\n',
      'tests/test.sh': `#!/bin/bash
name="/app/new dir/it's \\$HOME.txt"
if [ "$(stat -c '%u:%g %a' /app/run.sh)" = '1234:1234 750' ] && [ "$(cat /app/run.sh)" = new ] &&
  [ ! -e /app/gone.txt ] && [ "$(cat "$name")" = added ] && [ "$(stat -c %a "$name")" = 644 ]; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
`,
    });
    const workspace = await workspaceOf(task);
    const files = new Map(starterOf(task).files);
    files.set('/app/run.sh', Buffer.from('new\n'));
    files.set("/app/new dir/it's $HOME.txt", Buffer.from('added\n'));
    files.delete('/app/gone.txt');
    const fix = await save(workspace, { files }, runtime);
    assert.ok(goldFixHolds(await check(fix, task, runtime)));
  });

  it('is refused where the user of the task may not write the solution', async () => {
    const task = taskOf({
      'environment/Dockerfile': 'FROM python:3.10-slim\nWORKDIR /app\nCOPY a.txt /app/a.txt\n',
      'environment/a.txt': 'a\n',
      'task.toml': '[agent]\nuser = "nobody"\n',
      'tests/test.sh': '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n',
    });
    const files = new Map([['/app/a.txt', Buffer.from('b\n')]] as const);
    assert.match(
      await refusal(save(await workspaceOf(task), { files }, runtime)),
      /^not-solved: solve\.sh did not put the solution of odd in place\. .*Permission denied/,
    );
  });
});

describe('gold fixes in the sandbox', function () {
  this.timeout(180 * SECOND);
  let runtime: Runtime;
  let close: () => Promise<void>;
  before(async () => {
    ({ runtime, close } = await sandboxUnderTest());
  });
  after(() => close());

  for (const id of ['bugsinpy-0001', 'manybugs-0007', 'harbor-ledger-cli'])
    it(`that of ${id} is replayed from its files alone, and fails when one is edited`, async () => {
      const task = await sampleTask(id);
      const workspace = await workspaceOf(task);
      const fix = await save(workspace, solved(task), runtime);
      assert.equal(fix.record.solution.hash, solutionHash(solved(task)));
      // A clone has the gold fix and the archive of its task.
      const clone = join(folder, 'clone');
      await mkdir(clone);
      await cp(goldFolderOf(workspace), join(clone, 'gold'), { recursive: true });
      const archive = await readTaskArchive(await readFile(join(workspace.folder, 'task.tar.gz')));
      assert.ok(archive.ok);
      const cloned = parseTask(fix.record.task.id, archive.files);
      const found = await check(await readGoldFix(join(clone, 'gold')), cloned, runtime);
      assert.ok(goldFixHolds(found), JSON.stringify(found));

      const [first] = fix.record.solution.files;
      assert.ok(first?.file);
      await appendFile(join(clone, 'gold', first.file), 'edited by hand\n');
      const edited = await check(await readGoldFix(join(clone, 'gold')), cloned, runtime);
      assert.ok(!goldFixHolds(edited));
      assert.equal(edited.verdict, undefined);
      assert.deepEqual(
        edited.findings.map(({ code, file }) => ({ code, file })),
        [{ code: 'edited', file: first.file }],
      );
      const text = Buffer.from(fix.files.get(first.file)?.bytes ?? []).toString('latin1');
      assert.equal(edited.findings[0]?.line, text.split('\n').length);
    });

  it('holds what it was saved with', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const opened = await workspaceOf(task);
    const workspace = await markRevealed(opened, 'tests', new Date('2026-01-02T03:04:05Z'));
    await promisify(execFile)('git', ['init', '-q', workspace.folder]);
    for (const [key, value] of [
      ['user.name', 'A. Person'],
      ['user.email', 'a@example.org'],
    ] as const)
      await promisify(execFile)('git', ['-C', workspace.folder, 'config', key, value]);
    const { record } = await save(workspace, solved(task), runtime, { startedBy: 'agent' });
    assert.deepEqual(record.author, { name: 'A. Person', email: 'a@example.org' });
    assert.deepEqual(record.revealed, { tests: '2026-01-02T03:04:05.000Z' });
    assert.deepEqual(record.dataset, { name: 'tasks', format: 'folder', row: 3 });
    assert.deepEqual(
      [record.startedBy, record.tool.version, record.task.hash],
      ['agent', '1.2.3', task.hash],
    );
    assert.deepEqual(
      record.gates.map(({ kind, state }) => `${kind} ${state}`),
      ['exists passed', 'edited passed', 'compiles passed', 'imports passed', 'tests passed'],
    );
    assert.ok(record.cases.length > 0 && record.clocks.oracle !== undefined);
    // The traced run that gave the gates is part of the history.
    const { runs } = await listRuns(workspace);
    assert.deepEqual(
      runs.map(({ record: run }) => [run.startedBy, run.subject, run.verdict.holdsFor.solution]),
      [['agent', 'solution', record.solution.hash]],
    );
    // The gates of a run that holds are good enough the next time.
    const again = await save(workspace, solved(task), runtime);
    assert.equal((await listRuns(workspace)).runs.length, 1);
    // A person saves it now; whoever verified it first did so all the same.
    assert.equal(again.record.startedBy, 'agent');
    const files = new Map([...solved(task).files, ['/app/notes.txt', Buffer.from('mine\n')] as const]);
    const own = await save(workspace, { files }, runtime, { replace: true });
    assert.equal(own.record.startedBy, 'person');
  });

  it('is not replaced by that of another solution, or when it was edited, unless that is asked for', async () => {
    const task = await sampleTask('bugsinpy-0039');
    const workspace = await workspaceOf(task);
    const first = await save(workspace, solved(task), runtime);
    const files = new Map(solved(task).files);
    files.set('/app/notes.txt', Buffer.from('more\n'));
    const gold = goldFolderOf(workspace);
    assert.equal(
      await refusal(save(workspace, { files }, runtime)),
      `occupied: ${gold} holds the gold fix of another solution. Move it away. Or replace it (choice replace).`,
    );
    await appendFile(join(gold, 'gold.patch'), '\n');
    assert.equal(
      await refusal(save(workspace, solved(task), runtime)),
      `occupied: ${gold} holds a gold fix that was edited since it was saved. Move it away. Or replace it (choice replace).`,
    );
    const second = await save(workspace, { files }, runtime, { replace: true });
    assert.notEqual(second.record.solution.hash, first.record.solution.hash);
    assert.deepEqual((await readdir(workspace.folder)).sort(), [
      'gold',
      'runs',
      'task.tar.gz',
      'work',
      'workspace.json',
    ]);
  });

  it('does not hold when the verifier gives less than it did, or is another one', async () => {
    const task = taskOf({
      'task.toml': '[verifier.env]\nWHAT = "${GOLD_TEST_REWARD}"\n',
      'tests/test.sh': '#!/bin/bash\necho "${WHAT:-0}" > /logs/verifier/reward.txt\n',
    });
    const files = new Map([['/app/a.txt', Buffer.from('b\n')]] as const);
    const given = { allowedHostNames: new Set(['GOLD_TEST_REWARD']), hostEnv: { GOLD_TEST_REWARD: '1' } };
    const fix = await save(await workspaceOf(task), { files }, runtime, {
      verify: await verifyOptions(given),
    });
    const lower = await check(fix, task, runtime);
    assert.deepEqual([lower.findings, goldFixHolds(lower)], [[], false]);
    assert.equal(lower.verdict?.outcome === 'scored' && lower.verdict.reward, 0);
    assert.deepEqual(lower.notes.slice(0, 1), ['The reward is 0; it was 1 when the gold fix was saved.']);

    const other = taskOf({ 'tests/test.sh': '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n' });
    const changed = await check(fix, other, runtime);
    assert.deepEqual(
      changed.findings.map(({ code }) => code),
      ['other-verifier'],
    );
  });

  it('is exported into its task, as a folder and as an archive, and holds there', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const fix = await save(await workspaceOf(task), solved(task), runtime);
    const target = join(folder, 'exported');
    await exportTaskFolder(task, fix, target);
    assert.match(
      await refusal(exportTaskFolder(task, fix, target)),
      /^occupied: .*exported is there already\./,
    );
    assert.equal((await stat(join(target, 'solution/solve.sh'))).mode & 0o111, 0o111);
    await exportTaskArchive(task, fix, `${target}.tar.gz`);
    assert.match(await refusal(exportTaskArchive(task, fix, `${target}.tar.gz`)), /^occupied: /);

    const asFolder = await readTaskFolder(target);
    const asArchive = await readTaskArchive(await readFile(`${target}.tar.gz`));
    assert.ok(asFolder.ok && asArchive.ok);
    const exported = parseTask(task.id, asArchive.files);
    assert.equal(parseTask(task.id, asFolder.files).hash, exported.hash);
    const inside = goldFixInTask(exported, target);
    assert.ok(inside);
    const found = await check(inside, exported, runtime);
    assert.ok(goldFixHolds(found), JSON.stringify(found));
  });
});

function taskOf(files: Readonly<Record<string, string>>): Task {
  const all = {
    'instruction.md': '# Repair\n',
    'environment/Dockerfile': 'FROM python:3.10-slim\nWORKDIR /app\nCOPY a.txt /app/a.txt\n',
    'environment/a.txt': 'a\n',
    ...files,
  };
  return parseTask(
    'odd',
    new Map(
      Object.entries(all).map(([path, text]) => [path, { path, bytes: Buffer.from(text), mode: 0o644 }]),
    ),
  );
}

function rewardIn(text: string): unknown {
  if (!text.trim().startsWith('{')) return Number(text.trim() === '' ? Number.NaN : text);
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null && 'reward' in parsed ? parsed.reward : undefined;
}
