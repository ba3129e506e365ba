// The sandbox and its host: what it needs, what it says when that is missing, what it cleans up.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Evidence } from '../../src/runtime/evidence.ts';
import type { RuntimeFailure } from '../../src/runtime/runtime.ts';
import { remedyText } from '../host/remedyText.ts';
import { processesWith, textOf, uniqueSeconds } from './runtimeContract.ts';
import { sandboxUnderTest, type SandboxUnderTest } from './sandboxUnderTest.ts';
import { SECOND, testPlan, textFile, type TestPlan } from './testPlan.ts';

const OUTPUT = '/logs/verifier/test-stdout.txt';
const IS_ROOT = process.getuid?.() === 0;

describe('sandbox runtime: host', function () {
  this.timeout(60 * SECOND);
  const open: SandboxUnderTest[] = [];
  const folders: string[] = [];
  const make = async (...options: Parameters<typeof sandboxUnderTest>): Promise<SandboxUnderTest> => {
    const under = await sandboxUnderTest(...options);
    open.push(under);
    return under;
  };
  const makeFolder = (mode: number): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sandbox-host-'));
    chmodSync(folder, mode);
    folders.push(folder);
    return folder;
  };
  afterEach(async () => {
    for (const under of open.splice(0)) await under.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  const run = async (under: SandboxUnderTest, wish: TestPlan): Promise<Evidence> => {
    const result = await under.runtime.run(testPlan(wish), {}, new AbortController().signal);
    assert.equal(result.kind, 'ended', JSON.stringify(result));
    return result.evidence;
  };
  const failureOf = async (under: SandboxUnderTest): Promise<RuntimeFailure> => {
    const probe = await under.runtime.probe();
    assert.ok(!probe.available);
    return probe.failure;
  };

  it('holds a run to the processors of its plan, and says where there are fewer', async () => {
    const under = await make();
    const evidence = await run(under, { script: 'nproc', limits: { cpus: 1 } });
    assert.equal(textOf(evidence, OUTPUT), '1\n');
    assert.ok(!evidence.notes.some(({ code }) => code === 'limit-not-enforced'));
    const greedy = await run(under, { script: 'nproc', limits: { cpus: 4096 } });
    assert.ok(greedy.notes.some(({ code }) => code === 'fewer-cpus'));
  });

  it('says how to get bubblewrap', async () => {
    const failure = await failureOf(await make({ bwrapPath: '/nowhere/bwrap' }));
    assert.equal(failure.reason, 'no-sandbox');
    assert.match(remedyText(failure.remedies), /apt-get install bubblewrap/);
  });

  it("gives bubblewrap's own words when it refuses", async () => {
    const folder = makeFolder(0o755);
    const bwrap = path.join(folder, 'bwrap');
    writeFileSync(bwrap, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const under = await make({ bwrapPath: bwrap });
    const failure = await failureOf(under);
    assert.equal(failure.detail, 'bwrap: No permissions to create new namespace');
    const result = await under.runtime.run(testPlan({}), {}, new AbortController().signal);
    assert.ok(result.kind === 'failed' && result.failure.reason === 'no-sandbox', JSON.stringify(result));
    assert.deepEqual(under.leftovers(), []);
  });

  it('says when the user of a run cannot enter the temporary folder', async function () {
    if (!IS_ROOT) this.skip();
    const closed = makeFolder(0o700);
    const failure = await failureOf(await make({ tmpRoot: closed }));
    assert.ok(failure.message.includes(closed), failure.message);
  });

  it('says when the disk is full', async function () {
    const folder = makeFolder(0o755);
    if (!IS_ROOT || !mountTmpfs(folder, 'size=256k,mode=755')) this.skip();
    try {
      const under = await make({ tmpRoot: folder });
      const plan = testPlan({ files: [textFile('/app/big', 'x'.repeat(512 * 1024))] });
      const result = await under.runtime.run(plan, {}, new AbortController().signal);
      assert.ok(result.kind === 'failed' && result.failure.reason === 'disk-full', JSON.stringify(result));
      assert.deepEqual(readdirSync(folder), []);
    } finally {
      spawnSync('umount', [folder]);
    }
  });

  it('finds out that nothing may be executed in the temporary folder', async function () {
    const folder = makeFolder(0o755);
    if (!IS_ROOT || !mountTmpfs(folder, 'noexec,mode=755')) this.skip();
    try {
      const failure = await failureOf(await make({ tmpRoot: folder }));
      assert.match(remedyText(failure.remedies), /noexec/);
    } finally {
      spawnSync('umount', [folder]);
    }
  });

  it('uses the virtual environment that it is given, also through the names that images have', async function () {
    const folder = path.join(makeFolder(0o755), 'venv');
    const made = spawnSync('/usr/bin/python3', [
      '-m',
      'venv',
      '--without-pip',
      '--system-site-packages',
      folder,
    ]);
    if (made.status !== 0) this.skip();
    const under = await make({ pythonPath: path.join(folder, 'bin/python3') });
    const evidence = await run(under, {
      script: [
        'for p in python python3 /usr/local/bin/python; do $p -c "import sys; print(sys.prefix)"; done',
        `touch ${folder}/x 2>/dev/null && echo wrote; pytest --version`,
      ].join('\n'),
    });
    assert.match(textOf(evidence, OUTPUT), new RegExp(`^(${folder}\n){3}pytest \\d`));
  });

  it('says which interpreter stood in for the image’s, and which lines were not executed', async () => {
    const evidence = await run(await make(), { dockerfile: ['RUN pip install numpy'] });
    assert.deepEqual(
      evidence.notes.map(({ code }) => code),
      ['sandbox-run-lines-skipped', 'sandbox-interpreter'],
    );
    assert.match(evidence.notes[0]?.message ?? '', /line 4 \(RUN pip install numpy\)/);
    assert.match(evidence.notes[1]?.message ?? '', /python:3\.10-slim; .* Python 3\.\d+\.\d+, with pytest/);
  });

  it('notes a file that cannot be put into the host’s system', async () => {
    const evidence = await run(await make(), {
      files: [
        textFile('/usr/bin/tool', 'x', 0o755),
        textFile('/usr/local/bin/tool', '#!/bin/sh\necho tool\n', 0o755),
      ],
      script: 'tool',
    });
    assert.equal(textOf(evidence, OUTPUT), 'tool\n');
    assert.deepEqual(
      evidence.notes.filter(({ code }) => code === 'sandbox-file-skipped').map(({ message }) => message),
      ["/usr/bin/tool was not put in place: /usr/bin is the host's own and read-only."],
    );
  });

  it('gives equal images equal ids', async () => {
    const { runtime } = await make();
    const id = async (wish: TestPlan): Promise<string> => {
      const prepared = await runtime.prepare(testPlan(wish).image, {}, new AbortController().signal);
      assert.equal(prepared.kind, 'prepared');
      return prepared.image.id;
    };
    assert.equal(await id({}), await id({ script: 'other' }));
    assert.notEqual(await id({}), await id({ imageFiles: [] }));
    assert.match(await id({}), /^sha256:[0-9a-f]{64}$/);
  });

  it('passes on what the step prints, line by line, while it runs', async () => {
    const { runtime } = await make();
    const giveUp = new AbortController();
    const lines: string[] = [];
    const result = await runtime.run(
      testPlan({ command: ['bash', '-c', 'echo one; echo two >&2; sleep 60'] }),
      { log: (line) => lines.push(line) === 2 && giveUp.abort() },
      giveUp.signal,
    );
    assert.equal(result.kind, 'cancelled');
    assert.deepEqual(lines.sort(), ['one', 'two']);
  });

  it('stops its runs when it is disposed', async () => {
    const under = await make();
    const seconds = uniqueSeconds();
    let running: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      running = under.runtime.run(
        testPlan({ command: ['bash', '-c', `echo started; sleep ${seconds}`] }),
        { log: () => resolve() },
        new AbortController().signal,
      );
    });
    await under.runtime.dispose();
    assert.deepEqual(under.leftovers(), []);
    assert.deepEqual(processesWith(seconds), []);
    assert.deepEqual(await running, { kind: 'cancelled' });
  });

  it('dies with its owner, and the next owner removes what is left', async () => {
    const { runtime, tmpRoot, leftovers } = await make();
    const seconds = uniqueSeconds();
    const program = fileURLToPath(new URL('sandboxOwner.ts', import.meta.url));
    const owner = spawn(process.execPath, ['--import=tsx', program, tmpRoot, seconds], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    mkdirSync(path.join(tmpRoot, 'of-somebody-else'));
    assert.equal(leftovers().length, 2);
    owner.kill('SIGKILL');
    await once(owner, 'close');
    while (processesWith(seconds).length > 0) await delay(10);
    assert.ok((await runtime.probe()).available);
    assert.deepEqual(leftovers(), ['of-somebody-else']);
  });

  it('leaves the folders of living owners alone', async () => {
    const first = await make();
    const second = await make({ tmpRoot: first.tmpRoot });
    const evidence = await Promise.all([
      run(first, { script: 'sleep 0.5; echo first' }),
      delay(200).then(() => run(second, { script: 'echo second' })),
    ]);
    assert.deepEqual(
      evidence.map((one) => textOf(one, OUTPUT)),
      ['first\n', 'second\n'],
    );
  });
});

function mountTmpfs(folder: string, options: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
}
