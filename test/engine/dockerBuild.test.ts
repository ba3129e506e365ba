// Builds and pulls against a real engine.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ImageRecipe } from '../../src/runtime/plan.ts';
import type { PrepareResult, Runtime, RuntimeFailure } from '../../src/runtime/runtime.ts';
import type { Engine } from '../host/engine.ts';
import { askEngine } from '../host/engineApi.ts';
import { plannedDockerfile } from '../host/plannedDockerfile.ts';
import { remedyText } from '../host/remedyText.ts';
import { containersWith, danglingImagesWith, dockerRuntime, readyEngine } from './dockerUnderTest.ts';
import { processesWith, uniqueSeconds } from './runtimeContract.ts';
import { base64, SECOND } from './testPlan.ts';
import { afterRemovals } from './until.ts';

const CASE_LABEL = 'repair-bench-test.case';
const rootFs = z.object({ RootFS: z.object({ Layers: z.array(z.string()) }) });
const LAYOUT = { baseImage: 'x', workdir: '/', env: {}, files: [], skipped: [] } as const;

describe('docker runtime: images', function () {
  this.timeout(120 * SECOND);
  let engine: Engine;
  let runtime: Runtime;
  /** Every layer of a test's build has this label, also those of a build that failed. */
  let label: string;

  before(async function () {
    engine = await readyEngine();
    ({ runtime } = dockerRuntime(engine));
  });
  beforeEach(() => {
    label = `${CASE_LABEL}=${randomUUID()}`;
  });
  afterEach('leaves no container and no nameless image', async () => {
    assert.deepEqual(await danglingImagesWith(engine, label), []);
    assert.deepEqual(await afterRemovals(() => containersWith(engine, label)), []);
    await removeImagesWith(engine, label);
  });
  after(async () => runtime.dispose());

  const dockerfile = (...lines: string[]): string =>
    `FROM python:3.10-slim\nLABEL ${label}\n${lines.join('\n')}\n`;
  const prepare = async (
    recipe: ImageRecipe,
    signal = new AbortController().signal,
  ): Promise<PrepareResult> => runtime.prepare(recipe, {}, signal);

  it('are built once: the second time takes no time', async () => {
    const recipe = build(dockerfile('RUN echo built > /built'));
    const first = prepared(await prepare(recipe));
    const second = prepared(await prepare(recipe));
    assert.ok(first.buildMs > 0);
    assert.equal(second.buildMs, 0);
    assert.equal(second.id, first.id);
  });

  it('are built once for two who ask at the same time, and both see the output', async () => {
    const recipe = build(dockerfile('RUN echo hello; sleep 1'));
    const logs: string[][] = [[], []];
    const results = await Promise.all(
      logs.map(async (log) =>
        runtime.prepare(recipe, { log: (line) => log.push(line) }, new AbortController().signal),
      ),
    );
    assert.equal(prepared(results[0]).id, prepared(results[1]).id);
    for (const log of logs) assert.equal(log.filter((line) => line === 'hello').length, 1);
  });

  it('share what comes before the first copied file that differs', async () => {
    const layers: string[][] = [];
    for (const text of ['one', 'two']) {
      const lines = dockerfile(
        'RUN cat /proc/sys/kernel/random/uuid > /made',
        'COPY solution.py /solution.py',
      );
      const { id } = prepared(await prepare(build(lines, { 'solution.py': text })));
      const { body } = await askEngine(engine.host, 'GET', `/images/${id}/json`);
      layers.push(rootFs.parse(JSON.parse(body)).RootFS.Layers);
    }
    const [one = [], two = []] = layers;
    assert.ok(one.length >= 3);
    assert.deepEqual(one.slice(0, -1), two.slice(0, -1));
    assert.notEqual(one.at(-1), two.at(-1));
  });

  it('go on for one when the other gives up', async () => {
    const recipe = build(dockerfile('RUN sleep 2'));
    const giveUp = new AbortController();
    const [first, second] = [prepare(recipe, giveUp.signal), prepare(recipe)];
    await delay(700);
    giveUp.abort();
    assert.equal((await first).kind, 'cancelled');
    prepared(await second);
  });

  it('send files under any name', async () => {
    const recipe = build(
      dockerfile('COPY . /context', 'RUN test -f /context/run.sh -a -f /context/deep/é.txt'),
      {
        'run.sh': 'x',
        'deep/é.txt': 'x',
      },
    );
    prepared(await prepare(recipe));
  });

  it('of a build with stages leave only the last', async () => {
    const recipe = build(
      `FROM python:3.10-slim AS one\nLABEL ${label}\nRUN echo 1 > /one\nFROM python:3.10-slim\nLABEL ${label}\nCOPY --from=one /one /two\n`,
    );
    prepared(await prepare(recipe));
  });

  it('that cannot be built name the line that failed, and what it said', async () => {
    const failure = failed(
      await prepare(build(dockerfile('RUN true', '', 'RUN echo because >&2; \\', '  exit 9'))),
    );
    assert.equal(failure.reason, 'build-failed');
    assert.deepEqual(failure.at, { file: 'Dockerfile', line: 5 });
    assert.match(failure.detail ?? '', /because/);
    assert.match(failure.detail ?? '', /code: 9/);
  });

  it('that copy a file which is not there name the line', async () => {
    const failure = failed(await prepare(build(dockerfile('COPY solution.py /app/'))));
    assert.equal(failure.reason, 'build-failed');
    assert.deepEqual(failure.at, { file: 'Dockerfile', line: 3 });
    assert.match(failure.detail ?? '', /solution\.py/);
  });

  it('with an instruction that does not exist name the line', async () => {
    const failure = failed(await prepare(build(dockerfile('RUNN x'))));
    assert.equal(failure.reason, 'build-failed');
    assert.deepEqual(failure.at, { file: 'Dockerfile', line: 3 });
  });

  it('whose base image is nowhere say so, with the line and a next step', async () => {
    const failure = failed(await prepare(build('# c\nFROM localhost:1/nobody/nothing:1\nRUN true\n')));
    assert.equal(failure.reason, 'image-missing');
    assert.deepEqual(failure.at, { file: 'Dockerfile', line: 2 });
    assert.match(failure.message, /nobody\/nothing/);
    assert.match(remedyText(failure.remedies), /setting images/);
  });

  it('that need BuildKit are refused with the line', async () => {
    for (const line of [
      'RUN --mount=type=cache,target=/c true',
      'RUN <<EOF\necho x\nEOF',
      'COPY --chmod=755 a /a',
    ]) {
      const failure = failed(await prepare(build(dockerfile(line), { a: '' })));
      assert.equal(failure.reason, 'unsupported-recipe', JSON.stringify(failure));
      assert.deepEqual(failure.at, { file: 'Dockerfile', line: 3 });
    }
  });

  it('without a Dockerfile are refused', async () => {
    const failure = failed(
      await prepare({ ...build(''), dockerfile: plannedDockerfile('', 'missing/Dockerfile') }),
    );
    assert.equal(failure.reason, 'build-failed');
  });

  it('that take too long are given up, with all that they started', async () => {
    const seconds = uniqueSeconds();
    const recipe = { ...build(dockerfile('RUN true', `RUN sleep ${seconds}`)), timeoutMs: 3000 };
    const failure = failed(await prepare(recipe));
    assert.equal(failure.reason, 'build-timed-out');
    assert.deepEqual(failure.at, { file: 'Dockerfile', line: 4 });
    assert.deepEqual(processesWith(`sleep ${seconds}`), []);
  });

  it('that are cancelled end with all that they started', async () => {
    const seconds = uniqueSeconds();
    const giveUp = new AbortController();
    const running = runtime.prepare(
      build(dockerfile('RUN true', `RUN echo now; sleep ${seconds}`)),
      { log: (line) => line === 'now' && giveUp.abort() },
      giveUp.signal,
    );
    assert.equal((await running).kind, 'cancelled');
    assert.deepEqual(processesWith(`sleep ${seconds}`), []);
  });

  it('are not removed because a step prints what the builder would', async () => {
    const victim = prepared(await prepare(build(dockerfile('RUN echo victim > /victim')))).id;
    const id = victim.replace('sha256:', '').slice(0, 12);
    failed(await prepare(build(dockerfile(`RUN echo " ---> ${id}"; exit 1`))));
    assert.equal((await askEngine(engine.host, 'GET', `/images/${victim}/json`)).status, 200);
  });

  it('with much output are built in bounded memory', async () => {
    const before = process.memoryUsage().rss;
    prepared(await prepare(build(dockerfile('RUN head -c 100M /dev/zero | tr "\\0" x; yes | head -c 20M'))));
    assert.ok(process.memoryUsage().rss - before < 200 * 1024 ** 2);
  });

  it('with a name are used as they are', async () => {
    const image = prepared(await prepare(pull('python:3.10-slim')));
    assert.equal(image.buildMs, 0);
  });

  it('with a name that is nowhere say so in the words of the engine', async () => {
    const failure = failed(await prepare(pull('localhost:1/nobody/nothing')));
    assert.equal(failure.reason, 'image-missing');
    assert.match(failure.message, /localhost:1\/nobody\/nothing:latest/);
    assert.ok(failure.detail);
    assert.match(remedyText(failure.remedies), /setting images/);
  });
});

