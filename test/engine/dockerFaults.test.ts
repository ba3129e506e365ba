// What goes wrong with an engine itself: real faults of an engine that is ours alone.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OWNER_LABEL } from '../../src/runtime/docker/container/container.ts';
import { isOwnerAlive } from '../../src/runtime/owner.ts';
import type { RunPlan } from '../../src/runtime/plan.ts';
import type { RunResult, Runtime } from '../../src/runtime/runtime.ts';
import { ensureBaseImage, ensureNoBashImage } from '../host/baseImage.ts';
import {
  ensurePrivateEngine,
  killEngine,
  removePrivateEngine,
  startEngine,
  stopEngine,
  type PrivateEngine,
} from '../host/engine.ts';
import { plannedDockerfile } from '../host/plannedDockerfile.ts';
import { remedyText } from '../host/remedyText.ts';
import { containersWith, dockerRuntime, runningContainersWith } from './dockerUnderTest.ts';
import { processesWith, uniqueSeconds } from './runtimeContract.ts';
import { base64, SECOND, shellPlan, testPlan } from './testPlan.ts';
import { afterRemovals, until } from './until.ts';

const isRoot = process.getuid?.() === 0;

describe('docker runtime: faults of the engine', function () {
  this.timeout(180 * SECOND);
  let engine: PrivateEngine;
  before(async function () {
    if (!isRoot) this.skip();
    engine = await ensurePrivateEngine(`faults-${process.pid}`);
    await ensureNoBashImage(engine);
    await ensureBaseImage(engine);
  });
  after(async () => {
    if (isRoot) await removePrivateEngine(engine);
  });

  it('an engine that dies in the middle of a run is told from a failed solution, and swept when it is back', async () => {
    const { runtime, owner } = dockerRuntime(engine);
    const seconds = uniqueSeconds();
    const plan = shellPlan(`echo up; exec sleep ${seconds}`);
    // Far more than this test may take: the run has to notice by itself.
    plan.verifier.timeoutMs = 3600 * SECOND;
    const result = await runWhile(runtime, plan, async () => {
      await until(() => processesWith(`sleep ${seconds}`).length > 0);
      // An engine that dies before it has noted a start forgets the process, and nobody else could know of it.
      await until(async () => (await runningContainersWith(engine, OWNER_LABEL)).length > 0);
      await killEngine(engine.daemon);
    });
    assert.ok(result.kind === 'failed', JSON.stringify(result));
    assert.equal(result.failure.reason, 'engine-died');
    assert.match(result.failure.message, /stopped answering/);

    const gone = await runtime.run(shellPlan('true'), {}, new AbortController().signal);
    assert.ok(gone.kind === 'failed');
    assert.equal(gone.failure.reason, 'no-engine');
    assert.ok(gone.failure.message.includes(engine.host.replace('unix://', '')));

    await startEngine(engine.daemon);
    // The window that left the container is gone; the next one cleans up after it.
    const next = dockerRuntime(engine, { isOwnerAlive: (other) => other !== owner });
    const fresh = await next.runtime.run(
      shellPlan('echo 1 > /logs/verifier/reward.txt'),
      {},
      new AbortController().signal,
    );
    assert.equal(fresh.kind, 'ended', JSON.stringify(fresh));
    assert.deepEqual(await afterRemovals(() => containersWith(engine, OWNER_LABEL)), []);
    assert.deepEqual(processesWith(`sleep ${seconds}`), []);

    const again = await runtime.run(shellPlan('true'), {}, new AbortController().signal);
    assert.equal(again.kind, 'ended', 'the same runtime finds the engine that was restarted');
  });

  it('an engine that is back is asked to remove what it had when it died, by the next run', async () => {
    const { runtime, owner } = dockerRuntime(engine);
    const seconds = uniqueSeconds();
    const left = () => containersWith(engine, `${OWNER_LABEL}=${owner}`);
    const result = await runWhile(runtime, shellPlan(`exec sleep ${seconds}`), async () => {
      await until(async () => (await runningContainersWith(engine, `${OWNER_LABEL}=${owner}`)).length > 0);
      await killEngine(engine.daemon);
    });
    assert.equal(result.kind, 'failed');
    await startEngine(engine.daemon);
    assert.equal((await left()).length, 1);
    const again = await runtime.run(shellPlan('true'), {}, new AbortController().signal);
    assert.equal(again.kind, 'ended', JSON.stringify(again));
    assert.deepEqual(await afterRemovals(left), []);
  });

  for (const [how, stop] of Object.entries({ killed: killEngine, stopped: stopOrderly }))
    it(`an engine that was ${how} and started again between runs costs a container that waited, and nothing else`, async () => {
      const { runtime, owner } = dockerRuntime(engine);
      const plan = testPlan({ script: 'echo 1 > /logs/verifier/reward.txt' });
      const run = async (): Promise<RunResult> => runtime.run(plan, {}, new AbortController().signal);
      const first = await run();
      assert.equal(first.kind, 'ended', JSON.stringify(first));
      assert.equal(await runtime.warmUp?.(plan, new AbortController().signal), true);
      await stop(engine.daemon);
      assert.equal(await runtime.warmUp?.(plan, new AbortController().signal), false);
      await startEngine(engine.daemon);
      const again = await run();
      assert.ok(again.kind === 'ended', JSON.stringify(again));
      assert.deepEqual(again.evidence.collected, first.kind === 'ended' && first.evidence.collected);
      assert.deepEqual(await afterRemovals(() => containersWith(engine, `${OWNER_LABEL}=${owner}`)), []);
      assert.equal(await runtime.warmUp?.(plan, new AbortController().signal), true);
      await runtime.dispose();
      assert.deepEqual(await containersWith(engine, `${OWNER_LABEL}=${owner}`), []);
    });

  it('sweeps what a killed process left, and nothing of a living one', async () => {
    const [dead, living] = await Promise.all([startRun(engine), startRun(engine)]);
    dead.child.kill('SIGKILL');
    await once(dead.child, 'exit');
    assert.deepEqual([dead.owner, living.owner].map(isOwnerAlive), [false, true]);
    await until(async () => (await containersWith(engine, OWNER_LABEL)).length === 2);

    await dockerRuntime(engine).runtime.run(shellPlan('true'), {}, new AbortController().signal);
    assert.equal((await containersWith(engine, `${OWNER_LABEL}=${dead.owner}`)).length, 0);
    assert.equal((await containersWith(engine, `${OWNER_LABEL}=${living.owner}`)).length, 1);
    assert.equal(processesWith(`sleep ${living.seconds}`).length > 0, true);

    living.child.kill('SIGKILL');
    await once(living.child, 'exit');
    await dockerRuntime(engine).runtime.run(shellPlan('true'), {}, new AbortController().signal);
    assert.deepEqual(await afterRemovals(() => containersWith(engine, OWNER_LABEL)), []);
  });

  it('two windows at the same time leave each other alone', async () => {
    const [one, two] = [dockerRuntime(engine), dockerRuntime(engine)];
    const first = one.runtime.run(
      shellPlan('sleep 2; echo 1 > /logs/verifier/reward.txt'),
      {},
      new AbortController().signal,
    );
    await until(async () => (await containersWith(engine, `${OWNER_LABEL}=${one.owner}`)).length > 0);
    await two.runtime.run(shellPlan('true'), {}, new AbortController().signal);
    await two.runtime.dispose();
    const result = await first;
    assert.ok(result.kind === 'ended', JSON.stringify(result));
    assert.deepEqual(result.evidence.verifier.end, { how: 'exited', code: 0 });
  });

  it('says who may not use the socket, and what to do', async () => {
    const { runtime } = dockerRuntime(engine);
    process.seteuid?.(65534);
    const probe = await runtime.probe().finally(() => process.seteuid?.(0));
    assert.ok(!probe.available);
    assert.equal(probe.failure.reason, 'no-permission');
    assert.match(remedyText(probe.failure.remedies), /docker group/);
  });

  it('says what was tried when no engine answers', async () => {
    const options = {
      endpoint: '',
      home: '/nowhere',
      env: { XDG_RUNTIME_DIR: '/nowhere/run', DOCKER_HOST: 'unix:///nowhere.sock' },
    };
    const probe = await dockerRuntime(engine, options).runtime.probe();
    assert.ok(!probe.available);
    assert.equal(probe.failure.reason, 'no-engine');
    assert.match(probe.failure.message, /\/nowhere\.sock/);
  });

  it('is not led astray by DOCKER_HOST in its own process', async () => {
    const before = process.env['DOCKER_HOST'];
    process.env['DOCKER_HOST'] = 'tcp://127.0.0.1:9';
    try {
      assert.equal((await dockerRuntime(engine).runtime.probe()).available, true);
    } finally {
      if (before === undefined) delete process.env['DOCKER_HOST'];
      else process.env['DOCKER_HOST'] = before;
    }
  });
});

