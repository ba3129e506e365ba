import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { Demultiplexer, type OutputPart } from '../../../../../src/runtime/docker/engine/demux.ts';

interface Frame {
  readonly stderr: boolean;
  readonly bytes: Uint8Array;
}

const frames = fc.array(fc.record({ stderr: fc.boolean(), bytes: fc.uint8Array({ maxLength: 12 }) }), {
  maxLength: 6,
});

describe('demultiplexer', () => {
  it('gives the same output at every split of the stream', async function () {
    this.timeout(20_000);
    await fc.assert(
      fc.asyncProperty(frames, async (sent) => {
        const stream = multiplexed(sent);
        const expected = joined(
          sent.map(({ stderr, bytes }) => ({
            from: stderr ? 'stderr' : 'stdout',
            bytes: Buffer.from(bytes),
          })),
        );
        for (let split = 0; split <= stream.length; split++) {
          assert.deepEqual(
            await demultiplexed([stream.subarray(0, split), stream.subarray(split)]),
            expected,
          );
        }
        assert.deepEqual(await demultiplexed([...stream].map((byte) => Buffer.from([byte]))), expected);
      }),
      { numRuns: 25 },
    );
  });

  it('takes twenty thousand one-byte frames in one chunk', async () => {
    const sent = Array.from({ length: 20_000 }, (_, index) => ({
      stderr: index % 2 === 1,
      bytes: Buffer.from('x'),
    }));
    const { stdout, stderr } = await demultiplexed([multiplexed(sent)]);
    assert.equal(stdout, '78'.repeat(10_000));
    assert.equal(stderr, '78'.repeat(10_000));
  });

  it('passes on what came of a frame that is cut off, and ends', async () => {
    const stream = multiplexed([{ stderr: false, bytes: Buffer.from('hello') }]);
    assert.equal((await demultiplexed([stream.subarray(0, 10)])).stdout, Buffer.from('he').toString('hex'));
  });

  it('holds the writer up while its reader is slow', async () => {
    const parts = new Demultiplexer();
    const frame = multiplexed([{ stderr: false, bytes: Buffer.alloc(16 * 1024) }]);
    let accepted = 0;
    while (accepted < 1000 && parts.write(frame)) accepted++;
    assert.ok(accepted < 100, `${accepted} frames were taken without a reader`);
    parts.destroy();
  });
});

function multiplexed(sent: readonly Frame[]): Buffer {
  return Buffer.concat(
    sent.flatMap(({ stderr, bytes }) => {
      const header = Buffer.alloc(8);
      header[0] = stderr ? 2 : 1;
      header.writeUInt32BE(bytes.length, 4);
      return [header, bytes];
    }),
  );
}

async function demultiplexed(chunks: readonly Buffer[]): Promise<{ stdout: string; stderr: string }> {
  const parts: OutputPart[] = [];
  await pipeline(
    Readable.from(chunks.filter(({ length }) => length > 0)),
    new Demultiplexer(),
    async (source) => {
      for await (const part of source as AsyncIterable<OutputPart>) parts.push(part);
    },
  );
  return joined(parts);
}

function joined(parts: readonly OutputPart[]): { stdout: string; stderr: string } {
  const of = (from: OutputPart['from']): string =>
    Buffer.concat(parts.filter((part) => part.from === from).map(({ bytes }) => bytes)).toString('hex');
  return { stdout: of('stdout'), stderr: of('stderr') };
}
