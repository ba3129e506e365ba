// Runs in containers that were started ahead: the same as any other run, only sooner.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { OWNER_LABEL, WARM_LABEL } from '../../src/runtime/docker/container/container.ts';
import type { Evidence } from '../../src/runtime/evidence.ts';
import type { RunPlan } from '../../src/runtime/plan.ts';
import type { Phase, RunResult } from '../../src/runtime/runtime.ts';
import { askEngine } from '../host/engineApi.ts';
import {
  containersWith,
  dockerRuntime,
  readyEngine,
  runningContainersWith,
  type DockerUnderTest,
} from './dockerUnderTest.ts';
import { processesWith, textOf, uniqueSeconds } from './runtimeContract.ts';
import { forgedEnd, SECOND, testPlan, textFile } from './testPlan.ts';
import { afterRemovals, until } from './until.ts';

const REWARD = 'echo 1 > /logs/verifier/reward.txt';

/** A run, and whether it was in a container that was started ahead. */
interface Ran {
  readonly result: RunResult;
  readonly warm: boolean;
}

describe('a container that was started ahead', function () {
  this.timeout(120 * SECOND);
  let under: DockerUnderTest;
  beforeEach(async () => {
    under = dockerRuntime(await readyEngine());
  });
  afterEach('leaves nothing behind', async () => {
    await under.runtime.dispose();
    assert.deepEqual(await containersWith(under.engine, ownerLabel(under)), []);
  });

  const warmUp = async (plan: RunPlan, signal = new AbortController().signal): Promise<boolean | undefined> =>
    under.runtime.warmUp?.(plan, signal);
  const run = async (plan: RunPlan, signal = new AbortController().signal): Promise<Ran> => {
    const phases: Phase[] = [];
    const result = await under.runtime.run(plan, { phase: (phase) => phases.push(phase) }, signal);
    return { result, warm: !phases.includes('create') };
  };
  const endedWarm = async (plan: RunPlan): Promise<Evidence> => {
    assert.equal(await warmUp(plan), true);
    const ran = await run(plan);
    assert.equal(ran.warm, true, 'it was not used');
    return evidenceOf(ran.result);
  };
  /** The run must go the usual way, to the usual end. */
  const endedCold = async (plan: RunPlan): Promise<void> => {
    const ran = await run(plan);
    assert.equal(ran.warm, false, 'it was used');
    assert.equal(textOf(evidenceOf(ran.result), '/logs/verifier/reward.txt'), '1\n');
  };
  const warmContainers = async (): Promise<string[]> => {
    const all = await containersWith(under.engine, ownerLabel(under));
    const warm = new Set((await containersWith(under.engine, WARM_LABEL)).map(({ Id }) => Id));
    return all.map(({ Id }) => Id).filter((id) => warm.has(id));
  };
  const askFor = async (method: 'POST' | 'DELETE', path: string): Promise<void> => {
    const { status } = await askEngine(under.engine.host, method, path);
    assert.ok(status < 300, `${method} ${path}: ${status}`);
  };

  /** A first run, so that the image is there. */
  const prepared = async (plan: RunPlan): Promise<RunPlan> => {
    evidenceOf((await run(plan)).result);
    return plan;
  };

  it('gives a script the same surroundings as one that is started at once', async () => {
    const script = [
      'exec 2>&1',
      'env | grep -v ^HOSTNAME= | sort',
      'echo "of bash itself"; grep -zv ^HOSTNAME= /proc/$PPID/environ | tr "\\0" "\\n"',
      'pwd; umask; ulimit -a; id',
      'grep -E "^(Name|Umask|State|Groups|Seccomp|NoNewPrivs|Cap|Sig(Q|Blk|Ign|Cgt)|Shd|Threads)" /proc/self/status | grep -v SigQ',
      'readlink /proc/self/fd/0 /proc/$PPID/fd/0; ls /proc/$PPID/fd',
      'cat < /dev/stdin; echo "stdin $?"',
      // By the shell alone: a program that helped would be seen or not.
      'for p in /proc/[0-9]*; do [ "$p" = /proc/$$ ] && continue',
      'line=; while IFS= read -r -d "" word; do line+="$word "; done <$p/cmdline; echo "${line:0:20}"; done',
      'find / -xdev \\( -path /proc -o -path /sys -o -path /usr \\) -prune -o -printf "%p %M %U:%G %l\\n" | sort',
      'cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max',
      'cat /proc/self/oom_score_adj /proc/self/cgroup | grep -v ":/docker"; nice',
      REWARD,
    ].join('\n');
    const plan = testPlan({
      dockerfile: [
        'RUN chown nobody:games solution.py && chmod 0640 solution.py',
        'ENV FROM_IMAGE="a b" a.b=1 -x=2 BASH_FUNC_x%%="() { echo x; }" SHELLOPTS=pipefail BASHOPTS=dotglob',
      ],
      script,
      files: [
        textFile('/app/solution.py', 'new\n', 0o600, 'keep'),
        textFile('/app/deep/er/added.py', 'added\n', 0o640, 'keep'),
        textFile('/run/repair-bench/trace.sh', '', 0o644),
      ],
      verifier: {
        env: { NAME: 'x\ny "$HOME" é', repair_bench_mine: '1' },
        emptied: ['/tests', '/logs/verifier', '/run/repair-bench/out'],
      },
    });
    const cold = evidenceOf((await run(plan)).result);
    const warm = await endedWarm(plan);
    assert.equal(printed(warm), printed(cold));
    assert.match(printed(warm), /^-rw-r----- |nobody|\/app\/solution\.py/m);
    assert.match(printed(warm), /^of bash itself\n([^]*\n)?a\.b=1\n-x=2\n/m);
    const { clocks: _cold, ...coldRest } = cold;
    const { clocks: _warm, ...warmRest } = warm;
    assert.deepEqual(warmRest, coldRest);
  });

  it('is used once', async () => {
    const plan = await prepared(testPlan({ script: REWARD }));
    const evidence = await endedWarm(plan);
    assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
    await endedCold(plan);
  });

  it('takes solution and tests as they are when it is used', async () => {
    const at = (text: string): RunPlan =>
      testPlan({
        script: `cat /app/solution.py; echo ${text}`,
        files: [textFile('/app/solution.py', text, 0o644, 'keep')],
      });
    await prepared(at('one'));
    assert.equal(await warmUp(at('one')), true);
    const ran = await run(at('two'));
    assert.equal(ran.warm, true);
    assert.equal(printed(evidenceOf(ran.result)), 'twotwo\n');
  });

  it('is made only once, and never for an image that would have to be built', async () => {
    const label = `mark=${uniqueSeconds()}`;
    const plan = testPlan({ dockerfile: [`LABEL ${label}`], script: REWARD });
    assert.equal(await warmUp(plan), false);
    assert.deepEqual(await warmContainers(), []);
    await prepared(plan);
    assert.deepEqual(await Promise.all([warmUp(plan), warmUp(plan)]), [true, true]);
    assert.equal(await warmUp(plan), true);
    assert.equal((await warmContainers()).length, 1);
  });

  it('is made for whoever still wants it when another gives up', async () => {
    const plan = await prepared(testPlan({ script: REWARD }));
    await afterRemovals(() => containersWith(under.engine, ownerLabel(under)));
    const giveUp = new AbortController();
    const both = [warmUp(plan, giveUp.signal), warmUp(plan)];
    await until(async () => (await containersWith(under.engine, ownerLabel(under))).length > 0);
    giveUp.abort();
    assert.equal(await both[1], true);
    assert.equal((await run(plan)).warm, true);
  });

  it('is made anew when all who wanted it had given up', async () => {
    const plan = await prepared(testPlan({ script: REWARD }));
    await afterRemovals(() => containersWith(under.engine, ownerLabel(under)));
    const giveUp = new AbortController();
    const first = warmUp(plan, giveUp.signal);
    await until(async () => (await containersWith(under.engine, ownerLabel(under))).length > 0);
    giveUp.abort();
    assert.equal(await warmUp(plan), true);
    await first;
    assert.equal((await warmContainers()).length, 1);
  });

  it('makes room for that of another task, and a run of another verifier leaves it alone', async () => {
    const one = await prepared(testPlan({ script: REWARD }));
    const two = { ...one, task: 'other' };
    assert.equal(await warmUp(one), true);
    const [first] = await warmContainers();
    await endedCold(two);
    assert.deepEqual(await warmContainers(), [first]);
    assert.equal(await warmUp(two), true);
    await until(async () => !(await warmContainers()).includes(first ?? ''));
    await endedCold(one);
    assert.equal((await run(two)).warm, true);
  });

  it('is gone before a cancelled run answers', async () => {
    const seconds = uniqueSeconds();
    const plan = await prepared(testPlan({ script: 'true' }));
    assert.equal(await warmUp(plan), true);
    const giveUp = new AbortController();
    const running = run(testPlan({ script: `sleep ${seconds}` }), giveUp.signal);
    await until(() => processesWith(seconds).length > 0);
    giveUp.abort();
    const { result, warm } = await running;
    assert.deepEqual([result.kind, warm], ['cancelled', true]);
    assert.deepEqual(await containersWith(under.engine, ownerLabel(under)), []);
    assert.deepEqual(processesWith(seconds), []);
  });

  it('is stopped at the time limit, with what was written until then', async () => {
    const seconds = uniqueSeconds();
    const plan = testPlan({ script: `${REWARD}; sleep ${seconds}`, verifier: { timeoutMs: 3 * SECOND } });
    await prepared(testPlan({ script: 'true' }));
    const evidence = await endedWarm(plan);
    assert.deepEqual(evidence.verifier.end, { how: 'timed-out', afterMs: 3 * SECOND });
    assert.equal(textOf(evidence, '/logs/verifier/reward.txt'), '1\n');
    assert.deepEqual(processesWith(seconds), []);
  });

  it('is not told by a script that it has ended', async () => {
    const seconds = uniqueSeconds();
    const timeoutMs = 3 * SECOND;
    await prepared(testPlan({ script: 'true' }));
    const evidence = await endedWarm(
      testPlan({ script: forgedEnd(`sleep ${seconds}`), verifier: { timeoutMs } }),
    );
    assert.deepEqual(evidence.verifier.end, { how: 'timed-out', afterMs: timeoutMs });
    assert.equal(printed(evidence), 'forged 36\n');
    assert.deepEqual(processesWith(seconds), []);
  });

  it('says when memory ran out, and by which signal a script was killed', async () => {
    await prepared(testPlan({ script: 'true', limits: { memoryMb: 64 } }));
    const oom = await endedWarm(
      testPlan({ script: 'exec python3 -c "x = bytearray(10**9)"', limits: { memoryMb: 64 } }),
    );
    assert.deepEqual(oom.verifier.end, { how: 'killed', signal: 'SIGKILL', outOfMemory: true });
    const killed = await endedWarm(testPlan({ script: 'kill -TERM $$; sleep 5' }));
    assert.deepEqual(killed.verifier.end, { how: 'killed', signal: 'SIGTERM', outOfMemory: false });
  });

  describe('is thrown away, and the run is as ever, when', () => {
    let plan: RunPlan;
    beforeEach(async () => {
      plan = await prepared(testPlan({ script: REWARD }));
      assert.equal(await warmUp(plan), true);
    });

    it('somebody removed it', async () => {
      const [id = ''] = await warmContainers();
      await askFor('DELETE', `/containers/${id}?force=true`);
      await endedCold(plan);
    });

    it('somebody froze it', async () => {
      const [id = ''] = await warmContainers();
      await askFor('POST', `/containers/${id}/pause`);
      await endedCold(plan);
      assert.deepEqual(await afterRemovals(warmContainers), []);
    }).timeout(25 * SECOND);

    it('somebody stopped it', async () => {
      const [id = ''] = await warmContainers();
      await askFor('POST', `/containers/${id}/kill`);
      await endedCold(plan);
      assert.deepEqual(await afterRemovals(warmContainers), []);
    });

    for (const [what, change] of Object.entries({
      'a limit': { limits: { ...testPlan({}).limits, memoryMb: 256 } },
      'the network': { network: 'default' as const },
      'the environment': { verifier: { ...testPlan({ script: REWARD }).verifier, env: { NEW: '1' } } },
    }))
      it(`${what} was changed`, async () => {
        await endedCold({ ...plan, ...change });
        assert.deepEqual(await afterRemovals(warmContainers), []);
      });

    it('its image was rebuilt', async () => {
      await endedCold({
        ...plan,
        image: testPlan({ dockerfile: [`LABEL rebuilt=${uniqueSeconds()}`] }).image,
      });
      assert.deepEqual(await afterRemovals(warmContainers), []);
    });

    it('the clock was set meanwhile', async () => {
      const { now } = Date;
      Date.now = () => now() + 3600 * SECOND;
      try {
        await endedCold(plan);
      } finally {
        Date.now = now;
      }
      assert.deepEqual(await afterRemovals(warmContainers), []);
    });
  });

  it('is thrown away when it has waited for too long', async () => {
    await under.runtime.dispose();
    under = dockerRuntime(under.engine, { longestWaitMs: 500 });
    const plan = await prepared(testPlan({ script: REWARD }));
    assert.equal(await warmUp(plan), true);
    assert.deepEqual(await afterRemovals(warmContainers), []);
    await endedCold(plan);
  });

  it('is thrown away when nobody wants it any more, until somebody does', async () => {
    const plan = await prepared(testPlan({ script: REWARD }));
    assert.equal(await warmUp(plan), true);
    await under.runtime.coolDown?.();
    assert.deepEqual(await containersWith(under.engine, ownerLabel(under)), []);
    await endedCold(plan);
    const [made] = await Promise.all([warmUp(plan), under.runtime.coolDown?.()]);
    assert.equal(typeof made, 'boolean');
    assert.equal(await warmUp(plan), true);
    assert.equal((await run(plan)).warm, true);
  });

  it('is tried again when it was killed before it could wait, and not when it never can', async () => {
    const created = async (plan: RunPlan): Promise<number> => {
      const since = String(Math.floor(Date.now() / 1000));
      const before = (await creations(since)).length;
      for (let times = 0; times < 2; times++) assert.equal(await warmUp(plan), false);
      return (await creations(since)).length - before;
    };
    const creations = async (since: string): Promise<string[]> => {
      const label = [ownerLabel(under), `${WARM_LABEL}=yes`];
      const filters = JSON.stringify({ label, event: ['create'] });
      const until = String(Math.ceil(Date.now() / 1000));
      const query = new URLSearchParams({ since, until, filters });
      const { body } = await askEngine(under.engine.host, 'GET', `/events?${query}`);
      return body.split('\n').filter((line) => line !== '');
    };
    const tar = (text: string): RunPlan =>
      testPlan({ script: REWARD, dockerfile: [`RUN printf '#!/bin/sh\\n${text}\\n' > /bin/tar`] });
    assert.equal(await created(await prepared(tar('kill -9 -1'))), 2);
    assert.equal(await created(await prepared(tar('exit 1'))), 1);
  });

  it('is not made where only root could place files, or without GNU tar', async () => {
    const user = await prepared(testPlan({ script: REWARD, verifier: { user: 'nobody' } }));
    assert.equal(await warmUp(user), false);
    const noTar = await prepared(testPlan({ script: REWARD, dockerfile: ['RUN rm /bin/tar'] }));
    assert.equal(await warmUp(noTar), false);
    assert.equal(await warmUp(noTar), false);
    const full = await prepared(testPlan({ script: REWARD, imageFiles: [{ path: '/tests/x', text: '' }] }));
    assert.equal(await warmUp(full), false);
    assert.deepEqual(await afterRemovals(warmContainers), []);
  });

  it('is not shared by two windows, and goes with its own', async () => {
    const other = dockerRuntime(under.engine);
    const plan = await prepared(testPlan({ script: REWARD }));
    assert.equal(await warmUp(plan), true);
    const phases: Phase[] = [];
    const result = await other.runtime.run(
      plan,
      { phase: (phase) => phases.push(phase) },
      new AbortController().signal,
    );
    assert.equal(result.kind, 'ended');
    assert.ok(phases.includes('create'));
    await other.runtime.dispose();
    assert.equal((await warmContainers()).length, 1);
    await under.runtime.dispose();
    assert.deepEqual(await containersWith(under.engine, ownerLabel(under)), []);
  });

  it('is given up when its window closes while it is made', async () => {
    const plan = await prepared(testPlan({ script: REWARD }));
    const [made] = await Promise.all([warmUp(plan), under.runtime.dispose()]);
    assert.equal(made, false);
    assert.deepEqual(await containersWith(under.engine, ownerLabel(under)), []);
  });

  it('ends with a process that is killed, and is swept by the next', async () => {
    await prepared(testPlan({ script: REWARD }));
    const script = fileURLToPath(new URL('./abandonedWarm.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import=tsx', script, under.engine.host], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said]: unknown[] = await once(child.stdout, 'data');
    const label = `${OWNER_LABEL}=${String(said).trim()}`;
    assert.equal((await runningContainersWith(under.engine, label)).length, 1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await until(async () => (await runningContainersWith(under.engine, label)).length === 0);
    const next = dockerRuntime(under.engine);
    await next.runtime.run(testPlan({ script: REWARD }), {}, new AbortController().signal);
    assert.deepEqual(await containersWith(under.engine, label), []);
    await next.runtime.dispose();
  });
});

function evidenceOf(result: RunResult): Evidence {
  assert.ok(result.kind === 'ended', JSON.stringify(result));
  return result.evidence;
}

function printed(evidence: Evidence): string {
  return textOf(evidence, '/logs/verifier/test-stdout.txt');
}

function ownerLabel({ owner }: DockerUnderTest): string {
  return `${OWNER_LABEL}=${owner}`;
}
