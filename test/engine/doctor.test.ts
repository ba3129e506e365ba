// The doctor on a real machine: a real engine, a real sandbox, a user who may not use the engine.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doctorDocument, type DoctorDocument, errorDocument } from '../../src/cli/documents/jsonDocuments.ts';
import { IMAGES, runCli, SAMPLES, startCli, type Surroundings } from './cliUnderTest.ts';

const NOBODY = 65534;

describe('repair-bench doctor', function () {
  this.timeout(120_000);
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repair-bench-doctor-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const examine = async (
    args: readonly string[],
    surroundings?: Surroundings,
  ): Promise<{ code: number | null; document: DoctorDocument }> => {
    const ended = await runCli(['doctor', ...args, '--json'], surroundings);
    assert.notEqual(ended.stdout, '', ended.stderr);
    return { code: ended.code, document: doctorDocument.strict().parse(JSON.parse(ended.stdout)) };
  };
  const check = ({ checks }: DoctorDocument, name: string) => {
    const found = checks.find((each) => each.check === name);
    assert.ok(found, name);
    return found;
  };

  it('finds engine, images, sandbox and Python of a machine that can run a task', async () => {
    const { code, document } = await examine([SAMPLES, 'bugsinpy-0001', ...IMAGES], { cwd: folder });
    assert.equal(code, 0, JSON.stringify(document, undefined, 2));
    assert.equal(document.fine, true);
    assert.match(check(document, 'engine').message, /^(Docker|Podman) \d.* answers at /);
    assert.match(check(document, 'images').message, /has 1 image for 1 task of /);
    assert.ok(
      check(document, 'images').details.includes(
        'repair-bench-test/base:bookworm stands in for python:3.10-slim.',
      ),
    );
    assert.match(check(document, 'sandbox').message, /^bubblewrap .* ran a command in a sandbox\.$/);
    assert.match(check(document, 'python').message, /with Python 3\.\d+\.\d+ at .* and pytest \d/);
  });

  it('says which images of the sample tasks the engine lacks, and exits with 1', async () => {
    const lacking = ['--image-map', 'python:3.10-slim=repair-bench-test/not-there:1'];
    const ended = await runCli(['doctor', ...lacking]);
    assert.equal(ended.code, 1, ended.stderr);
    assert.match(ended.stdout, /^! Images, needs attention: .*repair-bench-test\/not-there:1/m);
    assert.match(ended.stdout, /^ {9}\$ docker pull .*repair-bench-test\/not-there:1/m);
    assert.match(ended.stdout, /^\d of 8 needs? attention\.$/m);
  });

  it('tells what to type where no engine answers, and is content with a sandbox that was chosen', async () => {
    const env = { DOCKER_HOST: `unix://${join(folder, 'none.sock')}` };
    const auto = await examine([], { env });
    assert.equal(auto.code, 1);
    const engine = check(auto.document, 'engine');
    assert.equal(engine.state, 'needs-care');
    assert.ok(engine.fixes.some(({ message }) => message.includes('with the variable DOCKER_HOST')));
    assert.ok(engine.fixes.some(({ message }) => message.includes('with --runtime sandbox.')));
    const chosen = await examine(['--runtime', 'sandbox'], { env });
    assert.equal(chosen.code, 0, JSON.stringify(chosen.document, undefined, 2));
  });

  it('tells a user who may not use the engine which group is asked for', async () => {
    const { code, document } = await examine(['--into', join(tmpdir(), 'w')], { uid: NOBODY, cwd: '/' });
    assert.equal(code, 1);
    const permissions = check(document, 'permissions');
    assert.equal(permissions.state, 'needs-care', JSON.stringify(document, undefined, 2));
    assert.match(permissions.message, /^This user may not use \/var\/run\/docker\.sock/);
    assert.ok(permissions.fixes.length > 0);
  });

  it('sees folders that cannot be written to', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o755 });
    const { document } = await examine(['--into', closed], {
      uid: NOBODY,
      cwd: '/',
      env: { HF_HOME: closed },
    });
    assert.match(
      check(document, 'disk').message,
      /^This user cannot write to .*closed, where workspaces go\.$/,
    );
    assert.match(check(document, 'cache').message, /^This user cannot write to .*closed\/hub/);
  });

  it('looks at the cache where downloads will go, also when its variable names another one', async () => {
    const env = { HF_HUB_CACHE: '$PLACE/hub ', PLACE: folder };
    const { document } = await examine(['--runtime', 'sandbox'], { env });
    assert.equal(
      check(document, 'cache').message,
      `Datasets from Hugging Face go to ${join(folder, 'hub')}.`,
    );
  });

  it('looks on where a row is broken, and refuses a dataset that is none', async () => {
    await mkdir(join(folder, 'tasks/broken'), { recursive: true });
    await writeFile(join(folder, 'tasks/broken/instruction.md'), '');
    await mkdir(join(folder, 'tasks/broken/environment'));
    await writeFile(join(folder, 'tasks/broken/environment/Dockerfile'), 'RUN true\n');
    const { document } = await examine([join(folder, 'tasks')]);
    assert.match(check(document, 'images').message, /has 0 images for 1 task of /);
    const none = await runCli(['doctor', join(folder, 'nothing'), '--json']);
    assert.equal(none.code, 2);
    assert.equal(errorDocument.parse(JSON.parse(none.stdout)).command, 'doctor');
  });

  it('stops when it is told to', async () => {
    // A port that takes connections and never answers.
    const { createServer } = await import('node:net');
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const asked = new Promise((resolve) => server.once('connection', resolve));
    const started = startCli(['doctor'], { env: { DOCKER_HOST: `tcp://127.0.0.1:${address.port}` } });
    await asked;
    started.kill('SIGINT');
    assert.equal((await started.ended).code, 130);
    server.close();
  });
});
