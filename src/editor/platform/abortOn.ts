/** VS Code cancels by tokens, and everything below the editor by signals. */
import type * as vscode from 'vscode';

/** Does `work` with a signal that is aborted when the token is cancelled, until the work is over. */
export async function abortOn<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    listening.dispose();
  }
}
