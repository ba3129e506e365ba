import assert from 'node:assert/strict';
import {
  encodingToOpen,
  linesOf,
  readableText,
} from '../../../../../src/editor/platform/text/textEncoding.ts';

describe('encodings', () => {
  it('are left to the editor for UTF-8 and for files with a mark', () => {
    for (const bytes of [Buffer.from('é'), Buffer.from([]), Buffer.from([0xff, 0xfe, 0x41, 0])])
      assert.equal(encodingToOpen(bytes), undefined);
  });

  it('map every byte of anything else to a character and back', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    assert.equal(encodingToOpen(all), 'iso88591');
    assert.deepEqual(Buffer.from(readableText(all), 'latin1'), Buffer.from(all));
    assert.deepEqual(linesOf(Buffer.from('a\r\nb\xe9\rc\n', 'latin1')), ['a', 'bé', 'c', '']);
  });
});