describe('docker runtime: a full disk', function () {
  this.timeout(180 * SECOND);
  let engine: PrivateEngine;
  let disk: string | undefined;
  before(async function () {
    if (!isRoot) this.skip();
    // Its folder is known only once it runs; it then starts again on a small disk.
    const first = await ensurePrivateEngine(`full-${process.pid}`);
    await removePrivateEngine(first);
    disk = join(first.daemon.folders[0] ?? '', 'data');
    await mkdir(disk, { recursive: true });
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', disk]);
    if (mounted.status !== 0) {
      disk = undefined;
      this.skip();
    }
    engine = await ensurePrivateEngine(`full-${process.pid}`);
    await ensureNoBashImage(engine);
  });
  after(async () => {
    if (!disk) return;
    await removePrivateEngine(engine).catch(() => undefined);
    spawnSync('umount', ['-l', disk]);
    await removePrivateEngine(engine);
  });

  it('is recognised when files are put in place, and the run leaves nothing', async () => {
    const { runtime } = dockerRuntime(engine);
    const plan = shellPlan('true');
    const bytes = Buffer.alloc(80 * 1024 ** 2).toString('base64');
    plan.verifier.files.push({ path: '/big', mode: 0o644, owner: 'root', base64: bytes });
    const result = await runtime.run(plan, {}, new AbortController().signal);
    assert.ok(result.kind === 'failed', JSON.stringify(result).slice(0, 1000));
    assert.equal(result.failure.reason, 'disk-full');
    assert.deepEqual(await afterRemovals(() => containersWith(engine, OWNER_LABEL)), []);
    const after = await runtime.run(shellPlan('true'), {}, new AbortController().signal);
    assert.equal(after.kind, 'ended', JSON.stringify(after));
  });

  it('is recognised in a build, also when the step itself finds it', async () => {
    const { runtime } = dockerRuntime(engine);
    for (const line of ['RUN head -c 100000000 /dev/zero > /big', 'COPY big /big']) {
      const dockerfile = `FROM busybox:latest\n${line}\n`;
      const context = [
        { path: 'Dockerfile', mode: 0o644, base64: base64(dockerfile) },
        { path: 'big', mode: 0o644, base64: Buffer.alloc(70 * 1024 ** 2).toString('base64') },
      ];
      const { layout } = testPlan({}).image;
      const result = await runtime.prepare(
        {
          kind: 'build',
          layout,
          dockerfile: plannedDockerfile(dockerfile),
          context,
          timeoutMs: 60 * SECOND,
        },
        {},
        new AbortController().signal,
      );
      assert.ok(result.kind === 'failed', JSON.stringify(result));
      assert.equal(result.failure.reason, 'disk-full', JSON.stringify(result.failure));
    }
  });
});

async function stopOrderly(daemon: PrivateEngine['daemon']): Promise<void> {
  await stopEngine({ host: daemon.host, how: 'reused', daemon });
}

async function runWhile(runtime: Runtime, plan: RunPlan, meanwhile: () => Promise<void>): Promise<RunResult> {
  const [result] = await Promise.all([runtime.run(plan, {}, new AbortController().signal), meanwhile()]);
  return result;
}

/** Another process that runs a plan, and is at it. */
async function startRun(
  engine: PrivateEngine,
): Promise<{ child: ChildProcess; owner: string; seconds: string }> {
  const seconds = uniqueSeconds();
  const script = fileURLToPath(new URL('./abandonedRun.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import=tsx', script, engine.host, seconds], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [owner]: unknown[] = await once(child.stdout, 'data');
  // The program in the container, not ours that has the same argument.
  await until(() => processesWith(`sleep ${seconds}`).length > 0);
  return { child, owner: String(owner).trim(), seconds };
}
