import assert from 'node:assert/strict';
import {
  cut,
  displayWidth,
  printable,
  printableJson,
  wrap,
} from '../../../../src/cli/terminal/textLayout.ts';

describe('text on a terminal', () => {
  it('is wrapped by what it shows, not by how many characters it has', () => {
    assert.deepEqual(wrap('one two three', 10), ['one two', 'three']);
    assert.deepEqual(wrap('x'.repeat(25), 10), ['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)]);
    assert.deepEqual(wrap('', 10), ['']);
    assert.equal(displayWidth('日本é'), 5);
  });

  it('is harmless', () => {
    assert.equal(printable('a\u001b[2Jb\tc\r\nd\udce9'), 'a\\x1b[2Jb    c\nd\\udce9');
  });
});

describe('hostile text', () => {
  it('has no mark that turns the writing, no tag and no byte order mark on a terminal', () => {
    assert.equal(printable('a\u061cb\ufeffc\u{e0041}d'), 'a\\u061cb\\ufeffc\\ue0041d');
  });

  it('is the same text in a JSON document that is safe to print', () => {
    const value = { a: 'x\u009b31m\u202e\u061c\ufeff\u{e0041}\u007f é 😀' };
    const text = printableJson(JSON.stringify(value));
    assert.doesNotMatch(text, /[\u007f-\u009f\u202e\u061c\ufeff]|[\u{e0000}-\u{e007f}]/u);
    assert.deepEqual(JSON.parse(text), value);
  });

  it('is laid out in one look at each character, however long a word is', () => {
    // Measuring the rest of the word again for every line would take hours for this.
    const lines = wrap('x'.repeat(5_000_000), 80);
    assert.equal(lines.length, 62_500);
    assert.ok(lines.every((line) => line.length === 80));
    assert.equal(cut('字'.repeat(5_000_000), 10, '…'), `${'字'.repeat(4)}…`);
    assert.equal(cut('short', 10, '…'), 'short');
    assert.deepEqual(wrap('字'.repeat(7), 10), ['字'.repeat(5), '字'.repeat(2)]);
  });
});
