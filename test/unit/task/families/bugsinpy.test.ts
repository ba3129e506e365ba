import assert from 'node:assert/strict';
import { BUGSINPY, PY, task } from '../helpers/familyTasks.ts';

describe('a BugsInPy task', () => {
  it('edits /app/solution.py, starting from what the image has', () => {
    const { family } = task(BUGSINPY);
    assert.equal(family.name, 'bugsinpy');
    assert.deepEqual(family.solution, [
      { path: '/app/solution.py', starter: new Uint8Array(Buffer.from('x = 1\n')), mode: 0o644 },
    ]);
  });

  it('has the shape that its guards show', () => {
    const shape = (texts: Readonly<Record<string, string>>) => task({ ...BUGSINPY, ...texts }).family;
    assert.equal(shape({ 'tests/test.sh': "#!/bin/bash\ntrap 'finish' EXIT\n" }).shape, 'v1');
    const v2 = shape({ 'environment/Dockerfile': `${PY}COPY solution.py .buggy_solution.py\n` });
    assert.equal(v2.shape, 'v2');
    assert.deepEqual(v2.baselinePaths, ['/app/.buggy_solution.py']);
    assert.deepEqual([v2.hashPaths, v2.refusesStarter], [[], true]);
    const made = shape({ 'environment/Dockerfile': `${PY}RUN cp solution.py .buggy_solution.py\n` });
    assert.deepEqual(made.baselinePaths, ['/app/.buggy_solution.py']);
    const v4 = shape({ 'tests/baseline_sha256.txt': '0' });
    assert.equal(v4.shape, 'v4');
    assert.deepEqual(v4.baselinePaths, []);
    assert.deepEqual([v4.hashPaths, v4.refusesStarter], [['/tests/baseline_sha256.txt'], true]);
    assert.equal(shape({}).shape, undefined);
    assert.equal(shape({}).refusesStarter, false);
  });

  it('is known without metadata by where its files lie', () => {
    const files = {
      'environment/solution.py': '',
      'tests/test_solution.py': '',
      'tests/test.sh': '#!/bin/bash\npython3 -m py_compile /app/solution.py\n',
    };
    assert.equal(task(files).family.name, 'bugsinpy');
    assert.equal(task({ ...files, 'metadata.json': '{"source": "quixbugs"}' }).family.name, 'harbor');
  });
});
