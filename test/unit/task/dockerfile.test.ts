import assert from 'node:assert/strict';
import { parseDockerfile } from '../../../src/task/dockerfile.ts';
import type { DockerfileFacts } from '../../../src/task/dockerfile.ts';

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
  it('gives base image, working folder, environment, user and entry', () => {
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
    assert.equal(found.entrypoint, '["sh"]');
    assert.equal(found.cmd, 'sleep 1');
    assert.equal(found.usesBuildKit, false);
  });

  it('with several stages tells what the last one is made of', () => {
    const found = facts(
      'FROM gcc:13 AS build\nWORKDIR /b\nRUN make\nFROM debian:12 AS base\nENV X=1\nWORKDIR /base\nCOPY a /a\nFROM base\nCOPY --from=build /b/out /usr/bin/\nCOPY b .\n',
    );
    assert.equal(found.baseImage, 'debian:12');
    assert.deepEqual(
      found.stages.map(({ image, name, line }) => [image, name, line]),
      [
        ['gcc:13', 'build', 1],
        ['debian:12', 'base', 4],
        ['base', undefined, 8],
      ],
    );
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
    assert.ok(found.usesBuildKit);
  });

  it('says whether it needs BuildKit', () => {
    for (const [text, expected] of [
      ['FROM x\nRUN --mount=type=cache,target=/c make\n', true],
      ['# syntax=docker/dockerfile:1\nFROM x\n', true],
      ['FROM x\nCOPY --link a b\n', true],
      ['FROM x\nRUN echo --mount\n', false],
    ] as const)
      assert.equal(facts(text).usesBuildKit, expected, text);
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
