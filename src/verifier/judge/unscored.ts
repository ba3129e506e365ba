/** Explains why a run gave no reward, and what to do next. */
import { bySetting, type Fault, inWords } from '../../fault/remedy.ts';
import { limitText } from '../../wording/durationText.ts';
import { shortenedLine } from '../../wording/shortened.ts';
import { VERIFIER_SCRIPT } from '../plan/containerLayout.ts';
import type { JudgeInput } from './judgeInput.ts';
import type { Execution } from '../trace/replay.ts';
import type { RewardReading } from './reward.ts';
import type { UnscoredReason } from '../verdict/verdict.ts';

export function whyUnscored(
  input: JudgeInput,
  reading: RewardReading,
  executions: readonly Execution[],
  printed: string,
): Fault & { readonly reason: UnscoredReason } {
  const { end } = input.evidence.verifier;
  const last = executions.at(-1);
  const where = last
    ? ` It was at line ${last.command.line} of test.sh: ${shortenedLine(last.text, 120)}`
    : '';
  if (end.how === 'timed-out')
    return {
      reason: 'timed-out',
      message: `The verifier was stopped at its time limit of ${limitText(end.afterMs)}.${where}`,
      remedies: [
        inWords('Look for an endless loop in the solution.'),
        bySetting('timeoutSeconds', 'raise the limit'),
      ],
    };
  const cannotStart = startFailure(input, printed);
  if (cannotStart !== undefined && reading.kind === 'none') return { reason: 'cannot-start', ...cannotStart };
  if (end.how === 'killed')
    return {
      reason: 'missing',
      message: `The verifier was killed (${end.outOfMemory ? 'out of memory' : end.signal}) and wrote no readable reward.${where}`,
      remedies: [
        inWords(
          end.outOfMemory
            ? 'Raise memory_mb in task.toml, or look for what uses so much memory.'
            : 'See the output for what happened just before.',
        ),
      ],
    };
  const message = reading.kind === 'none' ? reading.message : '';
  const status = end.how === 'exited' && end.code !== 0 ? ` test.sh ended with status ${end.code}.` : '';
  return {
    reason: reading.kind === 'none' ? reading.reason : 'missing',
    message: `${message}${status}${where}`,
    remedies: [inWords(rewardRemedy(reading))],
  };
}

function rewardRemedy(reading: RewardReading): string {
  if (reading.kind === 'reward' || reading.reason === 'missing')
    return 'A verifier should write its reward on every path. Open test.sh at the line that ran last.';
  return 'Make test.sh write one finite number to reward.txt, or an object of numbers to reward.json.';
}

function startFailure(input: JudgeInput, printed: string): Fault | undefined {
  const { end } = input.evidence.verifier;
  if (end.how === 'cannot-start')
    return {
      message: `The verifier could not be started: ${end.message}`,
      remedies: [inWords('The image needs bash, and the user and working folder that task.toml names.')],
    };
  if (end.how !== 'exited' || (end.code !== 126 && end.code !== 127) || !printed.includes(VERIFIER_SCRIPT))
    return undefined;
  if (input.shebang.endsWith('\r'))
    return {
      message:
        'test.sh could not be started: its lines end in CRLF, so the system looks for an interpreter whose name ends in a carriage return.',
      remedies: [inWords('Save tests/test.sh with LF line endings.')],
    };
  return {
    message: `test.sh could not be started: ${printed.trim().split('\n').at(-1) ?? ''}`,
    remedies: [
      inWords(`Check that the interpreter of its first line (${input.shebang || 'none'}) is in the image.`),
    ],
  };
}
