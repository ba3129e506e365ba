// What every runtime promises: one suite, run against each implementation.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { evidenceSchema, type CollectedFile, type Evidence } from '../../src/runtime/evidence.ts';
import type { RunPlan } from '../../src/runtime/plan.ts';
import type { Phase, Runtime } from '../../src/runtime/runtime.ts';
import { SECOND, testPlan, textFile } from './testPlan.ts';
import { afterRemovals } from './until.ts';

/** An implementation and what its tests need to know of it. */
export interface RuntimeUnderTest {
  readonly runtime: Runtime;
  /** Names of what a run has left on this machine: containers, temporary folders. */
  readonly leftovers: () => Promise<string[]>;
  /** Whether a step's user is honoured, so that files can belong to several users. */
  readonly hasUsers: boolean;
  /** Whether a process over its memory limit is killed by the kernel. */
  readonly killsOutOfMemory: boolean;
  readonly close: () => Promise<void>;
}

const MIB = 1024 * 1024;

/** Describes the contract for one implementation; `make` is called once, before its first test. */
export function describeRuntimeContract(name: string, make: () => Promise<RuntimeUnderTest>): void {
  describe(`runtime contract: ${name}`, function () {
    this.timeout(180 * SECOND);
    let under: RuntimeUnderTest;
    before(async function () {
      under = await make();
    });
    afterEach('leaves nothing behind', async () => {
      assert.deepEqual(await afterRemovals(under.leftovers), []);
    });
    after(async () => {
      await under.runtime.dispose();
      await under.close();
    });

    const run = async (plan: RunPlan): Promise<Evidence> => {
      const result = await under.runtime.run(plan, {}, new AbortController().signal);
      assert.equal(result.kind, 'ended', JSON.stringify(result));
      return evidenceSchema.parse(result.evidence);
    };

    it('says that it is available, and what it is', async () => {
      const probe = await under.runtime.probe();
      assert.ok(probe.available, JSON.stringify(probe));
      assert.match(probe.name, /\S+ \d/);
      assert.match(probe.platform, /^linux\//);
    });

    it('gives the exit code, the outer output and what was written to the collected folder', async () => {
      const evidence = await run(
        testPlan({
          command: ['bash', '-c', 'echo outer; echo err >&2; echo 0.5 > /logs/verifier/reward.txt; exit 3'],
        }),
      );
      assert.deepEqual(evidence.verifier.end, { how: 'exited', code: 3 });
      assert.match(evidence.verifier.output, /outer/);
      assert.match(evidence.verifier.output, /err/);
      assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '0.5\n');
      assert.equal(evidence.collectionCut, false);
      for (const phase of ['create', 'verify', 'collect', 'remove'] as const) {
        assert.ok((evidence.clocks[phase] ?? -1) >= 0, phase);
      }
    });

    it('runs the script unmodified, honouring its first line', async () => {
      const script = textFile(
        '/tests/test.sh',
        '#!/usr/bin/python3\nimport sys\nprint(sys.argv[0])\n',
        0o755,
      );
      const evidence = await run(testPlan({ files: [script] }));
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), '/tests/test.sh\n');
    });

    it('says by which signal a step was killed', async () => {
      const evidence = await run(testPlan({ command: ['bash', '-c', 'kill -9 $$; sleep 5'] }));
      assert.deepEqual(evidence.verifier.end, { how: 'killed', signal: 'SIGKILL', outOfMemory: false });
    });

    it('says when memory ran out', async function () {
      if (!under.killsOutOfMemory) this.skip();
      const evidence = await run(
        testPlan({ command: ['python3', '-c', 'x = bytearray(10**9)'], limits: { memoryMb: 64 } }),
      );
      assert.deepEqual(evidence.verifier.end, { how: 'killed', signal: 'SIGKILL', outOfMemory: true });
    });

    it('stops a step at its time limit and still collects what is there', async () => {
      const since = performance.now();
      const evidence = await run(
        testPlan({
          script: 'echo started; echo partial > /logs/verifier/trace; sleep 120',
          verifier: { timeoutMs: 1500 },
        }),
      );
      assert.deepEqual(evidence.verifier.end, { how: 'timed-out', afterMs: 1500 });
      assert.equal(textOf(evidence, '/logs/verifier/trace'), 'partial\n');
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'started\n');
      assert.ok(performance.now() - since < 60 * SECOND);
    });

    it('says that a program that does not exist cannot be started', async () => {
      const evidence = await run(testPlan({ command: ['no-such-shell', '-c', 'true'] }));
      assert.equal(evidence.verifier.end.how, 'cannot-start', JSON.stringify(evidence.verifier));
      assert.match(JSON.stringify(evidence.verifier.end), /no-such-shell/);
    });

    it('sets environment and working directory, and passes argv as it is', async () => {
      const evidence = await run(
        testPlan({
          command: [
            'bash',
            '-c',
            'printf "%s|" "$NAME" "$PWD" "$@" > /logs/verifier/out',
            '$0',
            'a b',
            '$(id)',
            '',
            "'",
          ],
          verifier: { env: { NAME: 'x\ny "$HOME" \u00e9' }, workdir: '/usr/lib' },
        }),
      );
      assert.equal(textOf(evidence, '/logs/verifier/out'), 'x\ny "$HOME" \u00e9|/usr/lib|a b|$(id)||\'|');
    });

    it("starts in the image's working directory unless told", async () => {
      const evidence = await run(testPlan({ script: 'pwd' }));
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), '/app\n');
    });

    it('runs as the given user, who can write to the emptied folders', async function () {
      if (!under.hasUsers) this.skip();
      const evidence = await run(
        testPlan({ script: 'id -un; echo 1 > /logs/verifier/reward.txt', verifier: { user: 'nobody' } }),
      );
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'nobody\n');
      assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
    });

    it('says that an unknown user cannot be started as', async function () {
      if (!under.hasUsers) this.skip();
      const evidence = await run(testPlan({ verifier: { user: 'no-such-user' } }));
      assert.equal(evidence.verifier.end.how, 'cannot-start', JSON.stringify(evidence.verifier));
      assert.match(JSON.stringify(evidence.verifier.end), /no-such-user/);
    });

    it('replaces a file with the mode of what it replaces, and gives new files their own', async () => {
      const evidence = await run(
        testPlan({
          imageFiles: [{ path: '/app/solution.py', text: 'old\n', mode: 0o755 }],
          files: [
            textFile('/app/solution.py', 'new\n', 0o600, 'keep'),
            textFile('/app/deep/er/added.py', 'added\n', 0o640, 'keep'),
          ],
          script: 'stat -c "%a %n" /app/solution.py /app/deep/er/added.py; cat /app/solution.py',
        }),
      );
      assert.equal(
        textOf(evidence, '/logs/verifier/test-stdout.txt'),
        '755 /app/solution.py\n640 /app/deep/er/added.py\nnew\n',
      );
    });

    it('starts every run from the image, whatever the last one did', async () => {
      const plan = testPlan({ script: 'cat /app/solution.py; echo changed > /app/solution.py; ls /tests' });
      const first = await run(plan);
      assert.deepEqual(first.collected, (await run(plan)).collected);
      assert.equal(textOf(first, '/logs/verifier/test-stdout.txt'), 'answer = 41\ntest.sh\n');
    });

    it('empties folders that the image has content in, and says so', async () => {
      const plan = testPlan({
        imageFiles: [
          { path: '/app/solution.py', text: '' },
          { path: '/tests/planted.py', text: 'planted' },
          { path: '/logs/verifier/reward.json', text: '{"reward": 1}' },
        ],
        script: 'ls -A /tests /logs/verifier',
      });
      for (const evidence of [await run(plan), await run(plan)]) {
        assert.equal(
          textOf(evidence, '/logs/verifier/test-stdout.txt'),
          '/logs/verifier:\ntest-stdout.txt\n\n/tests:\ntest.sh\n',
        );
        assert.ok(evidence.notes.some(({ code }) => code === 'tests-dir-emptied'));
      }
    });

    it('removes files before anything else happens', async () => {
      const evidence = await run(
        testPlan({
          removed: ['/app/solution.py', '/app/never/was.py'],
          script: 'ls -A /app; echo "status $?"',
        }),
      );
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'status 0\n');
    });

    it('runs an oracle first, in the same container', async () => {
      const evidence = await run(
        testPlan({
          oracle: { script: 'echo "answer = 42" > solution.py; echo "$0 $WHO"', env: { WHO: 'oracle' } },
          script: 'cat /app/solution.py; ls /solution',
          collected: ['/logs/verifier', '/logs/agent'],
        }),
      );
      assert.deepEqual(evidence.oracle?.end, { how: 'exited', code: 0 });
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'answer = 42\nsolve.sh\n');
      assert.equal(textOf(evidence, '/logs/agent/oracle.txt'), '/solution/solve.sh oracle\n');
    });

    it('goes on to the verifier when the oracle fails', async () => {
      const evidence = await run(testPlan({ oracle: { script: 'exit 7' }, script: 'echo verified' }));
      assert.deepEqual(evidence.oracle?.end, { how: 'exited', code: 7 });
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'verified\n');
    });

    it('ends an oracle at its time limit with all it started, keeps its files, and goes on', async () => {
      const seconds = uniqueSeconds();
      const evidence = await run(
        testPlan({
          oracle: { script: `echo half > half.txt; sleep ${seconds} & sleep ${seconds}`, timeoutMs: 1500 },
          script: `cat half.txt; cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -c "sleep ${seconds}"`,
        }),
      );
      assert.deepEqual(evidence.oracle?.end, { how: 'timed-out', afterMs: 1500 });
      assert.match(textOf(evidence, '/logs/verifier/test-stdout.txt'), /^half\n[01]\n$/);
      assert.deepEqual(processesWith(seconds), []);
    });

    it('does not let an oracle plant tests or rewards', async () => {
      const evidence = await run(
        testPlan({
          oracle: {
            script:
              'mkdir -p /tests /logs/verifier; touch /tests/planted.py; echo 1 > /logs/verifier/reward.json',
          },
          script: 'ls -A /tests /logs/verifier',
        }),
      );
      assert.equal(
        textOf(evidence, '/logs/verifier/test-stdout.txt'),
        '/logs/verifier:\ntest-stdout.txt\n\n/tests:\ntest.sh\n',
      );
    });

    it('has no network but loopback unless the plan asks for one', async () => {
      const evidence = await run(testPlan({ script: 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "' }));
      const interfaces = textOf(evidence, '/logs/verifier/test-stdout.txt').trim().split('\n');
      // Tunnel devices without an address appear in every network namespace of some kernels.
      assert.deepEqual(
        interfaces.filter((name) => !/^(tunl|sit|gre|gretap|erspan|ip_vti|ip6)/.test(name)),
        ['lo'],
      );
    });

    it('keeps the first and last part of a large file, in bounded memory', async () => {
      const before = process.memoryUsage().rss;
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
      const evidence = await run(
        testPlan({ script: 'echo first; head -c 1G /dev/zero | tr "\\0" x; echo; echo last' }),
      );
      clearInterval(watch);
      const file = fileOf(evidence, '/logs/verifier/test-stdout.txt');
      assert.equal(file.size, 1024 * MIB + 12);
      assert.ok(file.omitted > 1000 * MIB);
      assert.ok(textIn(file.content).startsWith('first\nxxx'));
      assert.ok(textIn(file.tail).endsWith('xxx\nlast\n'));
      assert.ok(most - before < 200 * MIB, `grew by ${Math.round((most - before) / MIB)} MiB`);
    });

    it('bounds what the outer shell prints', async () => {
      const evidence = await run(
        testPlan({ command: ['bash', '-c', 'head -c 200M /dev/zero | tr "\\0" x; echo END'] }),
      );
      assert.ok(evidence.verifier.output.length < MIB);
      assert.ok(evidence.verifier.output.endsWith('END\n'));
    });

    it('holds a step to the largest file size', async () => {
      const evidence = await run(
        testPlan({
          script: 'head -c 20M /dev/zero > /logs/verifier/big; stat -c %s /logs/verifier/big',
          limits: { fileSizeMb: 5 },
        }),
      );
      assert.equal(fileOf(evidence, '/logs/verifier/big').size, 5 * MIB);
    });

    it('outlives a fork bomb, which ends with the run', async () => {
      const seconds = uniqueSeconds();
      const evidence = await run(
        testPlan({
          script: `bomb() { sleep ${seconds} & bomb | bomb & }; bomb; sleep ${seconds}`,
          verifier: { timeoutMs: 4000 },
          limits: { pids: 48 },
        }),
      );
      assert.ok(['timed-out', 'exited', 'killed'].includes(evidence.verifier.end.how));
      assert.deepEqual(processesWith(seconds), []);
    });

    for (const way of ['alone', 'after an oracle'] as const) {
      it(`does not wait for a child that keeps the output open (${way})`, async () => {
        const seconds = uniqueSeconds();
        const since = performance.now();
        const evidence = await run(
          testPlan({
            command: ['bash', '-c', `sleep ${seconds} & setsid sleep ${seconds} & echo done`],
            ...(way === 'after an oracle' && { oracle: { script: 'true' } }),
          }),
        );
        assert.deepEqual(evidence.verifier.end, { how: 'exited', code: 0 });
        assert.equal(evidence.verifier.output, 'done\n');
        assert.ok(performance.now() - since < 30 * SECOND);
        assert.deepEqual(processesWith(seconds), []);
      });
    }

    for (const phase of ['resolve', 'create', 'upload', 'oracle', 'verify', 'collect', 'remove'] as const) {
      it(`when cancelled in the phase "${phase}", has cleaned up before it answers`, async () => {
        const seconds = uniqueSeconds();
        const plan = testPlan({
          ...(phase === 'oracle' && { oracle: { script: `sleep ${seconds}` } }),
          script: `head -c 50M /dev/zero > /logs/verifier/big${phase === 'verify' ? `; sleep ${seconds}` : ''}`,
        });
        const giveUp = new AbortController();
        const result = await under.runtime.run(
          plan,
          { phase: (entered: Phase) => entered === phase && giveUp.abort() },
          giveUp.signal,
        );
        // When all was done but the removal, there is nothing left to cancel.
        if (phase !== 'remove') assert.equal(result.kind, 'cancelled', JSON.stringify(result));
        assert.deepEqual(await under.leftovers(), []);
        assert.deepEqual(processesWith(seconds), []);
      });
    }

    it('does nothing when cancelled before it begins', async () => {
      const result = await under.runtime.run(testPlan({}), {}, AbortSignal.abort());
      assert.equal(result.kind, 'cancelled');
    });

    it('keeps bytes that are not text', async () => {
      const evidence = await run(testPlan({ script: 'printf "\\xff\\x00\\xfe" > /logs/verifier/binary' }));
      assert.deepEqual(fileOf(evidence, '/logs/verifier/binary').content, { base64: '/wD+' });
    });

    it('says when there were more files than it may bring back', async () => {
      const evidence = await run(
        testPlan({
          script:
            'for i in $(seq 300); do echo $i > /logs/verifier/$i.txt; done; echo 1 > /logs/verifier/reward.txt',
          collected: ['/logs/verifier', '/logs/verifier/reward.txt'],
        }),
      );
      assert.equal(evidence.collectionCut, true);
      assert.ok(evidence.collected.length <= 201);
      assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
    });

    it('says when there were more bytes than it may bring back, and brings back the files it was told of', async () => {
      const evidence = await run(
        testPlan({
          script:
            'for i in $(seq 20); do head -c 300K /dev/zero | tr "\\0" x > /logs/verifier/$i; done; echo 1 > /logs/verifier/reward.txt',
          collected: ['/logs/verifier', '/logs/verifier/reward.txt'],
          limits: { collectedTotalBytes: MIB },
        }),
      );
      assert.equal(evidence.collectionCut, true);
      assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
      assert.ok(JSON.stringify(evidence.collected).length < 1.5 * MIB);
    });

    it('collects files and folders that nobody may read', async () => {
      const evidence = await run(
        testPlan({
          script:
            'mkdir /logs/verifier/d; echo 1 > /logs/verifier/d/f; chmod 000 /logs/verifier/d/f /logs/verifier/d /logs/verifier',
        }),
      );
      assert.equal(textOf(evidence, '/logs/verifier/d/f'), '1\n');
    });

    it('collects odd file names', async () => {
      const names = ['-rf', 'a b', '$(id)', "it's", 'new\nline', 'é', '*', 'x'.repeat(200), '..hidden'];
      const script = names
        .map((name) => `echo x > "$(printf ${octal(`/logs/verifier/${name}`)})"`)
        .join('\n');
      const evidence = await run(testPlan({ script }));
      const paths = evidence.collected.map(({ path }) => path.replace('/logs/verifier/', ''));
      assert.deepEqual(paths.sort(), [...names, 'test-stdout.txt'].sort());
    });

    it('never follows a link, to the host or elsewhere', async () => {
      const evidence = await run(
        testPlan({
          script: [
            'ln -s /etc/passwd /logs/verifier/reward.txt',
            'ln -s /etc /logs/verifier/folder',
            'ln -s ../../../../../../../../etc/hostname /logs/verifier/up',
            'ln -s loop /logs/verifier/loop',
          ].join('\n'),
          collected: ['/logs/verifier', '/logs/verifier/reward.txt'],
        }),
      );
      assert.deepEqual(
        evidence.collected.map(({ path }) => path),
        ['/logs/verifier/test-stdout.txt'],
      );
      assert.ok(evidence.notes.some(({ message }) => message.includes('/logs/verifier/reward.txt')));
    });

    it('never follows a folder that was replaced by a link', async () => {
      const evidence = await run(
        testPlan({ command: ['bash', '-c', 'rm -rf /logs/verifier; ln -s /etc /logs/verifier'] }),
      );
      assert.deepEqual(evidence.collected, []);
    });

    it('does not stumble over pipes, sockets and empty files', async () => {
      const evidence = await run(
        testPlan({
          script: [
            'mkfifo /logs/verifier/pipe',
            `python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("/logs/verifier/socket")'`,
            ': > /logs/verifier/empty',
            'echo 1 > /logs/verifier/reward.txt',
            'ln /logs/verifier/reward.txt /logs/verifier/second.txt',
          ].join('\n'),
        }),
      );
      assert.equal(textOf(evidence, '/logs/verifier/empty'), '');
      assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
      assert.equal(textOf(evidence, '/logs/verifier/second.txt'), '1\n');
    });

    it('finds nothing to collect where nothing was written', async () => {
      const evidence = await run(testPlan({ command: ['true'], collected: ['/nowhere', '/logs/verifier'] }));
      assert.deepEqual(evidence.collected, []);
      assert.equal(evidence.collectionCut, false);
    });

    it('keeps runs at the same time apart', async () => {
      const evidences = await Promise.all(
        ['a', 'b', 'c'].map(async (name) =>
          run(
            testPlan({
              files: [textFile('/app/solution.py', name)],
              script: 'sleep 0.3; cat /app/solution.py',
            }),
          ),
        ),
      );
      assert.deepEqual(
        evidences.map((evidence) => textOf(evidence, '/logs/verifier/test-stdout.txt')),
        ['a', 'b', 'c'],
      );
    });
  });
}

/** A duration for `sleep` that no other process of this machine uses, so that it can be searched for. */
export function uniqueSeconds(): string {
  return `300.${parseInt(randomUUID().slice(0, 8), 16)}`;
}

/** Command lines on this machine that hold a text. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(text));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export function fileOf(evidence: Evidence, path: string): CollectedFile {
  const file = evidence.collected.find((candidate) => candidate.path === path);
  assert.ok(file, `${path} was not collected: ${JSON.stringify(evidence).slice(0, 2000)}`);
  return file;
}

export function textOf(evidence: Evidence, path: string): string {
  return textIn(fileOf(evidence, path).content);
}

function textIn(content: CollectedFile['content'] | undefined): string {
  assert.ok(content && 'text' in content, JSON.stringify(content));
  return content.text;
}

function octal(text: string): string {
  return `'${[...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;
}
