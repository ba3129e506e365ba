// What untrusted code can and cannot do in the sandbox, tried with a real bubblewrap.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Evidence } from '../../src/runtime/evidence.ts';
import type { RunPlan } from '../../src/runtime/plan.ts';
import { fileOf, processesWith, textOf, uniqueSeconds } from './runtimeContract.ts';
import { sandboxUnderTest, type SandboxUnderTest } from './sandboxUnderTest.ts';
import { SECOND, testPlan, textFile, type TestPlan } from './testPlan.ts';

const MIB = 1024 * 1024;
const OUTPUT = '/logs/verifier/test-stdout.txt';

describe('sandbox runtime: security', function () {
  this.timeout(120 * SECOND);
  let under: SandboxUnderTest;
  before(async () => {
    under = await sandboxUnderTest();
  });
  afterEach('leaves nothing behind', () => {
    assert.deepEqual(under.leftovers(), []);
  });
  after(async () => under.close());

  const run = async (wish: TestPlan): Promise<Evidence> => runPlan(testPlan(wish));
  const runPlan = async (plan: RunPlan): Promise<Evidence> => {
    const result = await under.runtime.run(plan, {}, new AbortController().signal);
    assert.equal(result.kind, 'ended', JSON.stringify(result).slice(0, 2000));
    return result.evidence;
  };
  const printed = async (script: string): Promise<string> => textOf(await run({ script }), OUTPUT);

  describe('what it can see', () => {
    it('has no home, no users and no secrets of the host', async () => {
      const secret = path.join(tmpdir(), `secret-${randomUUID()}`);
      writeFileSync(secret, 'secret');
      try {
        const seen = [
          homedir(),
          process.cwd(),
          secret,
          '/etc/shadow',
          '/etc/ssh',
          '/etc/machine-id',
          '/root/.ssh',
          '/sys/class',
          '/var/lib',
          '/boot',
          '/run/docker.sock',
          '/var/run/docker.sock',
          '/dev/kmsg',
          '/dev/mem',
          '/dev/sda',
          '/dev/vda',
        ].filter((candidate) => !['/root', '/'].includes(candidate));
        assert.equal(await printed(`ls -d ${seen.map((name) => `'${name}'`).join(' ')} 2>/dev/null`), '');
        assert.equal(await printed('ls -A /root /home; ls -A /tmp'), '/home:\n\n/root:\n');
      } finally {
        rmSync(secret);
      }
    });

    it('sees no process but its own', async () => {
      const names = await printed('for p in /proc/[0-9]*; do tr "\\0" " " < $p/cmdline; echo; done');
      assert.ok(!names.includes(String(process.argv[1])), names);
      assert.ok(names.split('\n').filter((line) => line !== '').length <= 5, names);
      assert.equal(await printed(`kill -0 ${process.pid} 2>&1 | grep -c "No such process"`), '1\n');
    });

    it("has nothing of the host's environment", async () => {
      process.env['SECRET_OF_THE_HOST'] = 'leak';
      try {
        const text = await printed('env; cat /proc/[0-9]*/environ | tr "\\0" "\\n"');
        assert.ok(!text.includes('SECRET_OF_THE_HOST'), text);
        const names = new Set(text.split('\n').map((line) => line.split('=')[0]));
        assert.deepEqual(
          [...names].sort(),
          ['', 'HOME', 'HOSTNAME', 'LANG', 'OLDPWD', 'PATH', 'PWD', 'SHLVL', '_'].filter((name) =>
            names.has(name),
          ),
        );
      } finally {
        delete process.env['SECRET_OF_THE_HOST'];
      }
    });

    it('reaches no network, also not the services of this machine', async () => {
      const script = [
        'python3 - <<"END"',
        'import socket',
        'for address in [("127.0.0.1", 22), ("10.0.0.1", 80), ("8.8.8.8", 53)]:',
        '    s = socket.socket(); s.settimeout(2)',
        '    try: s.connect(address); print("connected", address)',
        '    except OSError as e: print(type(e).__name__)',
        'END',
      ].join('\n');
      assert.equal(await printed(script), 'ConnectionRefusedError\nOSError\nOSError\n');
    });

    it('inherits no descriptor, also none that was passed on to this process', () => {
      const program = fileURLToPath(new URL('sandboxDescriptors.ts', import.meta.url));
      const child = spawnSync(
        'bash',
        [
          '-c',
          `exec 9</etc/hostname 57</etc 251<>/dev/null; exec "$@"`,
          'bash',
          process.execPath,
          '--import=tsx',
          program,
        ],
        { encoding: 'utf8', timeout: 60 * SECOND },
      );
      assert.equal(child.stderr, '');
      const open = child.stdout.trim().split('\n');
      assert.deepEqual([...new Set(open)].sort(), ['/dev/null', OUTPUT]);
    });
  });

  describe('what it can change', () => {
    it('writes to nothing of the host', async () => {
      const script = [
        'for f in /usr/x /usr/bin/x /bin/x /lib/x /dev/x /proc/x /etc/alternatives/x /usr/lib/x; do',
        '  (echo x > $f) 2>/dev/null && echo "wrote $f"',
        'done',
        'mount -o remount,rw /usr 2>/dev/null && echo remounted',
        'umount /usr 2>/dev/null && echo unmounted',
        'mv /usr /gone 2>/dev/null && echo moved',
        'true',
      ].join('\n');
      assert.equal(await printed(script), '');
    });

    it('changes no setting of the kernel', async () => {
      const script = [
        'for f in /proc/sys/kernel/hostname /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/drop_caches; do',
        '  (echo x > $f) 2>/dev/null && echo "wrote $f"',
        'done',
        'hostname other 2>/dev/null && echo renamed',
        'true',
      ].join('\n');
      assert.equal(await printed(script), '');
    });

    it('is root without a privilege, and gains none', async () => {
      const script = [
        'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status',
        'cp /bin/true /app/suid && chmod 4755 /app/suid; grep -Ec "^[0-9]+ [0-9]+ [0-9:]+ [^ ]+ / [^ ]*nosuid" /proc/self/mountinfo',
        'unshare -Ur true 2>/dev/null && echo namespace',
        'mknod /app/disk b 8 0 2>/dev/null && echo device',
        'chroot / true 2>/dev/null && echo chroot',
        'python3 -c "import os; os.setuid(1)" 2>/dev/null && echo setuid',
        'true',
      ].join('\n');
      assert.equal(
        await printed(script),
        '0\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n1\n',
      );
    });

    it("reads no keyring of the host's session, and asks the kernel for nothing a verifier needs not", async () => {
      const script = [
        "python3 - <<'PY'",
        'import ctypes, errno, platform',
        'libc = ctypes.CDLL(None, use_errno=True)',
        "x86 = platform.machine() == 'x86_64'",
        "calls = {'add_key': (248, 217), 'request_key': (249, 218), 'keyctl': (250, 219), 'bpf': (321, 280),",
        "         'perf_event_open': (298, 241), 'userfaultfd': (323, 282), 'io_uring_setup': (425, 425)}",
        'for name, numbers in calls.items():',
        '    ctypes.set_errno(0)',
        '    # keyctl 0, -3: the id of the session keyring.',
        '    answer = libc.syscall(ctypes.c_long(numbers[0 if x86 else 1]), 0, -3, 0, 0, 0)',
        '    print(name, answer, errno.errorcode.get(ctypes.get_errno()))',
        "print('getpid', libc.syscall(39 if x86 else 172) > 0)",
        'PY',
      ].join('\n');
      assert.deepEqual((await printed(script)).trim().split('\n'), [
        ...[
          'add_key',
          'request_key',
          'keyctl',
          'bpf',
          'perf_event_open',
          'userfaultfd',
          'io_uring_setup',
        ].map((name) => `${name} -1 EPERM`),
        'getpid True',
      ]);
    });

    it('makes no second name of a file of the host', async () => {
      const script =
        'ln /usr/bin/env /app/env 2>/dev/null && echo linked; ln /etc/ld.so.cache /logs/verifier/c 2>/dev/null && echo linked; true';
      assert.equal(await printed(script), '');
    });
  });

  describe('what it plants for the host to stumble over', () => {
    let target: string;
    beforeEach(() => {
      target = path.join(tmpdir(), `target-${randomUUID()}`);
      mkdirSync(target);
      writeFileSync(path.join(target, 'kept'), 'kept');
    });
    afterEach(() => rmSync(target, { recursive: true }));
    const untouched = (): void => {
      assert.deepEqual(statSync(path.join(target, 'kept')).size, 4);
      assert.deepEqual(spawnSync('ls', ['-A', target], { encoding: 'utf8' }).stdout, 'kept\n');
    };

    for (const parent of [
      '/tests',
      '/logs',
      '/logs/verifier',
      '/run',
      '/app',
      '/etc',
      '/usr/local/bin',
      '/tmp',
    ]) {
      it(`${parent} as a link to a folder of the host`, async () => {
        const evidence = await run({
          oracle: {
            script: `cd /; rm -rf ${parent} 2>/dev/null; ln -sfn ${target} ${parent}; ln -sfn ../../../../../..${target} ${parent}`,
          },
          files: [
            textFile('/run/repair-bench/trace.sh', 'true\n'),
            textFile('/app/solution.py', 'x\n', 0o644, 'keep'),
            textFile('/etc/extra', 'x\n'),
            textFile('/usr/local/bin/extra', 'x\n'),
            textFile('/tmp/extra', 'x\n'),
          ],
          verifier: { workdir: '/', emptied: ['/tests', '/logs/verifier'] },
          script: `ls -d ${target} 2>/dev/null; echo 1 > /logs/verifier/reward.txt`,
        });
        untouched();
        assert.ok(!JSON.stringify(evidence.collected).includes('kept'));
      });
    }

    it('a solution that is a link to a file of the host', async () => {
      await run({
        oracle: { script: `ln -sf ${target}/kept /app/solution.py; chmod 777 /app` },
        files: [textFile('/app/solution.py', 'overwritten\n', 0o777, 'keep')],
      });
      untouched();
      assert.equal(readFileSync(path.join(target, 'kept'), 'utf8'), 'kept');
    });

    it('links in the collected folder, at its place and above it', async () => {
      const wishes = [
        `ln -s ${target} /logs/verifier/folder; ln -s ${target}/kept /logs/verifier/file; ln -s / /logs/verifier/root`,
        `rm -rf /logs/verifier; ln -s ${target} /logs/verifier`,
        `rm -rf /logs; mkdir /other; ln -s ${target} /other/verifier; ln -s other /logs`,
        `rm -rf /logs; ln -s ${path.dirname(target)} /logs; mkdir -p ${path.dirname(target)}`,
      ];
      for (const script of wishes) {
        const evidence = await run({ command: ['bash', '-c', script] });
        assert.deepEqual(
          evidence.collected.map((file) => file.path),
          [],
        );
      }
      untouched();
    });

    it('links in the place of folders that are removed', async () => {
      const plan = testPlan({
        oracle: { script: `rm -rf /app; ln -s ${target} /app` },
        verifier: { workdir: '/' },
      });
      await runPlan({
        ...plan,
        verifier: { ...plan.verifier, emptied: ['/app', '/tests', '/logs/verifier'] },
      });
      untouched();
    });
  });

  describe('what it leaves in bulk', () => {
    it('a sparse file of many gigabytes', async () => {
      const evidence = await run({
        script:
          'echo head > /logs/verifier/big; truncate -s 10G /logs/verifier/big; echo tail >> /logs/verifier/big',
        limits: { fileSizeMb: 20_000 },
      });
      const file = fileOf(evidence, '/logs/verifier/big');
      assert.equal(file.size, 10 * 1024 * MIB + 5);
      assert.ok('text' in file.content && file.content.text.startsWith('head\n\0'));
      assert.ok(file.tail && 'text' in file.tail && file.tail.text.endsWith('\0tail\n'));
      const kept = file.content.text.length + file.tail.text.length;
      assert.equal(file.omitted, file.size - kept);
    });

    it('a hundred thousand files', async () => {
      const evidence = await run({
        script:
          'python3 -c \'import os\nfor i in range(100_000): os.close(os.open(f"/logs/verifier/{i:06}", os.O_CREAT))\'; echo 1 > /logs/verifier/reward.txt',
        collected: ['/logs/verifier', '/logs/verifier/reward.txt'],
      });
      assert.equal(evidence.collectionCut, true);
      assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
      assert.equal(evidence.collected.length, 200);
    });

    it('folders nested deeper than a path can be long', async () => {
      const evidence = await run({
        script:
          'echo 1 > /logs/verifier/reward.txt; cd /logs/verifier; python3 -c \'import os\nfor i in range(3000): os.mkdir("d" * 50); os.chdir("d" * 50)\'',
      });
      assert.equal(evidence.collectionCut, true);
      assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
    });

    it('names that are no text', async () => {
      const evidence = await run({
        script: `echo 1 > $'/logs/verifier/a\\xffb'; echo 2 > $'/logs/verifier/c\\nd'`,
      });
      assert.deepEqual(evidence.collected.map((file) => file.path).sort(), [
        '/logs/verifier/a\ufffdb',
        '/logs/verifier/c\nd',
        OUTPUT,
      ]);
    });

    it('folders that not even their owner may enter, everywhere', async () => {
      const evidence = await run({
        script:
          'for d in /logs/verifier /tmp /app /var /root; do mkdir -p $d/a/b; echo x > $d/a/b/c; chmod 000 $d/a/b $d/a $d; done; chmod 000 /logs /',
      });
      assert.equal(textOf(evidence, '/logs/verifier/a/b/c'), 'x\n');
    });
  });

  describe('what it takes', () => {
    it('memory of several processes together', async () => {
      const seconds = uniqueSeconds();
      const evidence = await run({
        script: `for i in 1 2 3 4 5 6; do python3 -c "x = b'x' * (60 << 20); import time; time.sleep(${seconds})" & done; wait -n; echo "status $?"`,
        limits: { memoryMb: 256 },
        verifier: { timeoutMs: 30_000 },
      });
      assert.match(textOf(evidence, OUTPUT), /status 137\n$/);
      assert.ok(evidence.notes.some(({ code }) => code === 'out-of-memory'));
      assert.deepEqual(processesWith(seconds), []);
    });

    it('memory that processes share is counted once', async () => {
      const script = [
        'python3 - <<"END"',
        'import os, time',
        'x = b"x" * (150 << 20)',
        'children = [os.fork() for _ in range(3)]',
        'time.sleep(0.5)',
        'END',
        'echo "status $?"',
      ].join('\n');
      const evidence = await run({ script, limits: { memoryMb: 512 } });
      assert.match(textOf(evidence, OUTPUT), /^status 0$/m);
    });

    it('its own first process, which only ends the run', async () => {
      const evidence = await run({ command: ['bash', '-c', 'kill -9 1; kill -TERM 1; echo still here'] });
      assert.deepEqual(evidence.verifier, { end: { how: 'exited', code: 0 }, output: 'still here\n' });
    });

    it('not the shared memory of the host', async () => {
      const evidence = await run({
        script: 'head -c 200M /dev/zero > /dev/shm/x 2>/dev/null; stat -c %s /dev/shm/x',
      });
      assert.equal(textOf(evidence, OUTPUT), `${64 * MIB}\n`);
    });
  });

  it('does not let a variable of the plan become an option of the sandbox', async () => {
    const evidence = await run({ verifier: { env: { EVIL: 'x\0--bind\0/\0/host' } } });
    assert.equal(evidence.verifier.end.how, 'cannot-start');
    assert.ok(!existsSync('/host'));
  });
});
