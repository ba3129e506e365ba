/** What was decided about a task and why, at debug level: run, skipped, replaced, saved, outdated. */
import type { LogOutputChannel } from 'vscode';
import type { OpenTask } from './openTask.ts';

export function logDecision(log: Pick<LogOutputChannel, 'debug'>, task: OpenTask, decision: string): void {
  log.debug(`${task.workspace.facts.task}: ${decision}`);
}
