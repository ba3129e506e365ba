import assert from 'node:assert/strict';
import { applyPatch } from '../../../../src/gold/patch/applyPatch.ts';
import { goldPatch } from '../../../../src/gold/patch/goldPatch.ts';
import { file, latin1, numbered } from '../helpers/patchedFiles.ts';

describe('a patch that was edited', () => {
  const files = [file(numbered(1, 9), numbered(1, 4) + 'five\n' + numbered(6, 9))];
  const text = Buffer.from(goldPatch(files).bytes).toString();
  const applied = (edited: string) =>
    applyPatch(latin1(edited), ['/app/solution.py'], () => files[0]?.before);

  for (const [name, edited, line, because] of [
    ['context', text.replace(' line 3', ' line x'), 7, 'the starter has another line there'],
    ['a name', text.replaceAll('solution.py', 'other.py'), 1, 'it names a file that is no part of the fix'],
    ['a count', text.replace('@@ -2,7 +2,7 @@', '@@ -2,8 +2,8 @@'), 13, 'a hunk ends too early'],
    ['a head', text.replace('@@ -2,7 +2,7 @@', '@@ here @@'), 5, 'the head of a hunk belongs there'],
    ['a sign', text.replace(' line 3', 'line 3'), 7, 'a line of a hunk starts with +, - or a blank'],
    ['itself twice', text + text, 14, 'it names a file for the second time'],
    [
      'the kind',
      text.replace('index', 'new file mode 100644\nindex'),
      1,
      'it adds a file that is there already',
    ],
  ] as const)
    it(`in ${name} is refused with the line`, () => {
      assert.deepEqual(applied(edited), { ok: false, line, because });
    });
});
