import assert from 'node:assert/strict';
import { readContext } from '../../../../../src/runtime/docker/image/buildContext.ts';
import { buildFailure } from '../../../../../src/runtime/docker/image/buildFailures.ts';
import { recipe, told } from '../helpers/builds.ts';
import { remedyText } from '../../../../host/remedyText.ts';

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

function failed(step: string, words: string, printed = ''): ReturnType<typeof buildFailure> {
  const context = readContext(recipe([]), {});
  assert.ok(context);
  return buildFailure(context, told({ stream: `${step}\n${printed}\n` }), words);
}
