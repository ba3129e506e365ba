import assert from 'node:assert/strict';
import { counted } from '../../../src/wording/counted.ts';

describe('a number of things', () => {
  it('is one of it, or several', () => {
    assert.deepEqual(
      [0, 1, 2].map((number) => counted(number, 'task')),
      ['0 tasks', '1 task', '2 tasks'],
    );
    assert.equal(counted(2, 'gold fix', 'gold fixes'), '2 gold fixes');
  });
});
