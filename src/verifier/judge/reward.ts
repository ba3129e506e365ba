/**
 * Reads the reward that a verifier wrote, as Harbor reads it: `reward.json` first, else `reward.txt`, whose text goes
 * through Python's `float()`. Source: harbor src/harbor/verifier/verifier.py at 0.13.2. The reward is never computed here.
 */
import type { CollectedFile } from '../../runtime/evidence.ts';
import { shortenedLine } from '../../wording/shortened.ts';
import { containerBasename } from '../../task/containerPath.ts';
import { isIn } from '../../task/taskLayout.ts';
import { LOGS_FOLDER, REWARD_JSON, REWARD_TEXT } from '../plan/containerLayout.ts';
import type { UnscoredReason } from '../verdict/verdict.ts';

export type RewardReading =
  | {
      readonly kind: 'reward';
      readonly reward: number;
      readonly rewards: Readonly<Record<string, number>>;
      /** The key that was used, when there are several numbers and none is called `reward`. */
      readonly ambiguousKey?: string;
    }
  | { readonly kind: 'none'; readonly reason: UnscoredReason; readonly message: string };

type TextFile = { readonly text: string } | { readonly binary: true } | { readonly huge: number };

function textOf(file: CollectedFile): TextFile {
  if (file.omitted > 0) return { huge: file.size };
  return 'text' in file.content ? { text: file.content.text } : { binary: true };
}

/**
 * @param files files collected from `/logs/verifier`
 * @param printed the output of `test.sh`, which alone shows an empty folder in place of a reward
 */
export function readReward(files: readonly CollectedFile[], printed = ''): RewardReading {
  const json = files.find(({ path }) => path === REWARD_JSON);
  if (json) return readJson(textOf(json));
  const text = files.find(({ path }) => path === REWARD_TEXT);
  if (text) return readText(textOf(text));
  const folder = [REWARD_JSON, REWARD_TEXT]
    .map(containerBasename)
    .find((name) => isFolder(name, files, printed));
  if (folder !== undefined)
    return noReward('unparsable', `${folder} in ${LOGS_FOLDER} is a folder; a reward must be a file.`);
  return {
    kind: 'none',
    reason: 'missing',
    message:
      'The verifier ended without writing a reward: neither reward.json nor reward.txt is in /logs/verifier.',
  };
}

/** How bash and Python end the line of such an error. */
const SAYS_FOLDER: readonly ((name: string) => string)[] = [
  (name) => `/${name}: Is a directory`,
  (name) => ` ${name}: Is a directory`,
  (name) => ` Is a directory: '${LOGS_FOLDER}/${name}'`,
];

/** Whether a folder stands in place of a reward: files lie in it, or bash or Python could not write it. */
function isFolder(name: string, files: readonly CollectedFile[], printed: string): boolean {
  const place = `${LOGS_FOLDER}/${name}`;
  return (
    files.some(({ path }) => isIn(place, path)) ||
    printed.split('\n').some((line) => {
      const said = line.trimEnd();
      return SAYS_FOLDER.some((words) => said.endsWith(words(name)));
    })
  );
}

function noReward(reason: UnscoredReason, message: string): RewardReading {
  return { kind: 'none', reason, message };
}

function unreadable(name: string, file: Exclude<TextFile, { text: string }>): RewardReading {
  return 'huge' in file
    ? noReward('unparsable', `${name} holds ${file.huge.toLocaleString('en')} bytes, too many for a reward.`)
    : noReward('unparsable', `${name} is not text.`);
}

function readText(file: TextFile): RewardReading {
  if (!('text' in file)) return unreadable('reward.txt', file);
  if (file.text.trim() === '') return noReward('empty', 'reward.txt is empty.');
  const value = pythonFloat(file.text);
  if (value === undefined) return noReward('unparsable', `reward.txt is not a number: ${excerpt(file.text)}`);
  if (!Number.isFinite(value))
    return noReward('not-finite', `reward.txt is ${file.text.trim()}, which is not a finite number.`);
  return { kind: 'reward', reward: value, rewards: { reward: value } };
}

function readJson(file: TextFile): RewardReading {
  if (!('text' in file)) return unreadable('reward.json', file);
  if (file.text.trim() === '') return noReward('empty', 'reward.json is empty.');
  let parsed: unknown;
  try {
    parsed = JSON.parse(file.text);
  } catch {
    // Python's json module reads NaN and Infinity; JSON.parse does not.
    return /(?<!")\b(NaN|-?Infinity)\b(?!")/.test(file.text)
      ? noReward(
          'not-finite',
          `reward.json holds NaN or Infinity, which is not a finite number: ${excerpt(file.text)}`,
        )
      : noReward('unparsable', `reward.json is not valid JSON: ${excerpt(file.text)}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return noReward(
      'unparsable',
      `reward.json must be an object of numbers, such as {"reward": 1}; it is ${excerpt(file.text)}`,
    );
  const rewards: Record<string, number> = {};
  for (const [key, value] of Object.entries(parsed)) {
    if (typeof value !== 'number')
      return noReward('unparsable', `reward.json: “${key}” is ${kindOf(value)}; a reward must be a number.`);
    if (!Number.isFinite(value))
      return noReward('not-finite', `reward.json: “${key}” is not a finite number.`);
    rewards[key] = value;
  }
  const keys = Object.keys(rewards);
  const [first] = keys;
  if (first === undefined) return noReward('empty', 'reward.json is an empty object.');
  const key = keys.includes('reward') ? 'reward' : first;
  const reward = rewards[key] ?? 0;
  return keys.length > 1 && key !== 'reward'
    ? { kind: 'reward', reward, rewards, ambiguousKey: key }
    : { kind: 'reward', reward, rewards };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'boolean' ? String(value) : `the text “${excerpt(String(value))}”`;
}

const MOST_NUMBER = 400;

/** `float(text)` of Python 3: spaces around, digit groups with `_`, exponents, `inf` and `nan`. Undefined: ValueError. */
export function pythonFloat(text: string): number | undefined {
  const plain = text.trim();
  // No number is that long, and the pattern below takes quadratic time.
  if (plain.length > MOST_NUMBER) return undefined;
  if (/^[+-]?(inf|infinity)$/i.test(plain)) return plain.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/i.test(plain)) return Number.NaN;
  const digits = '\\d+(?:_\\d+)*';
  const shape = new RegExp(`^[+-]?(?:${digits}\\.?(?:${digits})?|\\.${digits})(?:[eE][+-]?${digits})?$`);
  return shape.test(plain) ? Number(plain.replaceAll('_', '')) : undefined;
}

function excerpt(text: string): string {
  return shortenedLine(text, 80);
}
