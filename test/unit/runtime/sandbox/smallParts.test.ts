import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mappedRanges } from '../../../../src/runtime/sandbox/identity.ts';
import { LineSplitter } from '../../../../src/runtime/lineSplitter.ts';
import { PhaseClock } from '../../../../src/runtime/phaseClock.ts';
import { startTimeOf } from '../../../../src/runtime/owner.ts';
import { stepEndOf } from '../../../../src/runtime/exitStatus.ts';

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

describe('end of a step', () => {
  it('is an exit code, or a signal when a shell reports one', () => {
    assert.deepEqual(stepEndOf(3, false), { how: 'exited', code: 3 });
    assert.deepEqual(stepEndOf(128, false), { how: 'exited', code: 128 });
    assert.deepEqual(stepEndOf(255, false), { how: 'exited', code: 255 });
    assert.deepEqual(stepEndOf(137, false), { how: 'killed', signal: 'SIGKILL', outOfMemory: false });
    assert.deepEqual(stepEndOf(137, true), { how: 'killed', signal: 'SIGKILL', outOfMemory: true });
    assert.deepEqual(stepEndOf(139, true), { how: 'killed', signal: 'SIGSEGV', outOfMemory: false });
    assert.deepEqual(stepEndOf(153, false), { how: 'killed', signal: 'SIGXFSZ', outOfMemory: false });
  });
});

describe('phases', () => {
  it('follow each other and add up', () => {
    const seen: string[] = [];
    const clock = new PhaseClock({ phase: (phase) => seen.push(phase) });
    for (const phase of ['create', 'upload', 'verify', 'upload'] as const) clock.enter(phase);
    assert.deepEqual(Object.keys(clock.clocks()).sort(), ['create', 'upload', 'verify']);
    assert.deepEqual(seen, ['create', 'upload', 'verify', 'upload']);
  });
});

describe('what the kernel says', () => {
  it('about mapped ids', () => {
    assert.deepEqual(mappedRanges('         0       1000          1\n         1     100000      65536\n'), [
      { first: 0, count: 1 },
      { first: 1, count: 65536 },
    ]);
    assert.deepEqual(mappedRanges(''), []);
  });

  it('about the start of a process with an odd name', () => {
    const fields = Array.from({ length: 30 }, (_, index) => String(index + 3));
    assert.equal(startTimeOf(`42 (a) b (c)) ${fields.join(' ')}`), '22');
  });
});
