import assert from 'node:assert/strict';
import { plainNotification, plainLabel } from '../../../../../src/editor/platform/text/plainText.ts';

/** How VS Code finds links in a notification (src/vs/base/common/linkedText.ts), in essence. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)\3)?\)/i;

describe('a notification', () => {
  it('holds no link, whatever a task is called', () => {
    const message =
      'bug-0001 [Install the missing verifier](command:workbench.extensions.installExtension?%22evil.ext%22) has no test.sh.';
    assert.match(message, LINK);
    assert.doesNotMatch(plainNotification(message), LINK);
  });

  it('holds no control characters and is short', () => {
    assert.equal(plainNotification('a\u001b[31m\u202eb'), 'a [31m b');
    assert.equal(plainNotification('x'.repeat(5000)).length, 1000);
  });

  it('leaves ordinary text as it is', () => {
    assert.equal(
      plainNotification('list[0] (see test.sh) could not be saved.'),
      'list[0] (see test.sh) could not be saved.',
    );
  });
});

describe('text of a task', () => {
  it('is no icon where VS Code draws icons', () => {
    for (const text of ['$(alert) x', '$$(sync~spin)', 'a\u202eb$(x)'])
      assert.doesNotMatch(plainLabel(text), /\$\([a-z~-]+\)|\p{Bidi_Control}/u);
    assert.equal(plainLabel('plain (text) $HOME'), 'plain (text) $HOME');
  });
});
