import assert from 'node:assert/strict';
import { styleOf } from '../../../../src/cli/terminal/terminalStyle.ts';

describe('the style of a terminal', () => {
  it('has colour only where it is wanted', () => {
    const coloured = (tty: boolean, env: Record<string, string>) =>
      styleOf({ isTTY: tty }, env, 'linux').paint('red', 'x') !== 'x';
    assert.ok(coloured(true, {}));
    assert.ok(!coloured(false, {}));
    assert.ok(!coloured(true, { NO_COLOR: '1' }));
    assert.ok(!coloured(true, { TERM: 'dumb' }));
    assert.ok(coloured(false, { FORCE_COLOR: '1' }));
    assert.ok(!coloured(true, { FORCE_COLOR: '0' }));
  });

  it('has symbols outside of ASCII only where the locale has them', () => {
    const mark = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
      styleOf({}, env, platform).symbols.passed;
    assert.equal(mark({ LANG: 'en_US.UTF-8' }), '✓');
    assert.equal(mark({ LANG: 'en_US.UTF-8', LC_ALL: 'C' }), '+');
    assert.equal(mark({}), '+');
    assert.equal(mark({}, 'darwin'), '✓');
    assert.equal(mark({ WT_SESSION: '1' }, 'win32'), '✓');
  });
});
