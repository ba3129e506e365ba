import assert from 'node:assert/strict';
import { parseDockerfile } from '../../../../src/task/dockerfile/dockerfile.ts';
import { expandCopies } from '../../../../src/task/dockerfile/expandCopies.ts';
import { taskFiles } from '../helpers/taskFiles.ts';

const CONTEXT = {
  'a.py': 'a',
  'b.py': 'b',
  'notes.txt': 'n',
  'src/main.c': 'm',
  'src/lib/util.c': 'u',
  'data/x.csv': 'x',
  'data/y.csv': 'y',
};

function expand(lines: string, extra: Readonly<Record<string, string>> = {}) {
  const { facts, problems } = parseDockerfile(`FROM x\n${lines}\n`);
  assert.deepEqual(problems, []);
  assert.ok(facts !== undefined);
  return expandCopies(facts, taskFiles({ ...CONTEXT, ...extra }));
}

function placed(lines: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { files, problems } = expand(lines, extra);
  assert.deepEqual(problems, []);
  return Object.fromEntries(files.map(({ path, file }) => [path, Buffer.from(file.bytes).toString()]));
}

describe('a COPY of the Dockerfile', () => {
  for (const [what, lines, expected] of [
    ['puts a file at a path', 'COPY a.py /app/b.py', { '/app/b.py': 'a' }],
    ['puts a file into a folder that ends with /', 'COPY a.py /app/', { '/app/a.py': 'a' }],
    ['puts a file into a folder that is there', 'WORKDIR /app\nCOPY a.py /app', { '/app/a.py': 'a' }],
    ['puts a file into a usual folder', 'COPY a.py /tmp', { '/tmp/a.py': 'a' }],
    [
      'puts a file beside what was copied before',
      'COPY a.py /z/q/\nCOPY b.py /z/q',
      { '/z/q/a.py': 'a', '/z/q/b.py': 'b' },
    ],
    [
      'resolves a relative place in the working folder',
      'WORKDIR /w\nCOPY a.py .\nCOPY b.py x/',
      { '/w/a.py': 'a', '/w/x/b.py': 'b' },
    ],
    [
      'keeps to the working folder of its line',
      'WORKDIR /one\nCOPY a.py ./\nWORKDIR /two',
      { '/one/a.py': 'a' },
    ],
    ['puts the contents of a folder', 'COPY src /code', { '/code/main.c': 'm', '/code/lib/util.c': 'u' }],
    [
      'puts the contents of a folder with /',
      'COPY ./src/ /code/',
      { '/code/main.c': 'm', '/code/lib/util.c': 'u' },
    ],
    ['takes several sources', 'COPY a.py b.py /app/', { '/app/a.py': 'a', '/app/b.py': 'b' }],
    [
      'takes wildcards',
      'COPY data/*.csv *.py /d/',
      { '/d/x.csv': 'x', '/d/y.csv': 'y', '/d/a.py': 'a', '/d/b.py': 'b' },
    ],
    [
      'takes the contents of folders that a wildcard matches',
      'COPY s*c /d/',
      { '/d/main.c': 'm', '/d/lib/util.c': 'u' },
    ],
    ['lets a later line win', 'COPY a.py /x\nCOPY b.py /x', { '/x': 'b' }],
    ['starts at the root of the build context', 'COPY /a.py /x', { '/x': 'a' }],
    ['leaves other stages alone', 'COPY --from=y a.py /x', {}],
    ['does not run RUN', 'RUN cp /x /y\nCOPY a.py /x', { '/x': 'a' }],
  ] as const)
    it(what, () => {
      assert.deepEqual(placed(lines), expected);
    });

  it('of everything takes everything that .dockerignore leaves', () => {
    assert.deepEqual(
      Object.keys(placed('COPY . /app', { '.dockerignore': 'data\n*.txt\nsrc/lib\n.dockerignore' })),
      ['/app/a.py', '/app/b.py', '/app/src/main.c'],
    );
  });

  it('places here-documents and gives the mode it names', () => {
    const { files } = expand('COPY --chmod=755 <<run.sh /bin/\necho\nrun.sh\nCOPY --chmod=u+x a.py /x');
    assert.deepEqual(
      files.map(({ path, mode, line }) => [path, mode, line]),
      [
        ['/bin/run.sh', 0o755, 2],
        ['/x', 0o644, 5],
      ],
    );
  });

  for (const [lines, extra, severity, message] of [
    [
      'COPY c.py /x',
      {},
      'blocking',
      'Line 2 of the Dockerfile copies "c.py", which is not in environment/, so the image cannot be built. Add the file, or take the line out.',
    ],
    [
      'COPY ../c.py /x',
      {},
      'blocking',
      'Line 2 of the Dockerfile copies "../c.py", which lies outside environment/, so the image cannot be built. Copy the file into environment/.',
    ],
    [
      'COPY a.py /x',
      { '.dockerignore': '*.py' },
      'blocking',
      'Line 2 of the Dockerfile copies "a.py", which .dockerignore leaves out, so the image cannot be built. Change one of the two.',
    ],
    [
      'COPY *.rs /x/',
      {},
      'warning',
      'Line 2 of the Dockerfile copies "*.rs", which matches no file in environment/, which some builders refuse. Add the files, or take the line out.',
    ],
  ] as const)
    it(`says what is missing for ${lines}`, () => {
      assert.deepEqual(expand(lines, extra).problems, [
        { code: 'copy-missing', severity, file: 'environment/Dockerfile', line: 2, message },
      ]);
    });
});

describe('a hostile Dockerfile', () => {
  it('that copies everything again and again is followed only so far', function () {
    this.timeout(30_000);
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`d/f${n}`, '']));
    const { files, problems } = expand('COPY d/* /a/\n'.repeat(400).trimEnd(), many);
    assert.equal(files.length, 3000);
    assert.deepEqual(
      problems.map(({ code, severity }) => [code, severity]),
      [['bad-dockerfile', 'warning']],
    );
  });
});
