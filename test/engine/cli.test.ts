// The command line, end to end: exit codes, documents, texts, signals and closed pipes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  errorDocument,
  historyDocument,
  listDocument,
  openDocument,
  verifyDocument,
} from '../../src/cli/documents/jsonDocuments.ts';
import { verdictDocumentOf } from '../../src/cli/documents/verdictDocument.ts';
import { runRecordSchema } from '../../src/workspace/runs/runs.ts';
import { remedyText } from '../host/remedyText.ts';
import { IMAGES, runCli, SAMPLES, SOLUTIONS, startCli } from './cliUnderTest.ts';

const SANDBOX = ['--runtime', 'sandbox'];
const DOCKER = ['--runtime', 'docker', ...IMAGES];

describe('repair-bench', function () {
  this.timeout(120_000);
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repair-bench-cli-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A sample task as a folder of its own, with some files written differently; `undefined` deletes. */
  const taskWith = async (id: string, changes: Record<string, string | undefined>): Promise<string> => {
    const copy = join(folder, id);
    await cp(join(SAMPLES, id), copy, { recursive: true });
    for (const [name, text] of Object.entries(changes))
      await (text === undefined ? rm(join(copy, name)) : writeFile(join(copy, name), text));
    return copy;
  };
  const ids = async () => {
    const list = [
      'ps',
      '-a',
      '--filter',
      'label=repair-bench.owner',
      '--format',
      '{{.ID}} {{.Label "repair-bench.owner"}}',
    ];
    return (await promisify(execFile)('docker', list)).stdout.split('\n');
  };

  it('lists, as text and as a document', async () => {
    const text = await runCli(['list', SAMPLES, '--filter', 'MANY']);
    assert.deepEqual(
      [text.code, text.stdout, text.stderr],
      [0, '#8  manybugs-0007\n#9  manybugs-v1-0011\n', '2 with "MANY" of 10 rows.\n'],
    );
    const json = await runCli(['list', SAMPLES, '--limit', '1', '--json']);
    const document = listDocument.strict().parse(JSON.parse(json.stdout));
    assert.deepEqual(
      [document.rows, document.more, json.stderr],
      [[{ index: 0, path: 'bugsinpy-0001' }], true, ''],
    );
  });

  it('lists the runs of a workspace, and what changed from one to the next', async () => {
    const open = ['open', SAMPLES, 'bugsinpy-0001', '--into', 'w', '--json'];
    const { workspace } = openDocument.parse(JSON.parse((await runCli(open, { cwd: folder })).stdout));
    const nothing = await runCli(['history', workspace.folder]);
    assert.deepEqual([nothing.code, nothing.stdout, nothing.stderr], [0, '', '0 runs of bugsinpy-0001.\n']);
    await runCli(['verify', workspace.folder, ...SANDBOX]);
    const file = workspace.files[0]?.hostPath ?? '';
    await writeFile(file, `${await readFile(file, 'utf8')}\n# mine\n`);
    await runCli(['verify', workspace.folder, ...SANDBOX]);

    const json = await runCli(['history', workspace.folder, '--json']);
    const { runs, damaged } = historyDocument.strict().parse(JSON.parse(json.stdout));
    assert.deepEqual(
      runs.map(({ startedBy, reward, changes, solution }) => ({
        startedBy,
        reward,
        changes,
        kept: solution.kept,
      })),
      [
        {
          startedBy: 'person',
          reward: 0,
          changes: [{ path: '/app/solution.py', change: 'changed', added: 2, removed: 0 }],
          kept: true,
        },
        { startedBy: 'person', reward: 0, changes: [], kept: true },
      ],
    );
    assert.deepEqual(damaged, []);
    const text = await runCli(['history', workspace.folder, '--limit', '1']);
    assert.match(
      text.stdout,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}reward 0 · \d\/\d gates · bubblewrap .*\n {4}solution\.py \+2 -0\n/,
    );

    const wrong = await runCli(['history', SAMPLES]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /is not a workspace, so it has no history\.\nNext: Name the folder/);
  });

  it('opens a workspace once, and verifies what is edited in it', async () => {
    const open = ['open', SAMPLES, 'bugsinpy-0001', '--into', 'w', '--json'];
    const first = openDocument.parse(JSON.parse((await runCli(open, { cwd: folder })).stdout));
    const again = openDocument.parse(JSON.parse((await runCli(open, { cwd: folder })).stdout));
    assert.deepEqual([first.workspace.created, again.workspace.created], [true, false]);
    assert.equal(first.workspace.folder, again.workspace.folder);
    const [file] = first.workspace.files;
    assert.ok(file);

    const unchanged = await runCli(['verify', first.workspace.folder, ...SANDBOX]);
    assert.equal(unchanged.code, 1);
    assert.match(unchanged.stdout, /✗ solution\.py was edited +test\.sh:25 {2}◀ decided the reward/);
    await cp(join(SAMPLES, 'bugsinpy-0001/solution/solution.py'), file.hostPath);
    // Any path inside a workspace names it.
    const fixed = await runCli(['verify', file.hostPath, '--json', ...SANDBOX]);
    assert.equal(fixed.code, 0, fixed.stderr);
    const document = verifyDocument.parse(JSON.parse(fixed.stdout));
    assert.equal(document.verdict.outcome === 'scored' && document.verdict.reward, 1);
    assert.equal(document.subject, 'solution');
    const saved = await readFile(document.workspace?.run ?? '', 'utf8');
    const { verdict } = runRecordSchema.parse(JSON.parse(saved));
    assert.deepEqual(verdictDocumentOf(verdict, 'verify'), document.verdict);
    const records = await readdir(join(first.workspace.folder, 'runs'));
    assert.equal(records.filter((name) => name.endsWith('.json')).length, 2, records.join(' '));
  });

  it('exits with 0, 1 or 3 by what the verifier wrote', async () => {
    const wrong = join(SOLUTIONS, 'bugsinpy-v4-0203/import-error/app/solution.py');
    for (const [args, code, says] of [
      [['bugsinpy-0001', '--gold'], 0, /^Reward 1 /m],
      [['bugsinpy-0001', '--starter'], 1, /^Reward 0 /m],
      [
        ['harbor-ledger-cli', '--solution', join(SOLUTIONS, 'harbor-ledger-cli/unclean-fix')],
        1,
        /^Reward 0\.9 /m,
      ],
      [['bugsinpy-v4-0203', '--solution', wrong], 3, /^No reward \(missing\): the verifier is at fault/m],
      [['bugsinpy-0001', '--gold', '--no-trace'], 0, /^Reward 1/m],
    ] as const) {
      const ended = await runCli(['verify', SAMPLES, ...args, ...SANDBOX]);
      assert.equal(ended.code, code, ended.stdout + ended.stderr);
      assert.match(ended.stdout, says);
    }
  });

  it('gives the same reward in Docker', async () => {
    for (const [subject, code] of [
      ['--gold', 0],
      ['--starter', 1],
    ] as const) {
      const ended = await runCli(['verify', SAMPLES, 'bugsinpy-0001', subject, ...DOCKER]);
      assert.equal(ended.code, code, ended.stdout + ended.stderr);
      assert.match(ended.stdout, /^Image +python:3\.10-slim, as repair-bench-test\/base:bookworm$/m);
    }
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`leaves no container when it is cancelled by ${signal}`, async () => {
      const task = await taskWith('bugsinpy-0001', { 'tests/test.sh': '#!/bin/bash\nsleep 600\n' });
      const started = startCli(['verify', task, ...DOCKER]);
      await started.said('running test.sh');
      started.kill(signal);
      const { code, stdout } = await started.ended;
      assert.equal(code, 130);
      assert.match(stdout, /Cancelled: there is no verdict\./);
      assert.ok(!(await ids()).some((line) => line.includes(`/${started.pid}/`)), 'a container is left');
    });

  it('cancels in the sandbox too, and says so in its document', async () => {
    const task = await taskWith('bugsinpy-0001', { 'tests/test.sh': '#!/bin/bash\nsleep 600\n' });
    const started = startCli(['verify', task, ...SANDBOX]);
    await started.said('running test.sh');
    started.kill('SIGINT');
    assert.equal((await started.ended).code, 130);
  });

  it('ends at its time limit', async () => {
    const task = await taskWith('bugsinpy-0001', {
      'tests/test.sh': '#!/bin/bash\nwhile true; do :; done\n',
    });
    const ended = await runCli(['verify', task, '--timeout', '1', ...SANDBOX]);
    assert.equal(ended.code, 3);
    assert.match(ended.stdout, /^No reward \(timed-out\)/m);
  });

  it('keeps a run in the words of every surface, and nothing of what could not run', async () => {
    const history = async (changes: Record<string, string | undefined>, ...options: string[]) => {
      const task = await taskWith('bugsinpy-0001', changes);
      const opened = await runCli(['open', task, '--into', 'w', '--json'], { cwd: folder });
      const { workspace } = openDocument.parse(JSON.parse(opened.stdout));
      const ended = await runCli(['verify', workspace.folder, ...options, '--json', ...SANDBOX]);
      const { verdict, workspace: saved } = verifyDocument.parse(JSON.parse(ended.stdout));
      const names = await readdir(join(workspace.folder, 'runs'));
      return { verdict, run: saved?.run, runs: names.filter((name) => name.endsWith('.json')) };
    };
    const slow = await history(
      { 'tests/test.sh': '#!/bin/bash\nwhile true; do :; done\n' },
      '--timeout',
      '1',
    );
    assert.ok(slow.verdict.outcome === 'unscored' && slow.run);
    assert.match(slow.verdict.nextStep, /raise the limit with --timeout SECONDS/);
    const { verdict } = runRecordSchema.parse(JSON.parse(await readFile(slow.run, 'utf8')));
    assert.ok(verdict.outcome === 'unscored');
    assert.equal(
      remedyText(verdict.remedies),
      'Look for an endless loop in the solution. Or raise the limit (setting timeoutSeconds).',
    );

    const imageless = await history({ 'environment/Dockerfile': undefined });
    assert.deepEqual([imageless.verdict.outcome, imageless.run, imageless.runs], ['engine-error', null, []]);
  });

  it('does not mind a reader that goes away', async () => {
    const list = startCli(['list', SAMPLES]);
    list.closeStdout();
    assert.deepEqual([(await list.ended).code, (await list.ended).stderr], [0, '10 rows.\n']);
    const verify = startCli(['verify', SAMPLES, 'bugsinpy-0001', '--starter', ...SANDBOX]);
    verify.closeStdout();
    const { code, stderr } = await verify.ended;
    assert.deepEqual([code, stderr.includes('EPIPE')], [1, false]);
  });

  describe('with bad input', () => {
    /** What it says, with exit code 2, as text and as a document. */
    const refusal = async (...args: string[]): Promise<string> => {
      const text = await runCli(args);
      const json = await runCli([...args, '--json']);
      const { error } = errorDocument.parse(JSON.parse(json.stdout));
      assert.deepEqual([text.code, json.code, error.exitCode, text.stdout, json.stderr], [2, 2, 2, '', '']);
      assert.doesNotMatch(text.stderr, / at .*:\d+:\d+|^\s+at /m, 'a stack trace');
      const said = text.stderr.replace(/\s+/g, ' ').trim();
      assert.equal(said, `Error: ${error.message} Next: ${error.nextStep}`.replace(/\s+/g, ' ').trim());
      return said.replaceAll(folder, 'HERE');
    };

    it('names what it cannot read, and the next step', async () => {
      const at = (name: string) => join(folder, name);
      await writeFile(at('text.parquet'), 'not a parquet file at all');
      await writeFile(at('cut.parquet'), 'PAR1 and then nothing more');
      await writeFile(at('empty.parquet'), '');
      await writeFile(at('bad.tar.gz'), Buffer.from('1f8b0800000000000003ffff', 'hex'));
      for (const name of ['text.parquet', 'cut.parquet', 'empty.parquet', 'bad.tar.gz', 'missing.parquet']) {
        const said = await refusal('list', at(name));
        assert.match(said, new RegExp(`^Error: .*${name.replace('.', '\\.')}.* Next: .+\\.$`), said);
      }
      assert.match(
        await refusal('verify', SAMPLES, 'bugsinpy-9999'),
        /^Error: \S+ has no row bugsinpy-9999\. Next: Did you mean /,
      );
      assert.match(
        await refusal('verify', SAMPLES),
        /^Error: \S+ has 10 rows\. Next: Name one by its path or '#INDEX'/,
      );
      assert.match(
        await refusal('verify', SAMPLES, 'bugsinpy-0112', '--gold'),
        /^Error: bugsinpy-0112 ships no gold\. Next: /,
      );
      assert.match(
        await refusal('verify', SAMPLES, 'bugsinpy-0001', '--solution', at('none.py')),
        /^Error: There is no HERE\/none\.py\. Next: /,
      );
      assert.match(
        await refusal('verify', SAMPLES, 'harbor-ledger-cli', '--solution', at('text.parquet')),
        /^Error: harbor-ledger-cli has \d+ files, and it is not clear which of them \S+ replaces\. Next: Give a folder laid out as in the container, such as DIR\/app\//,
      );
      assert.equal(
        await refusal('lst', SAMPLES),
        'Error: There is no command "lst". Next: Did you mean "repair-bench list"?',
      );
    });

    it('refuses a workspace that was edited, or links out of itself', async () => {
      await runCli(['open', SAMPLES, 'bugsinpy-0001', '--into', folder]);
      const [name = ''] = await readdir(folder);
      const solution = join(folder, name, 'work/app/solution.py');
      await rm(solution);
      await symlink('/etc/passwd', solution);
      assert.match(
        await refusal('verify', join(folder, name)),
        /solution\.py is a symbolic link; a plain file belongs there\. Next: Put a copy/,
      );
      await writeFile(join(folder, name, 'task.tar.gz'), 'x');
      assert.match(
        await refusal('verify', join(folder, name)),
        /task\.tar\.gz cannot be used\. .* Next: Open the task again/,
      );
      assert.match(
        await refusal('open', SAMPLES, 'bugsinpy-0001', '--into', folder),
        /Next: Move HERE\/\S+ away, then open the task again\.$/,
      );
    });

    it('leaves nothing behind where it may not write', async function () {
      if (process.getuid?.() !== 0) this.skip();
      const closed = join(folder, 'closed');
      await mkdir(closed, { mode: 0o555 });
      await chmod(folder, 0o755);
      const args = ['open', join(process.cwd(), 'test/fixtures/tasks'), 'bugsinpy-0001', '--into', closed];
      const ended = await runCli(args, { uid: 65534, cwd: '/' });
      assert.equal(ended.code, 2, ended.stderr);
      assert.match(
        ended.stderr.replace(/\s+/g, ' '),
        /cannot be written: permission denied\. Next: Choose a folder that you may write to\./,
      );
      assert.deepEqual(await readdir(closed), []);
    });

    it('leaves nothing behind on a full disk', async function () {
      const disk = join(folder, 'disk');
      await mkdir(disk);
      const mounted = await promisify(execFile)('mount', [
        '-t',
        'tmpfs',
        '-o',
        'size=8k',
        'none',
        disk,
      ]).catch(() => undefined);
      if (!mounted) this.skip();
      try {
        const ended = await runCli(['open', SAMPLES, 'bugsinpy-0001', '--into', disk]);
        assert.equal(ended.code, 2, ended.stderr);
        assert.match(
          ended.stderr.replace(/\s+/g, ' '),
          /^Error: There is no space left to write .* Next: Free some space/,
        );
        assert.deepEqual(await readdir(disk), []);
      } finally {
        await promisify(execFile)('umount', [disk]);
      }
    });

    it('separates a broken task from a broken machine', async () => {
      const cases = [
        [{ 'tests/test.sh': undefined }, 3, /Runtime none .*No reward \(no-verifier\).*tests\/test\.sh/],
        [{ 'environment/Dockerfile': undefined }, 4, /Could not run \(no-image\).*environment\/Dockerfile/],
        [
          { 'tests/test.sh': '#!/bin/bash\necho nan > /logs/verifier/reward.txt\n' },
          3,
          /No reward \(not-finite\)/,
        ],
        [{ 'tests/test.sh': '#!/bin/bash\n: > /logs/verifier/reward.txt\n' }, 3, /No reward \(empty\)/],
        [
          { 'tests/test.sh': '#!/bin/bash\necho \'{"a": {"b": 1}}\' > /logs/verifier/reward.json\n' },
          3,
          /No reward \(unparsable\)/,
        ],
        [{ 'task.toml': '[verifier\n' }, 1, /! task\.toml:1: /],
        [{ 'instruction.md': undefined }, 1, /! instruction\.md: The task has no instruction\.md/],
      ] as const;
      for (const [changes, code, says] of cases) {
        const task = await taskWith('bugsinpy-0001', changes);
        const { stdout, stderr, code: exit } = await runCli(['verify', task, ...SANDBOX]);
        const said = stdout.replace(/\s+/g, ' ');
        assert.deepEqual([exit, says.test(said)], [code, true], `${said} ${stderr}`);
        await rm(task, { recursive: true });
      }
    });

    it('says what is wrong with an image, at its line of the Dockerfile', async () => {
      const missing = await runCli([
        'verify',
        SAMPLES,
        'bugsinpy-0001',
        '--runtime',
        'docker',
        '--image-map',
        'python:3.10-slim=localhost:1/no/such:image',
      ]);
      assert.equal(missing.code, 4, missing.stdout);
      assert.match(
        missing.stdout,
        /^Could not run \(image-missing\): neither solution nor verifier is at fault[^]*Dockerfile:1[^]*--image-map A=B/m,
      );
      const broken = await taskWith('bugsinpy-0001', {
        'environment/Dockerfile': 'FROM python:3.10-slim\nCOPY solution.py /app/solution.py\nRUN exit 7\n',
      });
      const failed = await runCli(['verify', broken, ...DOCKER]);
      assert.equal(failed.code, 4, failed.stdout);
      assert.match(failed.stdout, /^Could not run \(build-failed\)[^]*Dockerfile:3/m);
    });

    it('says what to start when there is no engine', async () => {
      const ended = await runCli(['verify', SAMPLES, 'bugsinpy-0001', '--runtime', 'docker'], {
        env: { DOCKER_HOST: 'unix:///nowhere.sock' },
      });
      assert.equal(ended.code, 4);
      assert.match(
        ended.stdout.replace(/\s+/g, ' '),
        /Could not run \(no-engine\).*No Docker engine answers\. Tried: \/nowhere\.sock\. .*Next: Start Docker or Podman/,
      );
    });
  });

  it('says truly what is in a workspace that was there already', async () => {
    const open = ['open', SAMPLES, 'bugsinpy-0001', '--into', 'w'];
    assert.doesNotMatch((await runCli(open, { cwd: folder })).stdout, /already/);
    assert.match((await runCli(open, { cwd: folder })).stdout, /it was there already, as shipped/);
    const [name = ''] = await readdir(join(folder, 'w'));
    await writeFile(join(folder, 'w', name, 'work/app/solution.py'), 'x = 1\n');
    assert.match((await runCli(open, { cwd: folder })).stdout, /it was there already, with your edits/);
  });

  it('fails when its output cannot be written', async () => {
    const script = `"${process.execPath}" dist/cli.cjs list "${SAMPLES}" > /dev/full`;
    const failed = await promisify(execFile)('sh', ['-c', script], { cwd: join(SAMPLES, '../../..') }).then(
      () => assert.fail('it said that all is well'),
      (error: { code: number; stderr: string }) => error,
    );
    assert.equal(failed.code, 4);
    assert.match(failed.stderr, /The output could not be written: ENOSPC/);
  });

  it('offers the sandbox where the engine cannot get an image', async () => {
    const nowhere = ['--image-map', 'python:3.10-slim=localhost:1/not/there:1'];
    const ended = await runCli(['verify', SAMPLES, 'bugsinpy-0001', '--runtime', 'docker', ...nowhere]);
    assert.equal(ended.code, 4, ended.stdout + ended.stderr);
    assert.match(ended.stdout.replace(/\s+/g, ' '), /Or run it in the sandbox with --runtime sandbox\./);
  });

  it('warns of a mapping that has no effect', async () => {
    const ended = await runCli([
      ...['verify', SAMPLES, 'bugsinpy-0001', '--starter', ...SANDBOX],
      ...['--image-map', 'pyhton:3.10-slim=x'],
    ]);
    assert.match(
      ended.stderr.replace(/\s+/g, ' '),
      /--image-map pyhton:3\.10-slim=… has no effect: the task asks for python:3\.10-slim\./,
    );
  });

  it('tells a Dockerfile without FROM from none, and names the command of a usage error', async () => {
    const task = await taskWith('bugsinpy-0001', { 'environment/Dockerfile': 'RUN true\n' });
    const ended = await runCli(['verify', task, ...SANDBOX]);
    assert.equal(ended.code, 4);
    assert.match(
      ended.stdout.replace(/\s+/g, ' '),
      /No image can be built for bugsinpy-0001: .*before any FROM/,
    );
    const usage = await runCli(['verify', '--nope', '--json']);
    assert.equal(errorDocument.parse(JSON.parse(usage.stdout)).command, 'verify');
  });
});
