import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BoundedBuffer } from '../../../src/runtime/bounded.ts';

describe('bounded buffer', () => {
  it('keeps exactly the first and the last bytes, however the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
        fc.nat(50),
        fc.nat(50),
        (chunks, head, tail) => {
          const whole = Buffer.concat(chunks);
          const kept = filled(chunks, head, tail).toContent();
          assert.equal(kept.size, whole.length);
          if (whole.length <= head + tail) {
            assert.equal(kept.omitted, 0);
            assert.deepEqual(bytesOf(kept.content), whole);
            assert.equal(kept.tail, undefined);
          } else {
            const first = bytesOf(kept.content);
            const last = bytesOf(kept.tail ?? { text: '' });
            assert.deepEqual(first, whole.subarray(0, first.length));
            assert.deepEqual(last, whole.subarray(whole.length - last.length));
            assert.equal(kept.omitted, whole.length - first.length - last.length);
            assert.ok(first.length <= head && first.length >= head - 3);
            assert.ok(last.length <= tail && last.length >= tail - 3);
          }
        },
      ),
    );
  });

  it('leaves out a character that the cut would split', () => {
    const kept = filled([Buffer.from('aaé' + 'x'.repeat(10) + 'éb')], 3, 2).toContent();
    assert.deepEqual(kept, { size: 17, omitted: 14, content: { text: 'aa' }, tail: { text: 'b' } });
  });

  it('gives bytes that are not UTF-8 as base64', () => {
    const kept = filled([Buffer.from([0xff, 0x00])], 10, 10).toContent();
    assert.deepEqual(kept, { size: 2, omitted: 0, content: { base64: '/wA=' } });
  });

  it('says in its text how much is missing', () => {
    assert.equal(filled([Buffer.from('abcdefgh')], 2, 2).toText(), 'ab\n[… 4 bytes …]\ngh');
  });

  it('takes a hundred thousand one-byte chunks without holding them', () => {
    const buffer = BoundedBuffer.ofTotal(11);
    for (let index = 0; index < 100_000; index++) buffer.push(Buffer.from([65 + (index % 26)]));
    const kept = buffer.toContent();
    assert.deepEqual(kept.content, { text: 'ABCDEF' });
    assert.equal(kept.size, 100_000);
    assert.equal(kept.omitted, 100_000 - 11);
  });
});

function filled(chunks: readonly Uint8Array[], head: number, tail: number): BoundedBuffer {
  const buffer = new BoundedBuffer(head, tail);
  for (const chunk of chunks) buffer.push(chunk);
  return buffer;
}

function bytesOf(content: { text: string } | { base64: string }): Buffer {
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.base64, 'base64');
}
