import assert from 'node:assert/strict';
import { BuildTranscript } from '../../../../../src/runtime/docker/image/buildTranscript.ts';
import { told } from '../helpers/builds.ts';

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
