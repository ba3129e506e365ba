import assert from 'node:assert/strict';
import { MANYBUGS, paths, task } from '../helpers/familyTasks.ts';

describe('a ManyBugs task', () => {
  it('edits /workspace/src/<file>, starting from tests/initial, else from tests/buggy', () => {
    assert.equal(Buffer.from(task(MANYBUGS).family.solution[0]?.starter ?? []).toString(), 'buggy');
    const { family, gold } = task({ ...MANYBUGS, 'tests/initial/a.c': 'initial' });
    assert.equal(family.name, 'manybugs');
    assert.equal(family.solution[0]?.path, '/workspace/src/a.c');
    assert.equal(Buffer.from(family.solution[0]?.starter ?? []).toString(), 'initial');
    assert.deepEqual(family.baselinePaths, ['/tests/buggy/a.c']);
    assert.deepEqual(family.goldPaths, ['/tests/fixed/a.c']);
    assert.equal(family.refusesStarter, true);
    assert.ok(gold.kind === 'files' && gold.from === 'tests/fixed');
  });

  it('keeps Latin-1, CRLF and form feeds of its source', () => {
    const source = '/* caf\xe9 */\r\n\f\tint x;\r\n';
    const { family } = task({ ...MANYBUGS, 'tests/initial/a.c': source });
    assert.equal(Buffer.from(family.solution[0]?.starter ?? []).toString('latin1'), source);
  });

  it('has the shape that its verifier shows', () => {
    assert.equal(task({ ...MANYBUGS, 'tests/test_state.py': '' }).family.shape, 'v2');
    const trapped = { 'tests/test.sh': '#!/bin/bash\ntrap done EXIT\n' };
    assert.equal(task({ ...MANYBUGS, ...trapped }).family.shape, 'v1');
  });

  it('is known without metadata, and finds its file without its name', () => {
    const { family } = task({
      'tests/test.sh': '#!/bin/bash\ncmp /workspace/src/z.c /tests/fixed/z.c\n',
      'tests/buggy/z.c': 'b',
      'tests/fixed/z.c': 'f',
    });
    assert.equal(family.name, 'manybugs');
    assert.equal(family.solution[0]?.path, '/workspace/src/z.c');
  });

  it('never follows a file name out of its folder', () => {
    const found = task({
      ...MANYBUGS,
      'metadata.json': '{"source": "manybugs", "flat_filename": "../../etc/x"}',
    });
    assert.deepEqual(paths(found), ['/workspace/src/a.c']);
    assert.deepEqual(
      found.problems.map(({ code, message }) => [code, message]),
      [
        [
          'bad-metadata',
          'metadata.json cannot be used: flat_filename is "../../etc/x", which is no plain file name. The task\'s files are found by their usual places instead; correct the file if they are wrong.',
        ],
      ],
    );
  });

  it('without any file to repair says so', () => {
    const found = task({
      'metadata.json': '{"source": "manybugs"}',
      'environment/Dockerfile': 'FROM x\n',
    });
    assert.deepEqual(
      found.problems.map(({ code, severity }) => [code, severity]),
      [['no-solution-file', 'warning']],
    );
  });
});
