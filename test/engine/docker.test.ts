// The Docker runtime against a real engine: the contract, and what only an engine can do.
import assert from 'node:assert/strict';
import { OWNER_LABEL } from '../../src/runtime/docker/container/container.ts';
import type { Evidence } from '../../src/runtime/evidence.ts';
import type { Phase, Shell } from '../../src/runtime/runtime.ts';
import { askEngine } from '../host/engineApi.ts';
import { containersWith, dockerRuntime, readyEngine, type DockerUnderTest } from './dockerUnderTest.ts';
import { describeRuntimeContract, processesWith, textOf, uniqueSeconds } from './runtimeContract.ts';
import { forgedEnd, SECOND, testPlan, textFile } from './testPlan.ts';

describeRuntimeContract('docker', async () => {
  const { engine, owner, runtime } = dockerRuntime(await readyEngine());
  return {
    runtime,
    leftovers: async () => {
      const left = await containersWith(engine, `${OWNER_LABEL}=${owner}`);
      return left.map(({ Names, State }) => `${Names.join()} (${State})`);
    },
    hasUsers: true,
    killsOutOfMemory: true,
    close: async () => undefined,
  };
});

describe('docker runtime: containers', function () {
  this.timeout(120 * SECOND);
  let under: DockerUnderTest;
  before(async function () {
    under = dockerRuntime(await readyEngine());
  });
  after(async () => under.runtime.dispose());
  const run = async (plan: Parameters<DockerUnderTest['runtime']['run']>[0]): Promise<Evidence> => {
    const result = await under.runtime.run(plan, {}, new AbortController().signal);
    assert.equal(result.kind, 'ended', JSON.stringify(result));
    return result.evidence;
  };

  it('replaces a file with owner, group and mode of what it replaces', async () => {
    const dockerfile = [
      'RUN chown nobody:games solution.py && chmod 0640 solution.py && chown nobody .',
      'USER nobody',
    ];
    const plan = testPlan({
      dockerfile,
      files: [textFile('/app/solution.py', 'new\n', 0o600, 'keep')],
      script: 'stat -c "%U:%G %a" solution.py; cat solution.py; id -un',
    });
    for (const oracle of [undefined, { script: 'true' }]) {
      const evidence = await run(oracle ? { ...testPlan({ oracle }), ...plan } : plan);
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'nobody:games 640\nnew\nnobody\n');
    }
  });

  it('take limits of part of a mebibyte', async () => {
    const limits = { memoryMb: 100.3, fileSizeMb: 64.7 };
    const evidence = await run(testPlan({ script: 'ulimit -f', limits }));
    assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), `${Math.floor(64.7 * 1024)}\n`);
  });

  it('are not even made for a run that was cancelled by then', async () => {
    const { engine, owner, runtime } = dockerRuntime(under.engine);
    const giveUp = new AbortController();
    const phase = (entered: Phase): unknown => entered === 'create' && giveUp.abort();
    assert.deepEqual(await runtime.run(testPlan({}), { phase }, giveUp.signal), { kind: 'cancelled' });
    const filters = JSON.stringify({ label: [`${OWNER_LABEL}=${owner}`], event: ['create'] });
    const query = new URLSearchParams({ since: '0', until: String(Math.ceil(Date.now() / 1000)), filters });
    assert.deepEqual(await askEngine(engine.host, 'GET', `/events?${query}`), { status: 200, body: '' });
  });

  it('puts a file where a symbolic link of that name points', async () => {
    const evidence = await run(
      testPlan({
        dockerfile: ['RUN mkdir /real && mv solution.py /real/it.py && ln -s ../real/it.py solution.py'],
        files: [textFile('/app/solution.py', 'new\n', 0o600, 'keep')],
        script: 'readlink solution.py; cat /real/it.py',
      }),
    );
    assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), '../real/it.py\nnew\n');
  });

  it('puts files below a folder that is a symbolic link', async () => {
    const evidence = await run(
      testPlan({
        dockerfile: ['RUN mv /app /srv/app && ln -s /srv/app /app'],
        files: [textFile('/app/solution.py', 'new\n', 0o600, 'keep')],
        script: 'cat /srv/app/solution.py; readlink /app',
      }),
    );
    assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'new\n/srv/app\n');
  });

  it("does not run the image's entrypoint", async () => {
    const evidence = await run(testPlan({ dockerfile: ['ENTRYPOINT ["false"]'], script: 'echo ran' }));
    assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'ran\n');
  });

  it('empties folders that are volumes of the image', async () => {
    const plan = testPlan({
      imageFiles: [{ path: '/tests/planted', text: '' }],
      dockerfile: ['VOLUME /tests /logs/verifier'],
      script: 'ls -A /tests; echo 1 > /logs/verifier/reward.txt',
    });
    const evidence = await run(plan);
    assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'test.sh\n');
    assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
  });

  it('gives a container no privileges, mounts or socket', async () => {
    const script = [
      'grep NoNewPrivs /proc/self/status',
      'ls /var/run/docker.sock 2>/dev/null',
      'ulimit -c',
      'cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null',
    ].join('\n');
    const evidence = await run(testPlan({ script, limits: { pids: 77 } }));
    assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'NoNewPrivs:\t1\n0\n77\n');
  });

  it('asks for no more processors than the engine has, and says so', async () => {
    const evidence = await run(testPlan({ script: 'true', limits: { cpus: 4096 } }));
    assert.ok(evidence.notes.some(({ code }) => code === 'fewer-cpus'));
  });

  it('waits for removals under way before it is disposed of', async () => {
    const { engine, owner, runtime } = dockerRuntime(under.engine);
    const result = await runtime.run(testPlan({ script: 'true' }), {}, new AbortController().signal);
    assert.equal(result.kind, 'ended', JSON.stringify(result));
    await runtime.dispose();
    assert.deepEqual(await containersWith(engine, `${OWNER_LABEL}=${owner}`), []);
  });

  describe('brings back the same', () => {
    const script = [
      'cd /logs/verifier; mkdir empty deep; echo a > deep/a; echo b > b; ln b c; ln -s b l; mkfifo f; touch "z "',
      'printf "\\xff" > raw; echo 1 > reward.txt; cat /proc/$PPID/cmdline > parent',
    ].join('\n');
    const without = (dockerfile: readonly string[], verifier = {}) =>
      run(
        testPlan({
          script,
          dockerfile,
          verifier,
          collected: ['/logs/verifier', '/logs/verifier/reward.txt'],
        }),
      );
    const seen = ({ collected, notes, verifier }: Evidence) => ({
      // What the parent process is called holds the mark of the run.
      collected: collected.filter(({ path }) => path !== '/logs/verifier/parent'),
      notes,
      verifier,
    });

    for (const [image, lines] of Object.entries({
      'with a tar that fails': ['RUN printf "#!/bin/sh\\nexit 2\\n" > /bin/tar'],
      'without tar': ['RUN rm /bin/tar'],
    }))
      it(`from an image ${image} as from one with tar`, async () => {
        assert.deepEqual(seen(await without(lines)), seen(await without([])));
      });

    it('when the verifier may not read it all', async () => {
      const evidence = await run(
        testPlan({
          script: 'echo x > /logs/verifier/closed; chmod 000 /logs/verifier/closed',
          verifier: { user: 'nobody' },
        }),
      );
      assert.equal(textOf(evidence, '/logs/verifier/closed'), 'x\n');
    });
  });

  it('ends a shell that takes too long to hand over what was written in time', async () => {
    const evidence = await run(
      testPlan({
        dockerfile: ['RUN printf "#!/bin/sh\\nsleep 600\\n" > /bin/tar'],
        script: 'echo 1 > /logs/verifier/reward.txt; exit 3',
        verifier: { timeoutMs: 5 * SECOND },
      }),
    );
    assert.deepEqual(evidence.verifier.end, { how: 'exited', code: 3 });
    assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
  });

  for (const { way, oracle, mark } of [
    { way: 'the short way', oracle: undefined, mark: 36 },
    { way: 'the long way, where there is no mark to find', oracle: { script: 'true' }, mark: 0 },
  ])
    it(`is not told by a script that it has ended: ${way}`, async () => {
      const seconds = uniqueSeconds();
      const timeoutMs = 3 * SECOND;
      const script = forgedEnd(`sleep ${seconds}`);
      const evidence = await run(testPlan({ script, verifier: { timeoutMs }, ...(oracle && { oracle }) }));
      assert.deepEqual(evidence.verifier.end, { how: 'timed-out', afterMs: timeoutMs });
      assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), `forged ${mark}\n`);
      assert.deepEqual(processesWith(seconds), []);
    });

  it('notes when a process that the script could do without ran out of memory', async () => {
    const evidence = await run(
      testPlan({ script: 'python3 -c "x = bytearray(10**9)"; echo "status $?"', limits: { memoryMb: 64 } }),
    );
    assert.deepEqual(evidence.verifier.end, { how: 'exited', code: 0 });
    assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt').split('\n').at(-2), 'status 137');
    assert.ok(evidence.notes.some(({ code }) => code === 'out-of-memory'));
  });

  it('reports an image without bash as a step that cannot start', async () => {
    const plan = testPlan({ script: 'true' });
    const image = { ...plan.image, kind: 'pull' as const, name: 'busybox:latest' };
    for (const oracle of [undefined, { script: 'true' }]) {
      const evidence = await run({ ...testPlan(oracle ? { oracle } : {}), image });
      assert.equal(evidence.verifier.end.how, 'cannot-start', JSON.stringify(evidence));
      assert.match(JSON.stringify(evidence.verifier.end), /bash/);
    }
  });

  it('survives an oracle that kills all that it can', async () => {
    const evidence = await run(testPlan({ oracle: { script: 'kill -9 -1' }, script: 'echo verified' }));
    assert.equal(evidence.oracle?.end.how, 'killed');
    assert.equal(textOf(evidence, '/logs/verifier/test-stdout.txt'), 'verified\n');
  });
});

