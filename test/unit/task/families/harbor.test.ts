import assert from 'node:assert/strict';
import { paths, task } from '../helpers/familyTasks.ts';

describe('any other Harbor task', () => {
  it('edits what the Dockerfile copies: named in the instruction first, then sources, then data', () => {
    const found = task({
      'instruction.md': 'The parser in `core.py` is wrong; see /app/settings.ini and table.csv.',
      'environment/Dockerfile':
        'FROM x\nWORKDIR /app\nCOPY pkg/ pkg/\nCOPY table.csv notes.md settings.ini ./\n',
      'environment/pkg/__init__.py': '\n',
      'environment/pkg/a.py': 'a = 1',
      'environment/pkg/core.py': 'b = 1',
      'environment/pkg/hardcore.py': 'b = 1',
      'environment/table.csv': '1',
      'environment/notes.md': 'n',
      'environment/settings.ini': 's',
    });
    assert.equal(found.family.name, 'harbor');
    assert.deepEqual(paths(found), [
      '/app/settings.ini',
      '/app/pkg/core.py',
      '/app/pkg/a.py',
      '/app/pkg/hardcore.py',
      '/app/pkg/__init__.py',
      '/app/notes.md',
      '/app/table.csv',
    ]);
  });

  it('takes a second copy of a file for the baseline, and leaves out what Harbor itself fills', () => {
    const found = task({
      'environment/Dockerfile':
        'FROM x\nCOPY a.sh /opt/orig/a.sh\nCOPY a.sh /app/a.sh\nCOPY t.sh /tests/t.sh\n',
      'environment/a.sh': 'a',
      'environment/t.sh': 't',
    });
    assert.deepEqual(paths(found), ['/app/a.sh']);
    assert.deepEqual(found.family.baselinePaths, ['/opt/orig/a.sh']);
  });

  it('without anything to edit says so, and still opens', () => {
    const found = task({ 'environment/Dockerfile': 'FROM x\nRUN git clone y\n' });
    assert.deepEqual(paths(found), []);
    assert.deepEqual(
      found.problems.map(({ code, severity, message }) => [code, severity, message]),
      [
        [
          'no-solution-file',
          'warning',
          'No COPY line of a Dockerfile brings a file from environment/, so there is nothing to edit yet. Load the working tree from the image, or add the files that the instruction asks for.',
        ],
      ],
    );
  });
});
