/** The subject of a run that `--solution`, `--gold` and `--starter` name, and its description. */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { workspaceGold } from '../../gold/goldFix.ts';
import { type ContainerPath, containerBasename } from '../../task/containerPath.ts';
import type { Task } from '../../task/task.ts';
import { changesOf, type FileChange, starterOf, type SolutionState } from '../../verifier/plan/solution.ts';
import type { Subject } from '../../verifier/plan/subject.ts';
import { readPlainFile } from '../../workspace/plainFile.ts';
import { readSolution, readSolutionTree } from '../../workspace/readSolution.ts';
import type { RunSubject } from '../../workspace/runs/runs.ts';
import type { TaskWorkspace } from '../../workspace/taskWorkspace.ts';
import { joinWords } from '../../wording/joinWords.ts';
import type { SubjectArgument } from '../input/arguments.ts';
import { CliError } from '../failures/cliError.ts';

export interface ChosenSubject {
  readonly subject: Subject;
  readonly kind: RunSubject;
  /** For the header: `your solution: solution.py changed`. */
  readonly words: string;
}

const MOST_FILE_BYTES = 64 * 1024 * 1024;
const MOST_NAMES = 3;

/** @throws CliError, WorkspaceError */
export async function chooseSubject(
  task: Task,
  workspace: TaskWorkspace | undefined,
  argument: SubjectArgument,
): Promise<ChosenSubject> {
  const starter = starterOf(task);
  switch (argument.kind) {
    case 'gold': {
      const own = workspace && (await workspaceGold(workspace));
      if (own) return { subject: { kind: 'gold', starter, gold: own }, kind: 'gold', words: OWN_GOLD };
      if (task.gold.kind === 'none')
        throw new CliError(
          'no-gold',
          `${task.id} ships no gold.`,
          'Verify a solution of your own with --solution PATH, or the starter with --starter.',
        );
      return { subject: { kind: 'gold', starter }, kind: 'gold', words: goldWords(task) };
    }
    case 'starter':
      return starterSubject(starter, 'the starter');
    case 'solution':
      return solutionSubject(task, await solutionAt(task, starter, argument.path), argument.path);
    case 'default':
      if (workspace) return solutionSubject(task, await readSolution(workspace), 'your solution');
      return starterSubject(starter, 'the starter (--solution PATH verifies a fix, --gold the gold)');
  }
}

function starterSubject(starter: SolutionState, words: string): ChosenSubject {
  return { subject: { kind: 'solution', solution: starter }, kind: 'starter', words };
}

function solutionSubject(task: Task, solution: SolutionState, name: string): ChosenSubject {
  const changes = [...changesOf(task, solution)].filter(([, change]) => change !== 'unchanged');
  const words = changes.map(([path, change]) => changeWords(path, change));
  const what = words.length === 0 ? 'unchanged' : joinWords(words, { most: MOST_NAMES });
  return { subject: { kind: 'solution', solution }, kind: 'solution', words: `${name}: ${what}` };
}

function changeWords(path: ContainerPath, change: FileChange): string {
  return `${containerBasename(path)} ${change}`;
}

const OWN_GOLD = "the workspace's gold fix: solve.sh";

function goldWords(task: Task): string {
  return task.gold.kind === 'script' ? 'the gold: solution/solve.sh' : 'the gold';
}

async function solutionAt(task: Task, starter: SolutionState, path: string): Promise<SolutionState> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined)
    throw new CliError('not-found', `There is no ${path}.`, 'Check the path given to --solution.');
  if (!facts.isDirectory()) {
    const place = placeOf(task, path);
    return { files: new Map([...starter.files, [place, await readPlainFile(path, MOST_FILE_BYTES)]]) };
  }
  const files = await readSolutionTree(path, [...starter.files.keys()]);
  if (files.size === 0)
    throw new CliError(
      'empty-solution',
      `${path} holds no files.`,
      `Lay it out as in the container, such as ${examplePath(task)}.`,
    );
  return { files: new Map([...starter.files, ...files]) };
}

/** Which file of the task a single file replaces: the one of its name, or the only one. */
function placeOf(task: Task, path: string): ContainerPath {
  const { solution } = task.family;
  const named = solution.filter((file) => containerBasename(file.path) === basename(path));
  const [chosen] = named.length > 0 ? named : solution;
  if (chosen && (named.length === 1 || solution.length === 1)) return chosen.path;
  throw new CliError(
    'which-file',
    `${task.id} has ${solution.length} files, and it is not clear which of them ${path} replaces.`,
    `Give a folder laid out as in the container, such as ${examplePath(task)}.`,
  );
}

function examplePath(task: Task): string {
  const path = task.family.solution[0]?.path ?? '/app/solution.py';
  return `DIR${dirname(path) === '/' ? '' : dirname(path)}/${containerBasename(path)}`;
}
