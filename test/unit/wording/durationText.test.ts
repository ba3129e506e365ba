import assert from 'node:assert/strict';
import fc from 'fast-check';
import { durationText, limitText } from '../../../src/wording/durationText.ts';

/** Milliseconds of one step of the last unit that a text has, and of the text itself. */
function readBack(text: string): { readonly ms: number; readonly step: number } {
  const units = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 } as const;
  const parts = [...text.matchAll(/([\d.]+) (ms|s|min|h)\b/g)].map(([, number = '', unit = '']) => {
    const size = Object.entries(units).find(([name]) => name === unit)?.[1] ?? Number.NaN;
    return { ms: Number(number) * size, step: number.includes('.') ? size / 10 : size };
  });
  return { ms: parts.reduce((sum, { ms }) => sum + ms, 0), step: parts.at(-1)?.step ?? Number.NaN };
}

describe('how long something took', () => {
  for (const [ms, text] of [
    [0, '0 ms'],
    [3.4, '3 ms'],
    [340, '340 ms'],
    [999.4, '999 ms'],
    [999.5, '1.0 s'],
    [1000, '1.0 s'],
    [1234, '1.2 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min 0 s'],
    [119_400, '1 min 59 s'],
    [119_600, '2 min 0 s'],
    [125_000, '2 min 5 s'],
    [3_599_499, '59 min 59 s'],
    [3_599_500, '1 h 0 min'],
    [7_199_999, '2 h 0 min'],
    [90_000_000, '25 h 0 min'],
  ] as const)
    it(`of ${ms} milliseconds is ${text}`, () => {
      assert.equal(durationText(ms), text);
    });

  const anyMs = fc.oneof(
    fc.double({ min: 0, max: 1e9, noNaN: true }),
    // Around where units change.
    fc
      .tuple(
        fc.constantFrom(1000, 60_000, 120_000, 3_600_000, 7_200_000),
        fc.double({ min: -600, max: 600, noNaN: true }),
      )
      .map(([around, by]) => around + by),
  );

  it('is told to within half a step of its last unit', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const { ms: told, step } = readBack(durationText(ms));
        // Minutes and seconds are rounded from milliseconds once; the sum of floats may be off by less than a unit.
        assert.ok(Math.abs(told - ms) <= step / 2 + 0.001, durationText(ms));
      }),
      { numRuns: 2000 },
    );
  });

  it('has no unit that is full', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        assert.doesNotMatch(durationText(ms), /\b1000 ms|\b60(\.0)? s\b|\b60 min\b/);
      }),
      { numRuns: 2000 },
    );
  });

  it('never grows shorter as time goes by', () => {
    fc.assert(
      fc.property(anyMs, fc.double({ min: 0, max: 100_000, noNaN: true }), (ms, more) => {
        assert.ok(readBack(durationText(ms)).ms <= readBack(durationText(ms + more)).ms);
      }),
    );
  });
});

describe('a time limit', () => {
  it('is told in seconds, as it is set', () => {
    assert.deepEqual([400, 1000, 60_000, 7_200_000].map(limitText), ['0.4 s', '1 s', '60 s', '7200 s']);
  });
});
