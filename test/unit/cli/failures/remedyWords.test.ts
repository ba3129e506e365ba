import assert from 'node:assert/strict';
import { COMMANDS, type CommandName, isCommand } from '../../../../src/cli/commands.ts';
import { remedyAndLine, remedyWords, warningWords } from '../../../../src/cli/failures/remedyWords.ts';
import { byChoice, byCommand, bySetting, inWords, type Remedy } from '../../../../src/fault/remedy.ts';
import { choiceNameSchema, settingNameSchema } from '../../../../src/fault/remedySchema.ts';

const COMMAND_NAMES = Object.keys(COMMANDS).filter(isCommand);

describe('a remedy on the command line', () => {
  const cases: readonly (readonly [CommandName, Remedy, string])[] = [
    ['verify', inWords('Check the name.'), 'Check the name.'],
    ['verify', bySetting('images', 'map it to a mirror'), 'Map it to a mirror with --image-map A=B.'],
    [
      'verify',
      bySetting('hostVariables', 'let the task read A'),
      'Let the task read A with --host-var NAME.',
    ],
    ['verify', bySetting('timeoutSeconds', 'raise the limit'), 'Raise the limit with --timeout SECONDS.'],
    ['verify', bySetting('allowNetwork', 'allow it one'), 'Allow it one with --network.'],
    [
      'verify',
      bySetting('dockerEndpoint', 'name an engine'),
      'Name an engine with the variable DOCKER_HOST.',
    ],
    ['open', bySetting('workspaceFolder', 'choose another folder'), 'Choose another folder with --into DIR.'],
    [
      'doctor',
      bySetting('runtime', 'use the sandbox', { value: 'sandbox', note: 'It needs no image.' }),
      'Use the sandbox with --runtime sandbox. It needs no image.',
    ],
    [
      'doctor',
      byCommand('docker system prune', 'remove what nothing uses', 'It asks first.'),
      'Remove what nothing uses: `docker system prune`. It asks first.',
    ],
    ['gold save', byChoice('replace', 'replace it'), 'Replace it with --force.'],
    ['gold export', byChoice('dataset', 'name the dataset'), 'Name the dataset with --dataset DATASET.'],
    ['gold export', byChoice('skip-unmatched', 'leave them out'), 'Leave them out with --skip-unmatched.'],
  ];
  for (const [command, remedy, words] of cases)
    it(`of "${command}": ${words}`, () => {
      assert.equal(remedyWords([remedy], command), words);
    });

  it('that is not the first is another way out', () => {
    assert.equal(
      remedyWords([inWords('Check the name.'), bySetting('images', 'map it to a mirror')], 'verify'),
      'Check the name. Or map it to a mirror with --image-map A=B.',
    );
  });

  it('names only options that the command has', () => {
    const remedies: readonly Remedy[] = [
      ...settingNameSchema.options.map((name) => bySetting(name, 'do it')),
      ...choiceNameSchema.options.map((name) => byChoice(name, 'do it')),
    ];
    for (const command of COMMAND_NAMES)
      for (const remedy of remedies) {
        const words = remedyWords([remedy], command);
        const [, option] = /--([a-z-]+)/.exec(words) ?? [];
        assert.ok(option === undefined || Object.hasOwn(COMMANDS[command].options, option), words);
      }
    assert.equal(remedyWords([bySetting('images', 'map it to a mirror')], 'list'), 'Map it to a mirror.');
    assert.equal(remedyWords([bySetting('images', 'map it to a mirror')], null), 'Map it to a mirror.');
  });

  it('is shown apart from the line to type', () => {
    assert.deepEqual(remedyAndLine(byCommand('docker pull a', 'pull it', 'It takes long.'), 'doctor'), {
      message: 'Pull it. It takes long.',
      command: 'docker pull a',
    });
    assert.deepEqual(remedyAndLine(bySetting('images', 'map it'), 'doctor'), {
      message: 'Map it with --image-map A=B.',
      command: null,
    });
  });

  it('follows the warning that it is about', () => {
    const warning = { code: 'no-network', message: 'There was no network.' };
    assert.equal(warningWords(warning, 'verify'), 'There was no network.');
    assert.equal(
      warningWords({ ...warning, remedies: [bySetting('allowNetwork', 'allow it one')] }, 'gold check'),
      'There was no network. Allow it one with --network.',
    );
  });
});
