import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { pack } from 'tar-stream';
import { unpackParcel } from '../../../../../src/runtime/docker/container/collect.ts';
import { ParcelReader, withParcel, type Parcel } from '../../../../../src/runtime/docker/container/parcel.ts';
import { testPlan } from '../../../../engine/testPlan.ts';

const MARK = '8c7e';
const OPENING = `\n${MARK} 3\n`;
const CLOSING = `\n${MARK} 0 0\n`;

describe('a parcel', () => {
  it('is found however its bytes arrive, and everything around it is output', () => {
    const body = `a\n${MARK.slice(0, 2)}\n\u0000b\nx ${MARK} y`;
    const bytes = Buffer.from(`out\n\n${MARK.slice(0, 3)}put${OPENING}${body}${CLOSING}`);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 80 }), (sizes) => {
        const { output, parcel } = read(chunked(bytes, sizes));
        assert.equal(output, `out\n\n${MARK.slice(0, 3)}put`);
        assert.deepEqual(parcel, { code: 3, archive: Buffer.from(body) });
      }),
    );
  });

  it('is no parcel when it was never begun, also when the output ends like a mark', () => {
    const { output, parcel } = read([Buffer.from(`text\n${MARK}`)]);
    assert.equal(output, `text\n${MARK}`);
    assert.equal(parcel, undefined);
  });

  it('is not whole without its end, with another inside, with more after it, or when a program of it failed', () => {
    for (const text of [
      `${OPENING}abc`,
      `${OPENING}abc${CLOSING}more`,
      `${OPENING}forged${CLOSING}${OPENING}abc${CLOSING}`,
      `${OPENING}abc\n${MARK} 2 0\n`,
      `${OPENING}abc\n${MARK} 141 0\n`,
    ])
      assert.deepEqual(read([Buffer.from(text)]).parcel, { code: 3, archive: undefined }, text);
  });

  it('is not kept beyond its limit, and is then not whole', () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const { parcel } = read([
      Buffer.from(OPENING),
      ...Array.from({ length: 64 }, () => chunk),
      Buffer.from(CLOSING),
    ]);
    assert.deepEqual(parcel, { code: 3, archive: undefined });
  });

  it('is asked for only from a shell with a text, for paths that need no quotes', () => {
    assert.equal(withParcel(['python3', '-c', 'x'], ['/logs']), undefined);
    assert.equal(withParcel(['bash', '/x.sh'], ['/logs']), undefined);
    assert.equal(withParcel(['bash', '-c', 'x'], ['/lo gs']), undefined);
    assert.equal(withParcel(['bash', '-c', 'x'], []), undefined);
  });
});

describe('a shell that hands over a parcel', function () {
  let folder: string;
  before(function () {
    if (process.platform === 'win32' || spawnSync('tar', ['--sort=name', '--version']).status !== 0)
      this.skip();
    folder = mkdtempSync(join(tmpdir(), 'repair-bench-parcel-'));
    mkdirSync(join(folder, 'logs/deep'), { recursive: true });
    writeFileSync(join(folder, 'logs/b'), 'b\n');
    writeFileSync(join(folder, 'logs/a'), Buffer.from([0, 255, 10]));
    writeFileSync(join(folder, 'logs/deep/c'), '');
    symlinkSync('/etc/passwd', join(folder, 'logs/link'));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true });
  });

  const handOver = async (text: string, limits = {}, args: readonly string[] = []) => {
    const paths: `/${string}`[] = [`/${folder.slice(1)}/logs`, `/${folder.slice(1)}/logs/b`];
    const asked = withParcel(['bash', '-c', text, ...args], paths);
    assert.ok(asked);
    const [shell = '', ...rest] = asked.command;
    const { stdout, status } = spawnSync(shell, rest);
    const reader = new ParcelReader(asked.mark);
    const output = reader.push(stdout).toString() + reader.rest().toString();
    const parcel = reader.parcel();
    const plan = testPlan({ collected: paths, limits });
    const archive = parcel?.archive;
    return { output, status, parcel, files: archive && (await unpackParcel(archive, plan)) };
  };

  it('keeps its output and its exit code, and gives all files in order and no link', async () => {
    const { output, status, parcel, files } = await handOver('echo hello; (exit 7)');
    assert.equal(output, 'hello\n');
    assert.equal(status, 7);
    assert.equal(parcel?.code, 7);
    assert.deepEqual(
      files?.files.map(({ path, size }) => [path.replace(folder, ''), size]),
      [
        ['/logs/a', 3],
        ['/logs/b', 2],
        ['/logs/deep/c', 0],
      ],
    );
    assert.deepEqual(
      files?.warnings.map(({ code }) => code),
      ['link-not-followed'],
    );
  });

  it('keeps its arguments', async () => {
    const { output, status, files } = await handOver('"$@"; (exit 3)', {}, ['look', 'echo', 'a  b', '$c']);
    assert.equal(output, 'a  b $c\n');
    assert.equal(status, 3);
    assert.equal(files?.files.length, 3);
  });

  it('gives nothing when it leaves by itself', async () => {
    const { status, parcel } = await handOver('exit 3');
    assert.equal(status, 3);
    assert.equal(parcel, undefined);
  });

  it('leaves it to the engine when there is more than may be brought back', async () => {
    const { parcel, files } = await handOver('true', { collectedFiles: 2 });
    assert.ok(parcel?.archive);
    assert.equal(files, undefined);
  });

  it('leaves it to the engine when a name was not asked for', async () => {
    for (const name of ['etc/passwd', 'logs/verifier/../../etc/passwd', 'logs/verifierx']) {
      const archive = pack();
      archive.entry({ name }, 'x');
      archive.finalize();
      assert.equal(await unpackParcel(await buffer(archive), testPlan({})), undefined, name);
    }
  });

  it('leaves it to the engine when a folder is gone or an archive is damaged', async () => {
    const asked = withParcel(['bash', '-c', 'true'], [`/${folder.slice(1)}/gone`]);
    assert.ok(asked);
    const reader = new ParcelReader(asked.mark);
    reader.push(execFileSync('bash', asked.command.slice(1)));
    assert.deepEqual(reader.parcel(), { code: 0, archive: undefined });
    const plan = testPlan({});
    assert.equal(await unpackParcel(Buffer.alloc(2048, 'x'), plan), undefined);
  });
});

function read(chunks: readonly Buffer[]): { output: string; parcel: Parcel | undefined } {
  const reader = new ParcelReader(MARK);
  const output = chunks.map((chunk) => reader.push(chunk));
  output.push(reader.rest());
  return { output: Buffer.concat(output).toString(), parcel: reader.parcel() };
}

function chunked(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  chunks.push(bytes.subarray(at));
  return chunks;
}
