import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  startMessage,
  StartReader,
  waitingCommand,
} from '../../../../../src/runtime/docker/container/warmStart.ts';

const MARK = '8c7e';
const WORDS = `${MARK} ready\n${MARK} go\n`;

describe('a command that waits', () => {
  it('says when it is ready and when the verifier begins, however its words arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 20 }), async (sizes) => {
        const reader = new StartReader(MARK);
        const bytes = Buffer.from(`${WORDS}output ${WORDS}`);
        let [printed, at] = ['', 0];
        for (const size of [...sizes, bytes.length]) {
          printed += reader.push(bytes.subarray(at, at + size)).toString();
          at += size;
        }
        await Promise.all([reader.ready, reader.begun]);
        assert.equal(printed, `output ${WORDS}`);
      }),
    );
  });

  it('has not begun when it says anything else', async () => {
    const reader = new StartReader(MARK);
    reader.push(Buffer.from(`${MARK} ready\n`));
    reader.push(Buffer.from('sh: 1: tar: not found\n'));
    await reader.ready;
    const first = await Promise.race([reader.begun.then(() => 'begun'), Promise.resolve('not yet')]);
    assert.equal(first, 'not yet');
  });

  it('is told how many bytes come', () => {
    assert.equal(startMessage(Buffer.from('abc')).toString(), '\n3\nabc');
  });

  it('becomes the command with its arguments as they are', () => {
    const { command, mark } = waitingCommand(['bash', '-c', 'a "b"\n$c']);
    assert.deepEqual(command.slice(4), [mark, 'bash', '-c', 'a "b"\n$c']);
  });
});
