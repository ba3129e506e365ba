import assert from 'node:assert/strict';
import { instructionText } from '../../../src/task/taskText.ts';

describe('an instruction', () => {
  const read = (text: string) => instructionText(Buffer.from(text, 'latin1'));

  it('loses its leading canary lines, and only these', () => {
    assert.equal(read('<!-- harbor-canary GUID 1 -->\n# Title\n'), '# Title\n');
    assert.equal(read('<!-- NEVER TRAIN.\nbench-canary GUID 1 -->\n\n# canary GUID 2\nFix.\n'), 'Fix.\n');
    assert.equal(read('# Title\n# canary\n'), '# Title\n# canary\n');
    assert.equal(read('<!-- note -->\nFix.\n'), '<!-- note -->\nFix.\n');
  });

  it('is UTF-8 where it can be, else Latin-1', () => {
    assert.equal(read('caf\xc3\xa9'), 'café');
    assert.equal(read('caf\xe9'), 'café');
  });

  it('of more than a mebibyte is cut at a whole character', () => {
    const long = read(`x${'\xc3\xa9'.repeat(1024 * 1024)}`);
    assert.ok(long.startsWith(`x${'é'.repeat(1000)}`));
    assert.match(long, /é\n\n\(The rest of the instruction is not shown: another 1\.0 MB\.\)\n$/);
  });
});
