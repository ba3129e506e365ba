import assert from 'node:assert/strict';
import { commandHelp, mainHelp } from '../../../../src/cli/input/help.ts';
import { plainStyle } from '../../../../src/cli/terminal/terminalStyle.ts';
import { displayWidth } from '../../../../src/cli/terminal/textLayout.ts';

describe('help', () => {
  it('helps within the width of the terminal', () => {
    const style = plainStyle({ width: 60, colour: false, unicode: true });
    for (const line of [
      ...mainHelp(style),
      ...(['list', 'open', 'verify'] as const).flatMap((name) => commandHelp(name, style)),
    ])
      assert.ok(displayWidth(line) <= 60, line);
  });
});
