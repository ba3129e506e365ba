import assert from 'node:assert/strict';
import { gitName } from '../../../../src/gold/patch/gitNames.ts';

describe('names in a patch', () => {
  for (const [path, name] of [
    ['/app/solution.py', 'a/app/solution.py'],
    ['/app/with blank.py', '"a/app/with blank.py"'],
    ['/app/caf\u00e9', '"a/app/caf\\303\\251"'],
    ['/app/\udcff', '"a/app/\\377"'],
    ['/app/a"b\\c\n', '"a/app/a\\"b\\\\c\\n"'],
  ] as const)
    it(`${JSON.stringify(path)} is ${name}`, () => {
      assert.equal(gitName('a', path), name);
    });
});
