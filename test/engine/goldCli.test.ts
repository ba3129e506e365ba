// `repair-bench gold`, end to end: what it says, what it writes, and how it ends.
import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  errorDocument,
  goldCheckDocument,
  goldSaveDocument,
  openDocument,
  verifyDocument,
} from '../../src/cli/documents/jsonDocuments.ts';
import { runCli, SAMPLES, SOLUTIONS } from './cliUnderTest.ts';

const SANDBOX = ['--runtime', 'sandbox'];
const ID = 'bugsinpy-0039';

describe('repair-bench gold', function () {
  this.timeout(240_000);
  let folder = '';
  let workspace = '';
  let solution = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repair-bench-gold-'));
    const opened = await runCli(['open', SAMPLES, ID, '--into', 'w', '--json'], { cwd: folder });
    const document = openDocument.parse(JSON.parse(opened.stdout));
    workspace = document.workspace.folder;
    solution = document.workspace.files[0]?.hostPath ?? '';
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const gold = (...args: readonly string[]) => runCli(['gold', ...args], { cwd: folder });
  const error = (ended: { readonly stdout: string }) => errorDocument.parse(JSON.parse(ended.stdout)).error;

  it('saves no starter, no solution that scores lower, and none without a workspace', async () => {
    const starter = await gold('save', workspace, '--json', ...SANDBOX);
    assert.deepEqual(
      [starter.code, error(starter)],
      [
        2,
        {
          code: 'unchanged',
          message: `The solution of ${ID} is the starter as shipped, so there is no fix to save.`,
          nextStep: 'Fix the task first, then verify it.',
          exitCode: 2,
        },
      ],
    );
    await cp(join(SOLUTIONS, ID, 'syntax-error/app/solution.py'), solution);
    const lower = await gold('save', workspace, ...SANDBOX);
    assert.equal(lower.code, 1, lower.stdout + lower.stderr);
    assert.match(
      lower.stderr,
      /Error: The verifier of bugsinpy-0039 gave reward 0, and a gold fix needs 1\./,
    );
    assert.match(lower.stderr, /Next: Verify the solution to see its gates, and fix what fails\./);
    const none = await gold('save', SAMPLES, 'bugsinpy-0014', '--json', ...SANDBOX);
    assert.deepEqual([none.code, error(none).code], [2, 'no-workspace']);
    const nothing = await gold('check', workspace, '--json', ...SANDBOX);
    assert.deepEqual([nothing.code, error(nothing).code], [2, 'not-a-gold-fix']);
  });

  it('saves, and the gold of the workspace is this one from then on', async () => {
    await cp(join(SAMPLES, ID, 'solution/solution.py'), solution);
    // By its row, as somebody does who does not remember the folder's name.
    const ended = await gold('save', SAMPLES, ID, '--into', 'w', '--json', ...SANDBOX);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const saved = goldSaveDocument.parse(JSON.parse(ended.stdout));
    assert.equal(saved.gold.folder, join(workspace, 'gold'));
    assert.equal(saved.gold.record.reward, 1);
    const verified = await runCli(['verify', workspace, '--gold', '--json', ...SANDBOX]);
    const { verdict, subject } = verifyDocument.parse(JSON.parse(verified.stdout));
    assert.deepEqual([verified.code, subject], [0, 'gold']);
    assert.ok(verdict.outcome === 'scored' && verdict.clocks.oracle !== undefined, 'solve.sh did not run');
  });

  it('checks in a fresh clone, with or without the task beside it', async () => {
    const clone = join(folder, 'clone');
    await mkdir(clone);
    await cp(join(workspace, 'gold'), join(clone, 'gold'), { recursive: true });
    const without = await gold('check', 'clone/gold', '--json', ...SANDBOX);
    assert.deepEqual([without.code, error(without).code], [2, 'no-task']);
    assert.match(error(without).nextStep, /--task DATASET/);
    const named = await gold('check', 'clone/gold', '--task', SAMPLES, '--json', ...SANDBOX);
    assert.equal(named.code, 0, named.stdout + named.stderr);
    const document = goldCheckDocument.parse(JSON.parse(named.stdout));
    assert.deepEqual([document.holds, document.findings], [true, []]);
    await cp(join(workspace, 'task.tar.gz'), join(clone, 'task.tar.gz'));
    const beside = await gold('check', 'clone', ...SANDBOX);
    assert.deepEqual(
      [beside.code, beside.stdout],
      [0, `✓ The gold fix of ${ID} holds: nothing was edited, and the reward is 1 again.\n`],
    );
  });

  it('says what was edited, in the fix or in its dataset', async () => {
    const copy = join(folder, 'edited');
    await cp(join(workspace, 'gold'), join(copy, 'gold'), { recursive: true });
    await cp(join(workspace, 'task.tar.gz'), join(copy, 'task.tar.gz'));
    await appendFile(join(copy, 'gold/solution/solve.sh'), 'echo 1 > /logs/verifier/reward.txt\n');
    const record = join(copy, 'gold/gold.json');
    await writeFile(record, (await readFile(record, 'utf8')).replace('"person"', '"agent"'));
    const ended = await gold('check', 'edited/gold', ...SANDBOX);
    assert.equal(ended.code, 1);
    assert.match(
      ended.stdout,
      /^✗ The gold fix of bugsinpy-0039 does not hold: edited\/gold was changed since it was saved/,
    );
    assert.match(ended.stdout, /^ {2}solution\/solve\.sh:\d+$/m);
    assert.match(ended.stdout, /^ {2}gold\.json:\d+\n {4}The field "startedBy" of gold\.json was edited/m);

    const dataset = join(folder, 'tasks', ID);
    await cp(join(SAMPLES, ID), dataset, { recursive: true });
    await appendFile(join(dataset, 'tests/test.sh'), '# stricter\n');
    const moved = await gold('check', join(workspace, 'gold'), '--task', dataset, ...SANDBOX);
    assert.equal(moved.code, 1);
    assert.match(moved.stdout, /bugsinpy-0039 has another verifier than when this gold fix was saved/);
  });

  it('replaces what was edited only with --force', async () => {
    await appendFile(join(workspace, 'gold/gold.patch'), '\n');
    const kept = await gold('save', workspace, '--json', ...SANDBOX);
    assert.deepEqual([kept.code, error(kept).code], [2, 'occupied']);
    assert.match(error(kept).message, /holds a gold fix that was edited since it was saved\.$/);
    const forced = await gold('save', workspace, '--force', ...SANDBOX);
    assert.equal(forced.code, 0, forced.stdout + forced.stderr);
    assert.match(
      forced.stdout,
      /^✓ Reward 1 in a run of solve\.sh and the verifier, in a fresh container without a trace, on bubblewrap/,
    );
    assert.match(forced.stdout, /^Check +repair-bench gold check /m);
  });

  it('ends with 4 where there is no engine', async () => {
    const ended = await runCli(['gold', 'check', workspace, '--runtime', 'docker', '--json'], {
      env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' },
    });
    assert.equal(ended.code, 4, ended.stdout + ended.stderr);
    assert.equal(error(ended).exitCode, 4);
  });
});
