// Verifying the current task, as its buttons do.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Verdict } from '../../../src/verifier/verdict/verdict.ts';
import { answeringMessages } from './dialogs.ts';

/** Gives the verdict, after which nothing may have been said. */
export async function verifyTask(): Promise<Verdict> {
  let verdict: Verdict | undefined;
  const said = await answeringMessages([], async () => {
    verdict = await vscode.commands.executeCommand<Verdict | undefined>('repairBench.verify');
  });
  assert.deepEqual(said, []);
  assert.ok(verdict, 'there is a verdict');
  return verdict;
}
