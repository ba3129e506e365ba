import assert from 'node:assert/strict';
import { type DockerfileFacts, parseDockerfile } from '../../../../src/task/dockerfile/dockerfile.ts';

function facts(text: string): DockerfileFacts {
  const parsed = parseDockerfile(text);
  assert.deepEqual(parsed.problems, []);
  assert.ok(parsed.facts !== undefined);
  return parsed.facts;
}

function messages(text: string): string[] {
  return parseDockerfile(text).problems.map(({ code, severity, line, message }) => {
    assert.deepEqual([code, severity], ['bad-dockerfile', 'blocking']);
    return `${line ?? '-'} ${message}`;
  });
}

describe('a Dockerfile', () => {
  it('gives base image, working folder, environment and user', () => {
    const found = facts(
      'ARG TAG=3.10\r\nFROM --platform=linux/amd64 python:${TAG}-slim\r\nENV A=1 B="two words" \\\r\n  # why\r\n  C=$A\r\nENV OLD one  two\r\nENV D=$A-${B:-x}-${NONE:-none}-${A:+set} E=\'$A\' F=\\$A\r\nWORKDIR /app\r\nWORKDIR sub/$A\r\nUSER $OLD\r\nENTRYPOINT ["sh"]\r\nCMD sleep 1\r\n',
    );
    assert.equal(found.baseImage, 'python:3.10-slim');
    assert.equal(found.workdir, '/app/sub/1');
    assert.deepEqual(found.env, {
      A: '1',
      B: 'two words',
      C: '',
      OLD: 'one  two',
      D: '1-two words-none-set',
      E: '$A',
      F: '$A',
    });
    assert.equal(found.user, 'one  two');
  });

  it('with several stages tells what the last one is made of', () => {
    const found = facts(
      'FROM gcc:13 AS build\nWORKDIR /b\nRUN make\nFROM debian:12 AS base\nENV X=1\nWORKDIR /base\nCOPY a /a\nFROM base\nCOPY --from=build /b/out /usr/bin/\nCOPY b .\n',
    );
    assert.equal(found.baseImage, 'debian:12');
    assert.equal(found.build.stages, 3);
    assert.deepEqual(found.env, { X: '1' });
    assert.deepEqual(
      found.copies.map(({ sources, destination, workdir, from, line }) => [
        sources,
        destination,
        workdir,
        from,
        line,
      ]),
      [
        [['a'], '/a', '/base', undefined, 7],
        [['/b/out'], '/usr/bin/', '/base', 'build', 9],
        [['b'], '.', '/base', undefined, 10],
      ],
    );
    assert.deepEqual(found.skipped, [{ line: 9, text: 'COPY --from=build /b/out /usr/bin/' }]);
  });

  it('may write a COPY as a list, over several lines, with flags and variables', () => {
    const [list, plain] = facts(
      'FROM x\nARG DIR=/srv\nCOPY --chown=me:me --chmod=0755 ["a b", \\\n  "c", "/x/"]\nCOPY a.py \\\n  $DIR/b.py\n',
    ).copies;
    assert.deepEqual(list?.sources, ['a b', 'c']);
    assert.equal(list?.destination, '/x/');
    assert.equal(list?.chown, 'me:me');
    assert.equal(list?.chmod, '0755');
    assert.equal(plain?.destination, '/srv/b.py');
    assert.equal(plain?.line, 5);
  });

  it('leaves to a build what only a build can do', () => {
    const found = facts(
      'FROM x\nRUN echo \\\n  hi\nADD https://example.org/a.txt /a\nADD data.tar.gz /data\nADD plain.txt /p\nHEALTHCHECK CMD true\nEXPOSE 80\n',
    );
    assert.deepEqual(found.skipped, [
      { line: 2, text: 'RUN echo \\\n  hi' },
      { line: 4, text: 'ADD https://example.org/a.txt /a' },
      { line: 5, text: 'ADD data.tar.gz /data' },
    ]);
    assert.deepEqual(
      found.copies.map(({ sources }) => sources),
      [['plain.txt']],
    );
  });

  it('may hold here-documents, which are files or commands', () => {
    const found = facts(
      'FROM x\nENV A=1\nCOPY <<EOF <<-\'B\' /etc/\nsays "$A"\nEOF\n\tplain $A\nB\nRUN <<EOF\nCOPY no /where\nEOF\nWORKDIR /w\n',
    );
    assert.deepEqual(found.copies[0]?.inline, [
      { name: 'EOF', text: 'says "1"\n' },
      { name: 'B', text: 'plain $A\n' },
    ]);
    assert.equal(found.copies.length, 1);
    assert.equal(found.skipped[0]?.line, 8);
    assert.equal(found.workdir, '/w');
  });

  it('says at which line each instruction starts, past comments and continued lines', () => {
    const text = '# syntax=docker/dockerfile:1\nARG A\n\nFROM x\n# c\nRUN a \\\n  # c\n  && b\nCOPY s /\n';
    assert.deepEqual(facts(text).build.instructions, [2, 4, 6, 9]);
  });

  it('names each image, its place and no stage', () => {
    const text =
      'ARG TAG=3.10\nFROM python:${TAG}-slim AS build\nFROM scratch\nCOPY --from=Build /a /a\n' +
      'COPY --from=0 /a /a\nCOPY --chown=1 --from=alpine:3 /b /b\nFROM build\n';
    assert.deepEqual(facts(text).build.images, [
      { name: 'python:3.10-slim', line: 2, start: 5, end: 23 },
      { name: 'alpine:3', line: 6, start: 22, end: 30 },
    ]);
  });

  for (const [lines, expected] of [
    ['RUN --mount=type=cache,target=/c \\\n  make', ['flag RUN --mount']],
    ['COPY --chown=1 --chmod=755 a b', ['flag COPY --chmod']],
    ['COPY --link a b', ['flag COPY --link']],
    ['ADD --keep-git-dir=true a b', ['flag ADD --keep-git-dir']],
    ['RUN <<EOF\necho\nEOF', ['here-document a here-document in RUN']],
    ['ADD <<EOF /a\necho\nEOF', ['here-document a here-document in ADD']],
    ['COPY --chmod=755 <<EOF /a\necho\nEOF', ['flag COPY --chmod', 'here-document a here-document in COPY']],
    ['COPY --from=y a b', []],
    ['RUN echo --mount', []],
    ['RUN echo $((1<<2)) <<< word', []],
  ] as const)
    it(`tells what needs BuildKit: ${lines.replaceAll('\n', '⏎')}`, () => {
      const needs = facts(`FROM x\n${lines}\n`).build.needsBuildKit;
      assert.deepEqual(
        needs.map(({ line, what, text }) => [line, `${what} ${text}`]),
        expected.map((need) => [2, need]),
      );
    });

  it('that cannot be built says at which line, and why', () => {
    assert.deepEqual(messages(' \n'), [
      '- The Dockerfile is empty, so no image can be built. Give it a FROM line.',
    ]);
    assert.deepEqual(messages('# only a comment\n'), [
      '- The Dockerfile has no FROM line, so no image can be built. Start it with FROM and a base image.',
    ]);
    const behind = ', so the image cannot be built. Correct the line.';
    for (const [text, what] of [
      ['COPY a b\n', 'Line 1 of the Dockerfile has COPY before any FROM'],
      ['FROM x\nCOPPY a b\n', 'Line 2 of the Dockerfile starts with "COPPY", which is no instruction'],
      ['FROM\n', 'Line 1 of the Dockerfile has FROM with nothing behind it'],
      ['ARG T\nFROM $T\n', 'Line 2 of the Dockerfile has FROM $T, a variable without a default'],
      ['FROM x as\n', 'Line 1 of the Dockerfile has more behind FROM than an image and "AS name"'],
      ['FROM x\nCOPY a\n', 'Line 2 of the Dockerfile has COPY without a source and a destination'],
      [
        'FROM x\nCOPY a b /c\n',
        'Line 2 of the Dockerfile copies several sources to /c, which must then end with "/"',
      ],
    ] as const)
      assert.deepEqual(messages(text), [`${/\d/.exec(what)?.[0] ?? ''} ${what}${behind}`]);
  });

  it('of absurd length is refused at once', () => {
    const start = performance.now();
    assert.match(messages('FROM x\n' + 'RUN a\\\n'.repeat(100_000))[0] ?? '', /more than 5000 lines/);
    assert.match(messages('FROM x\nRUN ' + 'a'.repeat(300_000))[0] ?? '', /262144 characters/);
    assert.ok(performance.now() - start < 1500);
  });
});

const HOSTILE: Readonly<Record<string, string>> = {
  'dollars without end': `ENV A=${'$'.repeat(200_000)}`,
  'braces that never close': `ENV A=${'${'.repeat(100_000)}`,
  'defaults in each other': `ENV A=${'${a:-'.repeat(5000)}${'}'.repeat(5000)}`,
  'values that multiply': [
    'ENV A0=0123456789',
    ...Array.from({ length: 12 }, (_, level) => `ENV A${level + 1}=${`$A${level}`.repeat(10)}`),
  ].join('\n'),
};

describe('a hostile Dockerfile', () => {
  for (const [name, line] of Object.entries(HOSTILE))
    it(`of ${name} is read within bounds`, () => {
      const { facts } = parseDockerfile(`FROM python:3.10-slim\n${line}\n`);
      assert.equal(facts?.baseImage, 'python:3.10-slim');
      assert.ok(Object.values(facts.env).every((value) => value.length <= 256 * 1024));
    });
});
