/** What everything that runs something of a task needs: runs, trials, shells, gold fixes. */
import type * as vscode from 'vscode';
import type { RunQueue } from '../../runtime/runQueue.ts';
import type { ParseBash } from '../../verifier/script/bashGrammar.ts';
import type { ExplainFailure } from './engineHelp.ts';
import type { Runtimes } from './runtimes.ts';
import type { Snapshots } from '../task/snapshots.ts';

export interface RunServices {
  readonly api: typeof vscode;
  readonly log: vscode.LogOutputChannel;
  readonly runtimes: Runtimes;
  /** Loads the grammar that gates are found with. */
  readonly parseBash: () => Promise<ParseBash>;
  /** One for all, so that together they are no more than a machine can bear. */
  readonly queue: RunQueue;
  readonly snapshots: Snapshots;
  readonly explain: ExplainFailure;
  /** Tells what went wrong beside something that went well. */
  readonly warn: (error: unknown) => void;
}
