// What a debugger in a container prints, read as messages.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { debugFrame, DebugReader } from '../../../../src/editor/debug/debugReader.ts';

/** What a reader hears, in order, of bytes that come in these pieces. */
function heard(pieces: readonly Uint8Array[]): readonly unknown[] {
  const all: unknown[] = [];
  const reader = new DebugReader('MARK', {
    ready: () => all.push('ready'),
    failed: (why) => all.push(`failed: ${why}`),
    broken: (what) => all.push(`broken: ${what}`),
    message: (value) => all.push(value),
  });
  for (const piece of pieces) reader.push(piece);
  return all;
}

const text = (...parts: readonly string[]): Buffer => Buffer.from(parts.join(''));

describe('reading what a debugger prints', () => {
  it('takes messages out of any pieces, after any text', () => {
    fc.assert(
      fc.property(
        fc.string().filter((before) => !before.includes('MARK')),
        fc.array(
          fc.record({ seq: fc.nat(), body: fc.string({ unit: 'grapheme' }) }, { noNullPrototype: true }),
          { maxLength: 5 },
        ),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }),
        (before, messages, sizes) => {
          const all = Buffer.concat([text(before, '\nMARK ready\n'), ...messages.map(debugFrame)]);
          const pieces: Buffer[] = [];
          for (let at = 0, turn = 0; at < all.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            pieces.push(all.subarray(at, at + size));
            at += size;
          }
          assert.deepEqual(heard(pieces), ['ready', ...messages]);
        },
      ),
    );
  });

  it('hears why there is no debugger, and nothing after that', () => {
    const why = "ModuleNotFoundError: No module named 'debugpy'";
    assert.deepEqual(heard([text(`\nMARK failed ${why}\nContent-Length: 2\r\n\r\n{}`)]), [`failed: ${why}`]);
  });

  it('finds the mark behind more text than it keeps', () => {
    const flood = Buffer.alloc(1024 * 1024, 'x');
    assert.deepEqual(heard([flood, text('\nMA'), text('RK ready\n')]), ['ready']);
  });

  for (const [what, bytes, said] of [
    ['a header without an end', 'x'.repeat(5000), 'a header without an end'],
    [
      'a header without a length',
      'Content-Type: text\r\n\r\n{}',
      'a message without a length that it may have',
    ],
    [
      'a length past the bound',
      'Content-Length: 99999999\r\n\r\n',
      'a message without a length that it may have',
    ],
    ['a body that is no JSON', 'Content-Length: 3\r\n\r\n{"}', 'a message that is no JSON'],
  ] as const)
    it(`gives up at ${what}`, () => {
      const after = debugFrame({ seq: 1 });
      assert.deepEqual(heard([text('\nMARK ready\n', bytes), after]), ['ready', `broken: ${said}`]);
    });
});
