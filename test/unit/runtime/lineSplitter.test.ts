import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/runtime/lineSplitter.ts';

describe('lines of a live log', () => {
  it('are the same however the bytes are cut', () => {
    const bytes = Buffer.from('one\ntwö\r\n\nlast');
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const lines: string[] = [];
        const splitter = new LineSplitter((line) => lines.push(line));
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        places.slice(1).forEach((end, index) => splitter.push(bytes.subarray(places[index], end)));
        splitter.end();
        assert.deepEqual(lines, ['one', 'twö', '', 'last']);
      }),
    );
  });

  it('are given in pieces when they never end', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    for (let chunk = 0; chunk < 10; chunk++) splitter.push(Buffer.alloc(10_000, 'x'));
    splitter.end();
    assert.ok(lines.every((line) => line.length <= 8192));
    assert.equal(lines.join('').length, 100_000);
  });
});
