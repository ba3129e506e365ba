import assert from 'node:assert/strict';
import { relativeTime } from '../../../../../src/editor/platform/text/relativeTime.ts';
import { inEnglish } from '../../../../../src/wording/translate.ts';

const NOW = new Date('2026-01-02T03:10:00.000Z');

describe('how long ago', () => {
  const ago = (ms: number): string =>
    relativeTime(new Date(NOW.getTime() - ms).toISOString(), NOW, inEnglish);

  it('is told as people say it', () => {
    const MINUTE = 60_000;
    assert.deepEqual([0, 59_999, MINUTE, 60 * MINUTE, 25 * 60 * MINUTE, 50 * 60 * MINUTE].map(ago), [
      'just now',
      'just now',
      '1 min ago',
      '1 h ago',
      '1 day ago',
      '2 days ago',
    ]);
  });

  it('is a date for long ago and for a time to come', () => {
    for (const text of [ago(30 * 86_400_000), ago(-3_600_000)]) assert.match(text, /202[56]/);
    assert.equal(relativeTime('never', NOW, inEnglish), 'never');
  });
});
