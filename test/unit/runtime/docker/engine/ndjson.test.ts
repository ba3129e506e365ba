import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { readJsonLines } from '../../../../../src/runtime/docker/engine/ndjson.ts';

describe('JSON lines', () => {
  it('reads the same values at every split, also inside a character', async function () {
    this.timeout(20_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ stream: fc.string({ unit: 'binary' }) }), { maxLength: 4 }),
        async (sent) => {
          const bytes = Buffer.from(sent.map((value) => `${JSON.stringify(value)}\r\n`).join(''));
          const expected: unknown = JSON.parse(JSON.stringify(sent));
          for (let split = 0; split <= bytes.length; split++) {
            assert.deepEqual(await read([bytes.subarray(0, split), bytes.subarray(split)]), expected);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('gives lines that are not JSON as text, and skips empty ones', async () => {
    assert.deepEqual(await read([Buffer.from('{"a":1}\n\nBad Gateway\n{"b":')]), [
      { a: 1 },
      'Bad Gateway',
      '{"b":',
    ]);
  });

  it('gives the last line also without a line break', async () => {
    assert.deepEqual(await read([Buffer.from('{"a":1}')]), [{ a: 1 }]);
  });

  it('cuts a line that does not end, and goes on with the next', async () => {
    const chunks = [
      ...Array.from({ length: 100 }, () => Buffer.from('x'.repeat(50))),
      Buffer.from('\n{"a":1}\n'),
    ];
    assert.deepEqual(await read(chunks, 80), ['x'.repeat(80), { a: 1 }]);
  });
});

async function read(chunks: readonly Buffer[], longest?: number): Promise<unknown[]> {
  const values: unknown[] = [];
  const stream = Readable.from(chunks.filter(({ length }) => length > 0));
  for await (const value of readJsonLines(stream, longest)) values.push(value);
  return values;
}
