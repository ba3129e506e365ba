import assert from 'node:assert/strict';
import { locateTomlKey } from '../../../../src/task/config/tomlKeys.ts';

describe('a key of a TOML text', () => {
  const text = `top = 1
"quoted key" . 'x' = 1
doc = """
[verifier]
timeout_sec = 1
"""
[a.b]
  c = 1
d.e = 2
[[steps]]
name = "one"
[[steps]]
name = "two"
[steps.verifier]
user = "x"
`;
  for (const [path, expected] of [
    [['top'], '1:1'],
    [['quoted key', 'x'], '2:1'],
    [['a', 'b', 'c'], '8:3'],
    [['a', 'b', 'd', 'e'], '9:1'],
    [['a', 'b', 'nothing'], '7:1'],
    [['steps', 0, 'name'], '11:1'],
    [['steps', 1, 'name'], '13:1'],
    [['steps', 1, 'verifier', 'user'], '15:1'],
    [['verifier', 'timeout_sec'], 'undefined'],
  ] as const)
    it(`${path.join('.')} is found at ${expected}`, () => {
      const found = locateTomlKey(text, path);
      assert.equal(found === undefined ? 'undefined' : `${found.line}:${found.column}`, expected);
    });
});
