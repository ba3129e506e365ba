/**
 * What the tools tell a language model about a task and a run: bounded, and without spoilers. Pure.
 * The model hears about tests, and what they print, only when the person has revealed them.
 */
import type { ContainerPath } from '../../task/containerPath.ts';
import type { Task } from '../../task/task.ts';
import type {
  Gate,
  NoVerifierVerdict,
  Place,
  RewardlessVerdict,
  TestCase,
  UnscoredVerdict,
} from '../../verifier/verdict/verdict.ts';
import { reasonOf } from '../../verifier/verdict/verdictFacts.ts';
import { blameWords } from '../../verifier/verdict/words.ts';
import { shortenedInside } from '../../wording/shortened.ts';
import { inEnglish } from '../../wording/translate.ts';
import type { Revealable } from '../../workspace/workspaceFile.ts';
import { remedyWords } from '../platform/remedyWords.ts';
import { spoilerOf } from '../files/spoilers.ts';
import type { ShownVerdict } from '../task/taskState.ts';

const MOST_INSTRUCTION = 16_000;
const MOST_FILES = 100;
const MOST_GATES = 50;
const MOST_CASES = 50;
const MOST_MESSAGE = 500;
const MOST_OUTPUT = 4000;

export interface TaskFacts {
  readonly task: Task;
  readonly folder: string;
  readonly hostPathOf: (path: ContainerPath) => string;
  readonly isRevealed: (kind: Revealable) => boolean;
}

/** The instruction, what to edit, and which files may be read. */
export function taskAnswer({ task, folder, hostPathOf, isRevealed }: TaskFacts): object {
  const visible = [...task.files.keys()].filter((path) => {
    const spoiler = spoilerOf(path);
    return spoiler === undefined || isRevealed(spoiler);
  });
  const { solution } = task.family;
  return {
    task: task.id,
    workspace: folder,
    instruction: cut(task.instruction ?? '', MOST_INSTRUCTION),
    edit: solution.slice(0, MOST_FILES).map(({ path }) => ({ path: hostPathOf(path), inContainer: path })),
    ...(solution.length > MOST_FILES ? { moreFilesToEdit: solution.length - MOST_FILES } : {}),
    taskFiles: visible.slice(0, MOST_FILES),
    hiddenFiles: task.files.size - visible.length,
    next: 'Edit only the files under "edit". Then call repair_bench_run_verifier with this workspace. Do not look for hidden files: they give the solution away.',
  };
}

/** Outcome, reward, gates and cases. */
export function runAnswer(
  verdict: ShownVerdict,
  facts: Pick<TaskFacts, 'hostPathOf' | 'isRevealed'> & { readonly solution: ReadonlySet<string> },
): object {
  if (verdict.outcome === 'engine-error')
    return {
      outcome: 'could not run',
      reason: verdict.reason,
      blame: blameWords(verdict, inEnglish),
      message: cut(verdict.message, MOST_MESSAGE),
      next: `${cut(nextStep(verdict), MOST_MESSAGE)} This says nothing about the solution; tell the person, and do not change the solution because of it.`,
    };
  if (verdict.outcome === 'no-verifier') return noReward(verdict);
  const revealed = facts.isRevealed('tests');
  const { gates, cases } = verdict;
  return {
    ...(verdict.outcome === 'scored'
      ? { outcome: 'scored', reward: verdict.reward, rewards: verdict.rewards }
      : noReward(verdict)),
    ...(verdict.passRatio === undefined ? {} : { passRatio: verdict.passRatio }),
    gates: gates.slice(0, MOST_GATES).map((gate) => gateAnswer(gate, revealed, facts)),
    ...(gates.length > MOST_GATES ? { moreGates: gates.length - MOST_GATES } : {}),
    tests: {
      passed: cases.filter(({ state }) => state === 'passed').length,
      total: cases.length,
      notPassed: cases
        .filter(({ state }) => state !== 'passed')
        .slice(0, MOST_CASES)
        .map((each) => caseAnswer(each, revealed, facts)),
    },
    ...(revealed
      ? { output: cut(verdict.output.text, MOST_OUTPUT) }
      : { hidden: "What the tests say in detail is hidden: the person has not revealed this task's tests." }),
  };
}

function noReward(verdict: UnscoredVerdict | NoVerifierVerdict): object {
  return {
    outcome: 'no reward',
    reason: reasonOf(verdict),
    blame: blameWords(verdict, inEnglish),
    message: cut(verdict.message, MOST_MESSAGE),
    next: cut(nextStep(verdict), MOST_MESSAGE),
  };
}

/** In English, as everything that agents are facts is. */
function nextStep({ remedies }: RewardlessVerdict): string {
  return remedyWords(remedies, inEnglish);
}

type RunFacts = Parameters<typeof runAnswer>[1];

function gateAnswer(gate: Gate, revealed: boolean, facts: RunFacts): object {
  // The message of a failing test quotes the test.
  const message = gate.kind === 'tests' && !revealed ? '' : cut(gate.message, MOST_MESSAGE);
  return {
    gate: cut(gate.title, MOST_MESSAGE),
    state: gate.state,
    ...(gate.decisive ? { decided: true } : {}),
    ...(message === '' ? {} : { message }),
    ...placeAnswer(gate.at, revealed, facts),
  };
}

function caseAnswer({ name, state, message, at }: TestCase, revealed: boolean, facts: RunFacts): object {
  return {
    test: cut(name, MOST_MESSAGE),
    state,
    ...(revealed && message !== undefined ? { message: cut(message, MOST_MESSAGE) } : {}),
    ...placeAnswer(at, revealed, facts),
  };
}

function placeAnswer(at: Place | undefined, revealed: boolean, { solution, hostPathOf }: RunFacts): object {
  if (at === undefined) return {};
  if (isSolution(at.path, solution)) return { at: `${hostPathOf(at.path)}:${at.line}` };
  return revealed ? { at: `${at.path}:${at.line}` } : {};
}

function isSolution(path: string, solution: ReadonlySet<string>): path is ContainerPath {
  return solution.has(path);
}

/** Keeps the first and the last part, which say most. */
function cut(text: string, most: number): string {
  return shortenedInside(text, most, (omitted) => `\n[… ${omitted} characters left out …]\n`).text;
}
