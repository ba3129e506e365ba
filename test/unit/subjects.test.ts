// Every unit test is named after what it tests and lies where that lies: test/unit/a/b.test.ts tests src/a/b.ts.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ROOT } from '../host/root.ts';

/** Tests that hold the whole house to a rule, and so have no file of src as their subject. */
const RULES: Readonly<Record<string, string>> = {
  'architecture.test.ts': 'the lint rules about imports bite',
  'house.test.ts': 'no circles, small folders, a line in CONTRIBUTING for each',
  'contributions.test.ts': 'package.json, its texts and the code agree',
  'remedies.test.ts': 'remedies name settings and options that exist, and only the front ends word them',
  'samples.test.ts': 'the sample dataset that ships holds the sample tasks',
  'subjects.test.ts': 'every test has a subject',
};

/** Paths of the TypeScript files below a folder of the repository, with `/` on every host. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

/** What is wrong with the names and places of `tests`, both they and `sources` without the folder that mirrors the other. */
function complaintsAbout(tests: readonly string[], sources: readonly string[]): string[] {
  const known = new Set(sources);
  return tests.flatMap((test) => {
    const inHelpers = test.split('/').slice(0, -1).includes('helpers');
    const [, subject] = /^(.*?)(?:\.property)?\.test\.ts$/.exec(test) ?? [];
    if (subject === undefined) return inHelpers ? [] : [`${test} is no test and not under helpers/`];
    if (inHelpers) return [`${test} is a test under helpers/`];
    return known.has(`${subject}.ts`) ? [] : [`${test} tests no src/${subject}.ts`];
  });
}

describe('a unit test', () => {
  const tests = filesBelow('test/unit');
  const sources = filesBelow('src');

  it('is named after the file that it tests, in the same folder, and what it shares is under helpers/', () => {
    const named = tests.filter((test) => RULES[test] === undefined);
    assert.deepEqual(complaintsAbout(named, sources), []);
  });

  for (const [test, rule] of Object.entries(RULES))
    it(`needs no such file in ${test}: ${rule}`, () => {
      assert.deepEqual(complaintsAbout([test], sources).length, 1, `${test} has a subject`);
      assert.ok(tests.includes(test), `${test} is gone: strike it off the list`);
    });

  it('is found out when it is misnamed, misplaced, or lies among helpers', () => {
    const complaints = (...paths: readonly string[]): string[] =>
      complaintsAbout(paths, ['task/glob.ts', 'extension.ts']);
    assert.deepEqual(complaints('task/glob.test.ts', 'task/glob.property.test.ts', 'extension.test.ts'), []);
    assert.deepEqual(complaints('task/helpers/files.ts', 'helpers/deep/files.ts'), []);
    assert.deepEqual(complaints('task/globs.test.ts', 'glob.test.ts', 'task/glob.slow.test.ts'), [
      'task/globs.test.ts tests no src/task/globs.ts',
      'glob.test.ts tests no src/glob.ts',
      'task/glob.slow.test.ts tests no src/task/glob.slow.ts',
    ]);
    assert.deepEqual(complaints('task/files.ts', 'task/helpers/glob.test.ts', 'helpers.ts'), [
      'task/files.ts is no test and not under helpers/',
      'task/helpers/glob.test.ts is a test under helpers/',
      'helpers.ts is no test and not under helpers/',
    ]);
  });
});
