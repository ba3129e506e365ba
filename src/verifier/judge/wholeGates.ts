/** Gates without a guard in the script: the command that stopped it, a program that it leaves the result to, or the whole script. */
import { shortened, shortenedLine } from '../../wording/shortened.ts';
import { isPython, isShell, unwrapCommand } from '../gates/commandWords.ts';
import { VERIFIER_SCRIPT } from '../plan/containerLayout.ts';
import type { GateEvidence } from './gateEvidence.ts';
import { whyNotRun } from './gateEvidence.ts';
import type { JudgeInput } from './judgeInput.ts';
import { type TracedVerifier, stoppedAt } from '../gates/readVerifier.ts';
import type { Execution } from '../trace/replay.ts';
import type { Gate } from '../verdict/verdict.ts';

/** The command that ended the script under `set -e` or an ERR trap, as a gate of its own. */
export function stoppedGate(seen: TracedVerifier, evidence: GateEvidence): Gate | undefined {
  const { end } = evidence;
  const last = stoppedAt(seen, end);
  if (end.how !== 'exited' || last?.command.kind !== 'command') return undefined;
  const program = last.command.words[0]?.text;
  if (program === 'exit' || program === 'return' || isGate(seen, last.command.id)) return undefined;
  // Inside an ERR trap bash may show 0 for the command that failed.
  const status = end.code === 0 ? last.status || undefined : end.code;
  return {
    ...gateAt(last),
    state: status !== undefined && status >= 126 ? 'errored' : 'failed',
    ...(status === undefined ? {} : { status }),
    message:
      end.code === 0
        ? 'Failed, so the ERR trap of the script ended it.'
        : `Ended the script with status ${end.code}, since it runs under set -e.`,
  };
}

function isGate(seen: TracedVerifier, id: number): boolean {
  return seen.found.gates.some((gate) => gate.placed.leaf.id === id);
}

/**
 * The last program that the script ran, as a gate, when no later line of the script writes the reward.
 * @param alone whether the script has no other gate that explains the reward
 */
export function handOverGate(seen: TracedVerifier, evidence: GateEvidence, alone: boolean): Gate | undefined {
  const { executions } = seen.replayed;
  const writes = new Set(seen.found.rewardWrites.map(({ leaf }) => leaf.id));
  const reports = new Set(seen.found.reports.map(({ leaf }) => leaf.id));
  const last = executions.findLast(
    (execution) =>
      !isGate(seen, execution.command.id) && !reports.has(execution.command.id) && handsOver(execution),
  );
  const write = executions.findLast(({ command }) => writes.has(command.id));
  if (!last || (write && write.at > last.at)) return undefined;
  // Beside other gates it counts only when the script itself wrote nothing but a zero at the start.
  if (write && !alone && (write.at === last.at || Number(write.words.at(-1)) !== 0)) return undefined;
  const { end, reward } = evidence;
  const unrun = whyNotRun(last, evidence.output);
  const endedEarly = last.isLast && end.how !== 'exited' ? 'Was stopped before it ended.' : undefined;
  const passed = (reward ?? 0) >= 1;
  const bad = evidence.cases.filter(({ state }) => state === 'failed' || state === 'errored');
  const at = bad.find((testCase) => testCase.at)?.at;
  return {
    ...gateAt(last),
    ...(last.status === undefined ? {} : { status: last.status }),
    state: unrun !== undefined || endedEarly !== undefined ? 'errored' : passed ? 'passed' : 'failed',
    message:
      unrun ??
      endedEarly ??
      (passed
        ? 'Led to the reward: the script leaves the result to this command.'
        : bad.length > 0
          ? `${bad.length} of ${evidence.cases.length} tests failed.`
          : 'Did not lead to a reward: the script leaves the result to this command.'),
    ...(at && !passed ? { at } : {}),
  };
}

const SETS_UP = /\b(pip3?|venv|ensurepip|activate|bashrc|profile|nvm\.sh|--version)\b/;

/** Whether a command runs another program: an interpreter, a sourced file, or a file by its path. */
function handsOver({ placed: { leaf, frames }, words }: Execution): boolean {
  if (leaf.kind !== 'command' || frames.some(({ kind }) => kind === 'substitution')) return false;
  const { program, args } = unwrapCommand(words);
  if (SETS_UP.test(words.join(' ').slice(0, 400))) return false;
  const named = unwrapCommand(words.filter((word) => !/^\w+=/.test(word)).slice(0, 1)).program;
  if (/^(node|ruby|perl|php|Rscript|java|make|just)$/.test(program) || isPython(program) || isShell(program))
    return args.length > 0 || leaf.heredocs.length > 0;
  if (program === 'source' || program === '.' || program === 'eval') return true;
  return (
    named !== '' && words.some((word) => /^(\.{0,2}\/)(tests\/|[^/]+$)/.test(word) && word.endsWith(named))
  );
}

function gateAt({ command, text }: Execution) {
  return {
    id: `check@${command.line}`,
    kind: 'check' as const,
    title: shortenedLine(command.text, 60),
    decisive: true,
    line: command.line,
    endLine: command.endLine,
    command: shortened(text, 300),
    runs: 1,
  };
}

/** The only gate of a verifier without a trace: the script as a whole. */
export function wholeScriptGate(input: JudgeInput, evidence: GateEvidence): Gate[] {
  const { end } = evidence;
  const started =
    end.how !== 'cannot-start' && !(end.how === 'exited' && (end.code === 126 || end.code === 127));
  const bad = evidence.cases.filter(({ state }) => state === 'failed' || state === 'errored');
  const at = bad.find((testCase) => testCase.at)?.at;
  const passed = (evidence.reward ?? 0) >= 1;
  const why =
    input.shebang.startsWith('#!') && !/bash/.test(input.shebang)
      ? ` It is run by ${input.shebang.slice(2).trim()}, which cannot be traced.`
      : '';
  return [
    {
      id: 'check@1',
      kind: 'check',
      title: 'test.sh',
      state:
        !started || end.how === 'timed-out' || end.how === 'killed'
          ? 'errored'
          : passed
            ? 'passed'
            : 'failed',
      decisive: true,
      line: 1,
      endLine: 1,
      command: VERIFIER_SCRIPT,
      ...(end.how === 'exited' ? { status: end.code } : {}),
      runs: started ? 1 : 0,
      message: !started
        ? 'The script could not be started.'
        : `${bad.length > 0 ? `${bad.length} of ${evidence.cases.length} tests failed.` : passed ? 'Led to the reward.' : 'Did not lead to a reward.'}${why}`,
      ...(at && started && !passed ? { at } : {}),
    },
  ];
}
