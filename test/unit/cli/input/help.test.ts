import assert from 'node:assert/strict';
import { commandHelp, mainHelp } from '../../../../src/cli/input/help.ts';
import { plainLook } from '../../../../src/cli/terminal/look.ts';
import { displayWidth } from '../../../../src/cli/terminal/textLayout.ts';

describe('help', () => {
  it('helps within the width of the terminal', () => {
    const look = plainLook({ width: 60, colour: false, unicode: true });
    for (const line of [
      ...mainHelp(look),
      ...(['list', 'open', 'verify'] as const).flatMap((name) => commandHelp(name, look)),
    ])
      assert.ok(displayWidth(line) <= 60, line);
  });
});