describe('docker runtime: a shell', function () {
  this.timeout(120 * SECOND);
  let under: DockerUnderTest;
  before(async function () {
    under = dockerRuntime(await readyEngine());
  });
  after(async () => under.runtime.dispose());

  const left = () => containersWith(under.engine, `${OWNER_LABEL}=${under.owner}`);
  /** A shell under way: what it printed, and how to type into it once it listens. */
  const open = (signal: AbortSignal) => {
    let printed = '';
    const listeners = new Set<() => void>();
    let listens: (shell: Shell) => void = () => undefined;
    const shell = new Promise<Shell>((resolve) => {
      listens = resolve;
    });
    const result = under.runtime.openShell?.(
      testPlan({
        files: [textFile('/app/solution.py', 'mine\n')],
        removed: ['/app/gone.py'],
        imageFiles: [
          { path: '/app/solution.py', text: 'starter\n' },
          { path: '/app/gone.py', text: '' },
        ],
      }),
      {
        ready: (opened) => listens(opened),
        output: (bytes) => {
          printed += Buffer.from(bytes).toString('utf8');
          for (const listener of listeners) listener();
        },
      },
      signal,
    );
    assert.ok(result);
    const prints = (pattern: RegExp): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (pattern.test(printed)) resolve();
        };
        listeners.add(look);
        look();
      });
    return { shell, result, prints };
  };

  it('has a terminal of the size it is told, the files of the plan, and leaves nothing', async () => {
    const { shell, result, prints } = open(new AbortController().signal);
    const typed = await shell;
    typed.resize(91, 27);
    // The size arrives on another connection than what is typed.
    typed.write('until [ "$(stty size)" = "27 91" ]; do sleep 0.05; done; echo size-$((20 + 7))\n');
    await prints(/size-27/);
    typed.write('test -t 0 && cat solution.py && ls /tests && ls | wc -l\n');
    await prints(/mine\r\ntest\.sh\r\n1\r\n/);
    assert.equal((await left()).length, 1);
    typed.write('exit\n');
    assert.deepEqual(await result, { kind: 'ended' });
    assert.deepEqual(await left(), []);
  });

  it('is gone with all that runs in it when it is closed', async () => {
    const closing = new AbortController();
    const { shell, result, prints } = open(closing.signal);
    (await shell).write('sleep 1000 & echo started-$((1 + 1))\n');
    await prints(/started-2/);
    closing.abort();
    assert.deepEqual(await result, { kind: 'cancelled' });
    assert.deepEqual(await left(), []);
  });
});
