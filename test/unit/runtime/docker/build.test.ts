import assert from 'node:assert/strict';
import { readContext, type BuildRecipe } from '../../../../src/runtime/docker/buildContext.ts';
import { buildFailure } from '../../../../src/runtime/docker/buildFailures.ts';
import { BuildTranscript } from '../../../../src/runtime/docker/buildTranscript.ts';
import { plannedDockerfile } from '../../../host/plannedDockerfile.ts';
import { remedyText } from '../../../host/remedyText.ts';

const DOCKERFILE = 'FROM python:3.10-slim\n\nWORKDIR /app\nRUN pip install x \\\n  y\n';

describe('build transcript', () => {
  it('takes the first error event for the failure', () => {
    const transcript = told(
      { stream: 'a\n' },
      { errorDetail: { message: 'first' }, error: 'first' },
      { error: 'second' },
    );
    assert.equal(transcript.error, 'first');
  });

  it('counts what the build made itself: no base image, nothing from the cache', () => {
    const transcript = told(
      { stream: 'Step 1/4 : FROM python:3.10-slim\n' },
      { stream: ' ---> aaaaaaaaaaaa\n' },
      { stream: 'Step 2/4 : WORKDIR /app\n ---> Using cache\n ---> bbbbbbbbbbbb\n' },
      { stream: 'Step 3/4 : RUN x\n' },
      { stream: ' ---> Running in cccccccccccc\n' },
      { stream: ' ---> dddddddddddd\n' },
    );
    assert.deepEqual(transcript.images, ['dddddddddddd']);
    assert.equal(transcript.container, 'cccccccccccc');
    assert.deepEqual(transcript.step, { number: 3, instruction: 'RUN x' });
  });

  it('logs whole lines, whatever the events are', () => {
    const lines: string[] = [];
    const transcript = new BuildTranscript((line) => lines.push(line));
    for (const value of [
      { stream: 'on' },
      { stream: 'e\r\ntwo\n' },
      'not json',
      { status: 'Pulling', id: 'x' },
      7,
    ]) {
      transcript.read(value);
    }
    assert.deepEqual(lines, ['one', 'two', 'not json']);
  });
});

describe('build failure', () => {
  it('names the line of the step that failed, and quotes what it printed', () => {
    const failure = failed(
      'Step 3/3 : RUN pip install x   y',
      'The command returned a non-zero code: 1',
      'no such package',
    );
    assert.equal(failure.reason, 'build-failed');
    assert.deepEqual(failure.at, { file: 'Dockerfile', line: 4 });
    assert.match(failure.detail ?? '', /no such package/);
    assert.match(failure.detail ?? '', /non-zero code: 1/);
  });

  it('names the line that the parser names', () => {
    assert.equal(failed('', 'dockerfile parse error line 3: unknown instruction: WORKDIRR').at?.line, 3);
  });

  it('tells a base image that cannot be pulled', () => {
    for (const words of [
      'pull access denied for python, repository does not exist or may require docker login',
      'manifest for python:3.10-slim not found: manifest unknown: manifest unknown',
      'Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host',
      'Get "https://registry-1.docker.io/v2/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      'toomanyrequests: You have reached your pull rate limit',
    ]) {
      const failure = failed('Step 1/3 : FROM python:3.10-slim', words);
      assert.equal(failure.reason, 'image-missing', words);
      assert.deepEqual(failure.at, { file: 'Dockerfile', line: 1 });
      assert.match(remedyText(failure.remedies), /setting images/);
    }
  });

  it('tells a full disk and a broken engine from a broken Dockerfile', () => {
    const full = failed('Step 3/3 : RUN x', 'write /x: no space left on device');
    assert.equal(full.reason, 'disk-full');
    const broken = failed(
      'Step 3/3 : RUN x',
      'failed to create endpoint x on network bridge: could not find bridge docker0',
    );
    assert.equal(broken.reason, 'unexpected');
  });
});

describe('build context', () => {
  it('has the same hash for the same content in any order, and another for any change', () => {
    const base = recipe([
      ['a', 'A'],
      ['b', 'B'],
    ]);
    const hash = readContext(base, {})?.hash;
    assert.equal(
      readContext(
        recipe([
          ['b', 'B'],
          ['a', 'A'],
        ]),
        {},
      )?.hash,
      hash,
    );
    assert.notEqual(
      readContext(
        recipe([
          ['a', 'A'],
          ['b', 'C'],
        ]),
        {},
      )?.hash,
      hash,
    );
    assert.notEqual(readContext(base, { 'python:3.10-slim': 'x' })?.hash, hash);
    assert.equal(readContext(base, { unused: 'x' })?.hash, hash);
  });

  it('is nothing without a Dockerfile', () => {
    assert.equal(
      readContext({ ...recipe([]), dockerfile: plannedDockerfile(DOCKERFILE, 'other/Dockerfile') }, {}),
      undefined,
    );
  });
});

function told(...values: unknown[]): BuildTranscript {
  const transcript = new BuildTranscript(() => undefined);
  for (const value of values) transcript.read(value);
  return transcript;
}

function failed(step: string, words: string, printed = ''): ReturnType<typeof buildFailure> {
  const context = readContext(recipe([]), {});
  assert.ok(context);
  return buildFailure(context, told({ stream: `${step}\n${printed}\n` }), words);
}

function recipe(files: readonly (readonly [string, string])[]): BuildRecipe {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return {
    kind: 'build',
    layout: { baseImage: 'x', workdir: '/', env: {}, files: [], skipped: [] },
    dockerfile: plannedDockerfile(DOCKERFILE),
    context: [['Dockerfile', DOCKERFILE] as const, ...files].map(([path, text]) => ({
      path,
      mode: 0o644,
      base64: base64(text),
    })),
    timeoutMs: 1000,
  };
}
