import assert from 'node:assert/strict';
import { parseFromPanel, parseToPanel } from '../../../src/webview/messages.ts';

describe('messages of the panel', () => {
  it('are refused unless they are exactly what is known', () => {
    assert.deepEqual(parseFromPanel({ type: 'action', action: 'verify', more: 1 }), {
      type: 'action',
      action: 'verify',
    });
    assert.deepEqual(parseFromPanel({ type: 'ready' }), { type: 'ready' });
    for (const odd of [
      null,
      1,
      'ready',
      {},
      { type: 'action' },
      { type: 'action', action: 'rm' },
      { type: 'openFile' },
    ])
      assert.equal(parseFromPanel(odd), undefined);
    const good = { type: 'state', state: { tone: 'passed', words: 'x', busy: false } };
    assert.deepEqual(parseToPanel(good), good);
    for (const odd of [
      null,
      {},
      { type: 'state' },
      { type: 'state', state: { tone: 'odd', words: 'x', busy: true } },
    ])
      assert.equal(parseToPanel(odd), undefined);
  });
});
