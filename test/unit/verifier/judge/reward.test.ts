import assert from 'node:assert/strict';
import type { CollectedFile } from '../../../../src/runtime/evidence.ts';
import { pythonFloat, readReward } from '../../../../src/verifier/judge/reward.ts';

function file(name: string, text: string): CollectedFile {
  return { path: `/logs/verifier/${name}`, size: Buffer.byteLength(text), omitted: 0, content: { text } };
}

describe('the reward', () => {
  it('is what reward.json says before reward.txt', () => {
    const reading = readReward([file('reward.txt', '0'), file('reward.json', '{"reward": 1, "style": 0.5}')]);
    assert.deepEqual(reading, { kind: 'reward', reward: 1, rewards: { reward: 1, style: 0.5 } });
  });

  it("is read from reward.txt as Python's float() reads it", () => {
    const samples: [string, number | undefined][] = [
      ['1', 1],
      [' 0.25\n', 0.25],
      ['1e-3', 0.001],
      ['1_000.5', 1000.5],
      ['.5', 0.5],
      ['5.', 5],
      ['+1', 1],
      ['0x10', undefined],
      ['1,5', undefined],
      ['1 passed', undefined],
      ['', undefined],
      ['1__0', undefined],
    ];
    for (const [text, value] of samples) assert.equal(pythonFloat(text), value, JSON.stringify(text));
    assert.ok(Number.isNaN(pythonFloat('nan')));
    assert.equal(pythonFloat('-Infinity'), -Infinity);
  });

  const refused: [string, CollectedFile[], string, string][] = [
    [
      'nothing',
      [],
      'missing',
      'The verifier ended without writing a reward: neither reward.json nor reward.txt is in /logs/verifier.',
    ],
    ['an empty reward.txt', [file('reward.txt', '\n')], 'empty', 'reward.txt is empty.'],
    [
      'words',
      [file('reward.txt', '3 passed in 0.1s')],
      'unparsable',
      'reward.txt is not a number: 3 passed in 0.1s',
    ],
    ['nan', [file('reward.txt', 'nan')], 'not-finite', 'reward.txt is nan, which is not a finite number.'],
    [
      'inf in JSON',
      [file('reward.json', '{"reward": Infinity}')],
      'not-finite',
      'reward.json holds NaN or Infinity, which is not a finite number: {"reward": Infinity}',
    ],
    [
      'a bare number in JSON',
      [file('reward.json', '1')],
      'unparsable',
      'reward.json must be an object of numbers, such as {"reward": 1}; it is 1',
    ],
    [
      'nested JSON',
      [file('reward.json', '{"reward": {"a": 1}}')],
      'unparsable',
      'reward.json: “reward” is an object; a reward must be a number.',
    ],
    [
      'a boolean',
      [file('reward.json', '{"reward": true}')],
      'unparsable',
      'reward.json: “reward” is true; a reward must be a number.',
    ],
    ['an empty object', [file('reward.json', '{}')], 'empty', 'reward.json is an empty object.'],
    [
      'broken JSON',
      [file('reward.json', '{"reward": 1'), file('reward.txt', '1')],
      'unparsable',
      'reward.json is not valid JSON: {"reward": 1',
    ],
    [
      'a huge file',
      [
        {
          path: '/logs/verifier/reward.txt',
          size: 5_000_000,
          omitted: 4_000_000,
          content: { text: '1' },
          tail: { text: '1' },
        },
      ],
      'unparsable',
      'reward.txt holds 5,000,000 bytes, too many for a reward.',
    ],
    [
      'bytes that are not text',
      [{ path: '/logs/verifier/reward.txt', size: 2, omitted: 0, content: { base64: '//8=' } }],
      'unparsable',
      'reward.txt is not text.',
    ],
  ];
  for (const [name, files, reason, message] of refused)
    it(`is none for ${name}, and says why`, () => {
      assert.deepEqual(readReward(files), { kind: 'none', reason, message });
    });

  it('is none for a folder in its place, with files in it or empty, and says that it is one', () => {
    const none = {
      kind: 'none',
      reason: 'unparsable',
      message: 'reward.txt in /logs/verifier is a folder; a reward must be a file.',
    };
    assert.deepEqual(readReward([file('reward.txt/part', '1')]), none);
    for (const line of [
      '/tests/test.sh: line 3: /logs/verifier/reward.txt: Is a directory',
      '/tests/test.sh: line 3: reward.txt: Is a directory',
      "IsADirectoryError: [Errno 21] Is a directory: '/logs/verifier/reward.txt'",
    ])
      assert.deepEqual(readReward([], `before\n${line}\r\nafter`), none);
    const says = '/tests/test.sh: line 3: /logs/verifier/reward.txt: Is a directory';
    assert.equal(readReward([file('reward.txt', '1')], says).kind, 'reward');
    const other = readReward([file('more-reward.txt/part', '1')], 'more-reward.txt: Is a directory');
    assert.equal(other.kind === 'none' && other.reason, 'missing');
  });

  it('is no number when it is very long, and that is found at once', () => {
    assert.equal(pythonFloat(`${'1'.repeat(1_000_000)}x`), undefined);
  });

  it('says which number is shown when none is called reward', () => {
    const reading = readReward([file('reward.json', '{"style": 0.5, "speed": 1}')]);
    assert.deepEqual(reading, {
      kind: 'reward',
      reward: 0.5,
      rewards: { style: 0.5, speed: 1 },
      ambiguousKey: 'style',
    });
  });
});
