// A workspace of its own for every test, and runs that are saved in it.
import { join } from 'node:path';
import { openOrCreateWorkspace } from '../../../../src/workspace/createWorkspace.ts';
import { readHistory } from '../../../../src/workspace/runs/history.ts';
import { type RunRecord, saveRun } from '../../../../src/workspace/runs/runs.ts';
import type { TaskWorkspace } from '../../../../src/workspace/taskWorkspace.ts';
import { solutionHash, type SolutionState, starterOf } from '../../../../src/verifier/plan/solution.ts';
import { gate, scored } from '../../verifier/helpers/smallVerdicts.ts';
import { ORIGIN, sampleTask, temporaryFolder } from './sampleTasks.ts';

/** Call inside `describe`. */
export function workspaceWithRuns(id = 'harbor-ledger-cli') {
  const root = temporaryFolder();
  let workspace: TaskWorkspace;
  let starter: SolutionState;
  beforeEach(async () => {
    ({ workspace } = await openOrCreateWorkspace(root(), await sampleTask(id), ORIGIN));
    starter = starterOf(workspace.task);
  });
  return {
    root,
    get workspace() {
      return workspace;
    },
    get starter() {
      return starter;
    },
    runs: (): string => join(workspace.folder, 'runs'),
    /** The starter with files changed, added, and deleted where the content is undefined. */
    changed: (
      ...files: readonly (readonly [`/${string}`, string | Uint8Array | undefined])[]
    ): SolutionState => {
      const all = new Map(starter.files);
      for (const [path, content] of files)
        if (content === undefined) all.delete(path);
        else all.set(path, Buffer.from(content));
      return { files: all };
    },
    save: (
      solution: SolutionState,
      at: string,
      reward = 0,
      subject: RunRecord['subject'] = 'solution',
      startedBy: RunRecord['startedBy'] = 'person',
    ) =>
      saveRun(
        workspace,
        {
          startedBy,
          subject,
          runtime: { kind: 'docker', name: 'Docker 28.2.2' },
          verdict: scored({
            reward,
            gates: [
              gate({
                kind: 'tests',
                line: 4,
                title: 'tests pass',
                state: reward === 1 ? 'passed' : 'failed',
              }),
            ],
            holdsFor: { task: workspace.task.hash, solution: solutionHash(solution), image: 'sha256:0' },
          }),
        },
        solution,
        new Date(at),
      ),
    /** The history as a person reads it. */
    shown: async (most = 10) =>
      (await readHistory(workspace, most)).entries.map(({ record, kept, files, gates }) => ({
        at: record.at,
        kept,
        files: files?.map(
          ({ path, change, lines }) => `${path} ${change} +${lines?.added ?? '?'} -${lines?.removed ?? '?'}`,
        ),
        gates: gates.map(({ title, from, to }) => `${title}: ${from ?? 'new'} to ${to}`),
      })),
  };
}
