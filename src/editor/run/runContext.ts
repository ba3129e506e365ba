/** What it takes to run something of a task: runs, trials, shells, gold fixes. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { RunQueue } from '../../runtime/runQueue.ts';
import type { ParseBash } from '../../verifier/script/bashGrammar.ts';
import type { TaskOpener } from '../files/taskOpener.ts';
import type { OpenTask } from '../task/openTask.ts';
import { Snapshots } from '../task/snapshots.ts';
import type { TaskContext } from '../task/taskContext.ts';
import type { Settings } from '../platform/settings.ts';
import { engineHelp, type ExplainFailure } from './engineHelp.ts';
import { type RuntimeFor, Runtimes } from './runtimes.ts';

/** Two containers at once leave a laptop usable. */
const AT_ONCE = 2;

export interface RunContext extends TaskContext {
  readonly runtimes: Runtimes;
  /** Loads the grammar that gates are found with. */
  readonly parseBash: () => Promise<ParseBash>;
  /** One queue for all that runs, so that together they do not overload the machine. */
  readonly queue: RunQueue;
  readonly snapshots: Snapshots;
  readonly explain: ExplainFailure;
}

/** `opener` shows the file that a failure is about. */
export function runContext(context: TaskContext, opener: TaskOpener): RunContext {
  const runtimes = new Runtimes(`editor-${randomBytes(4).toString('hex')}`);
  return {
    ...context,
    runtimes,
    parseBash: grammar(context.extension.extensionPath),
    queue: new RunQueue(AT_ONCE),
    snapshots: new Snapshots(context.api),
    explain: engineHelp(context, runtimes, opener),
  };
}

/** The grammar is loaded once, by the first run. */
function grammar(extensionPath: string): () => Promise<ParseBash> {
  let loaded: Promise<ParseBash> | undefined;
  return () => {
    loaded ??= import('../../verifier/script/bashGrammar.ts').then(({ grammarIn, loadBashGrammar }) =>
      loadBashGrammar(grammarIn(join(extensionPath, 'dist'))),
    );
    return loaded;
  };
}

/**
 * The runtime that the settings ask for, for what cannot do without one. Undefined: cancelled. `again` is what was
 * tried, for the button of the failure.
 * @throws UserFacingError when there is none, with the step that helps
 */
export async function requireRuntime(
  { runtimes, explain }: RunContext,
  task: OpenTask,
  settings: Settings,
  signal: AbortSignal,
  again: () => Promise<unknown>,
): Promise<Extract<RuntimeFor, { kind: 'chosen' }> | undefined> {
  const chosen = await runtimes.choose(settings, signal);
  if (chosen.kind === 'failed') throw await explain(task, chosen.failure, again);
  return chosen.kind === 'chosen' ? chosen : undefined;
}
