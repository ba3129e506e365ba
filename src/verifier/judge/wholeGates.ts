/** Gates that no guard of the script stands for: what stopped it, what it hands over to, or the script as a whole. */
import { shortened, shortenedLine } from '../../wording/shortened.ts';
import { isPython, isShell, unwrap } from '../gates/commandWords.ts';
import { VERIFIER_SCRIPT } from '../plan/containerLayout.ts';
import type { GateEvidence } from './gateEvidence.ts';
import { couldNotRun } from './gateEvidence.ts';
import type { JudgeInput } from './judgeInput.ts';
import { type SeenVerifier, stoppedAt } from '../gates/readVerifier.ts';
import type { Execution } from '../trace/replay.ts';
import type { Gate } from '../verdict/verdict.ts';

/** Under `set -e` or an ERR trap any command may end the script: the one that did becomes a gate of its own. */
export function stoppedGate(seen: SeenVerifier, evidence: GateEvidence): Gate | undefined {
  const { end } = evidence;
  const last = stoppedAt(seen, end);
  if (end.how !== 'exited' || last?.command.kind !== 'command') return undefined;
  const program = last.command.words[0]?.text;
  if (program === 'exit' || program === 'return' || isGate(seen, last.command.id)) return undefined;
  // Inside an ERR trap bash may show 0 for the command that set it off.
  const status = end.code === 0 ? last.status || undefined : end.code;
  return {
    ...gateAt(last),
    state: status !== undefined && status >= 126 ? 'errored' : 'failed',
    ...(status === undefined ? {} : { status }),
    message:
      end.code === 0
        ? 'Failed, and the script ends by its ERR trap.'
        : `Ended the script with status ${end.code}, since it runs under set -e.`,
  };
}

function isGate(seen: SeenVerifier, id: number): boolean {
  return seen.found.gates.some((gate) => gate.placed.leaf.id === id);
}

/**
 * Where no line of the script writes the reward any more, the last program that it ran has decided.
 * @param alone no guard of the script is there to explain the reward
 */
export function handOverGate(seen: SeenVerifier, evidence: GateEvidence, alone: boolean): Gate | undefined {
  const { executions } = seen.replayed;
  const writes = new Set(seen.found.rewardWrites.map(({ leaf }) => leaf.id));
  const reports = new Set(seen.found.reports.map(({ leaf }) => leaf.id));
  const last = executions.findLast(
    (execution) =>
      !isGate(seen, execution.command.id) && !reports.has(execution.command.id) && handsOver(execution),
  );
  const write = executions.findLast(({ command }) => writes.has(command.id));
  if (!last || (write && write.at > last.at)) return undefined;
  // Beside guards of the script it only counts when all that the script wrote itself is its zero at the start.
  if (write && !alone && (write.at === last.at || Number(write.words.at(-1)) !== 0)) return undefined;
  const { end, reward } = evidence;
  const unrun = couldNotRun(last, evidence.output);
  const late = last.last && end.how !== 'exited' ? 'Did not end by itself.' : undefined;
  const passed = (reward ?? 0) >= 1;
  const bad = evidence.cases.filter(({ state }) => state === 'failed' || state === 'errored');
  const at = bad.find((one) => one.at)?.at;
  return {
    ...gateAt(last),
    ...(last.status === undefined ? {} : { status: last.status }),
    state: unrun !== undefined || late !== undefined ? 'errored' : passed ? 'passed' : 'failed',
    message:
      unrun ??
      late ??
      (passed
        ? 'Led to the reward: the script leaves the verdict to it.'
        : bad.length > 0
          ? `${bad.length} of ${evidence.cases.length} tests failed.`
          : 'Did not lead to a reward: the script leaves the verdict to it.'),
    ...(at && !passed ? { at } : {}),
  };
}

const SETS_UP = /\b(pip3?|venv|ensurepip|activate|bashrc|profile|nvm\.sh|--version)\b/;

/** Runs a program of its own: an interpreter, a sourced file, or a file by its path. */
function handsOver({ placed: { leaf, frames }, words }: Execution): boolean {
  if (leaf.kind !== 'command' || frames.some(({ kind }) => kind === 'substitution')) return false;
  const { program, args } = unwrap(words);
  if (SETS_UP.test(words.join(' ').slice(0, 400))) return false;
  const named = unwrap(words.filter((word) => !/^\w+=/.test(word)).slice(0, 1)).program;
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

/** A verifier that shows no trace has one gate: the script as a whole. */
export function wholeScriptGate(input: JudgeInput, evidence: GateEvidence): Gate[] {
  const { end } = evidence;
  const started =
    end.how !== 'cannot-start' && !(end.how === 'exited' && (end.code === 126 || end.code === 127));
  const bad = evidence.cases.filter(({ state }) => state === 'failed' || state === 'errored');
  const at = bad.find((one) => one.at)?.at;
  const passed = (evidence.reward ?? 0) >= 1;
  const why =
    input.shebang.startsWith('#!') && !/bash/.test(input.shebang)
      ? ` It is run by ${input.shebang.slice(2).trim()}, which shows no steps.`
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
