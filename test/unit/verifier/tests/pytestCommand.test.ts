import assert from 'node:assert/strict';
import { argumentsForOne, nodeIdOf, runnerCommand } from '../../../../src/verifier/tests/pytestCommand.ts';

describe('a command of a test runner', () => {
  it('is known through wrappers, and not inside another shell', () => {
    assert.deepEqual(runnerCommand(['timeout', '60', 'python3', '-m', 'pytest', '-q', 'a.py']), {
      runner: 'pytest',
      start: ['timeout', '60', 'python3', '-m', 'pytest'],
      args: ['-q', 'a.py'],
    });
    assert.equal(runnerCommand(['/venv/bin/pytest', 'a.py'])?.runner, 'pytest');
    assert.equal(runnerCommand(['python3', '-m', 'unittest', 'discover'])?.runner, 'unittest');
    for (const words of [
      ['bash', '-c', 'pytest'],
      ['python3', '/tests/test_a.py', 'pytest'],
      ['python3', '-c', 'import pytest', '-m', 'pytest'],
      ['go', 'test', './...'],
      ['make', 'check'],
    ])
      assert.equal(runnerCommand(words), undefined, words.join(' '));
  });

  it('keeps how tests run and drops which ones', () => {
    assert.deepEqual(
      argumentsForOne(
        [
          ...[
            '-x',
            '-k',
            'range',
            '--maxfail=1',
            '-p',
            'no:cacheprovider',
            '--tb=short',
            '--rootdir',
            '/tests',
          ],
          ...['/tests/a.py', 'b.py', '--deselect', 'b.py::c', '-v'],
        ],
        '/tests/a.py::test_b',
      ),
      ['-p', 'no:cacheprovider', '--tb=short', '--rootdir', '/tests', '-v', '/tests/a.py::test_b'],
    );
  });

  it('names a case by the file that its report means', () => {
    const tests = ['/tests/test_solution.py', '/tests/unit/test_solution.py', '/tests/test.sh'] as const;
    const idOf = (name: string, args: readonly string[] = []): string | undefined =>
      nodeIdOf(name, args, tests);
    assert.equal(idOf('test_solution.test_a'), '/tests/test_solution.py::test_a');
    assert.equal(
      idOf('tests.unit.test_solution.TestB.test_a'),
      '/tests/unit/test_solution.py::TestB::test_a',
    );
    assert.equal(idOf('test_solution.test_a[1.5-x.y]'), '/tests/test_solution.py::test_a[1.5-x.y]');
    assert.equal(idOf('test_other.test_a', ['/repo/test_other.py::test_z']), '/repo/test_other.py::test_a');
    assert.equal(idOf('test_other.test_a'), undefined);
    assert.equal(idOf('test_solution'), undefined);
  });
});
