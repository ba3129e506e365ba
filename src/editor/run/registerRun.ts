/** Has verifiers run, at once or when a solution is saved, and keeps the next container ready. */
import type { TaskOpener } from '../files/taskOpener.ts';
import type { TaskContext } from '../task/taskContext.ts';
import type { EditorContext } from './editorContext.ts';
import { KeepWarm } from './keepWarm.ts';
import { runContext } from './runContext.ts';
import { RunService } from './runService.ts';
import { VerifyOnSave } from './verifyOnSave.ts';

export interface Runs {
  readonly context: EditorContext;
  /** No run starts from now on; resolves when the containers of all runs are gone. */
  end(): Promise<void>;
}

export function registerRun(taskContext: TaskContext, opener: TaskOpener): Runs {
  const parts = runContext(taskContext, opener);
  const context: EditorContext = { ...parts, runs: new RunService(parts) };
  const verifyOnSave = new VerifyOnSave(context);
  const keepWarm = new KeepWarm(context);
  return {
    context,
    end: async () => {
      keepWarm.dispose();
      verifyOnSave.dispose();
      await context.runs.dispose();
    },
  };
}
