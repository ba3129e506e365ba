import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bytesText } from '../../../src/wording/bytesText.ts';
import type { Translate } from '../../../src/wording/translate.ts';

describe('a size', () => {
  for (const [bytes, text] of [
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1.0 kB'],
    [12_345, '12.3 kB'],
    [999_949, '999.9 kB'],
    [999_951, '1.0 MB'],
    [12_300_000, '12.3 MB'],
    [4.5e9, '4.5 GB'],
    [7e18, '7000.0 PB'],
  ] as const)
    it(`of ${bytes} bytes is ${text}`, () => {
      assert.equal(bytesText(bytes), text);
    });

  it('is told to within half a step, and never as a thousand of a unit that has a larger one', () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (bytes) => {
        const text = bytesText(bytes);
        const [, number = '', unit = ''] = /^([\d.]+) (bytes?|kB|MB|GB|TB|PB)$/.exec(text) ?? [];
        const size = unit.startsWith('byte') ? 1 : 1000 ** (1 + ['kB', 'MB', 'GB', 'TB', 'PB'].indexOf(unit));
        assert.ok(Math.abs(Number(number) * size - bytes) <= size * 0.0501, text);
        assert.ok(Number(number) < 1000, text);
      }),
    );
  });

  it('has its words in the language of the editor', () => {
    const t: Translate = (message, ...args) => `<${message}|${args.join()}>`;
    assert.deepEqual(
      [bytesText(1, t), bytesText(2, t), bytesText(2000, t)],
      ['<1 byte|>', '<{0} bytes|2>', '2.0 kB'],
    );
  });
});
