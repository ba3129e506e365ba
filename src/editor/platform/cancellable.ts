/** Work that takes a while, in a notification that tells how far it is. */
import type * as vscode from 'vscode';
import { plainNotification } from './text/plainText.ts';

export type Report = vscode.Progress<{ message?: string; increment?: number }>;

/** A notification with Cancel; undefined when that was pressed. No part of `title` becomes a link. */
export async function cancellable<T>(
  api: typeof vscode,
  title: string,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T | undefined> {
  const options = {
    location: api.ProgressLocation.Notification,
    title: plainNotification(title),
    cancellable: true,
  };
  return api.window.withProgress(options, (report, token) =>
    abortOn(token, async (signal) => {
      try {
        return await work(signal, report);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    }),
  );
}

/** Does `work` with a signal that aborts when the token is cancelled: VS Code has tokens, all below the editor signals. */
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