function build(
  dockerfile: string,
  files: Readonly<Record<string, string>> = {},
): Extract<ImageRecipe, { kind: 'build' }> {
  const all = Object.entries({ Dockerfile: dockerfile, ...files });
  const context = all.map(([path, text]) => ({ path, mode: 0o644, base64: base64(text) }));
  return {
    kind: 'build',
    layout: { ...LAYOUT, files: [], skipped: [] },
    dockerfile: plannedDockerfile(dockerfile),
    context,
    timeoutMs: 100 * SECOND,
  };
}

function pull(name: string): ImageRecipe {
  return { kind: 'pull', layout: { ...LAYOUT, files: [], skipped: [] }, name, timeoutMs: 60 * SECOND };
}

function prepared(result: PrepareResult | undefined): Extract<PrepareResult, { kind: 'prepared' }>['image'] {
  assert.ok(result?.kind === 'prepared', JSON.stringify(result));
  return result.image;
}

function failed(result: PrepareResult): RuntimeFailure {
  assert.ok(result.kind === 'failed', JSON.stringify(result));
  return result.failure;
}

async function removeImagesWith(engine: Engine, label: string): Promise<void> {
  const filters = JSON.stringify({ label: [label] });
  const answer = await askEngine(engine.host, 'GET', `/images/json?${new URLSearchParams({ filters })}`);
  const images: unknown = JSON.parse(answer.body);
  if (!Array.isArray(images)) return;
  for (const image of images as { Id: string }[])
    await askEngine(engine.host, 'DELETE', `/images/${image.Id}?force=1`);
}
