import assert from 'node:assert/strict';
import { ChangeEvent } from '../../../../src/editor/platform/changeEvent.ts';

describe('an event', () => {
  it('tells who listens, and nobody who has stopped', () => {
    const heard: number[] = [];
    const event = new ChangeEvent<number>();
    const first = event.on((value) => heard.push(value));
    event.fire(1);
    first.dispose();
    event.fire(2);
    assert.deepEqual(heard, [1]);
  });
});
