/** The entry: hands `vscode` over, and says so once if the extension cannot start. */
import * as vscode from 'vscode';
import type { ExtensionApi } from './editor/extensionApi.ts';
import { type RepairBench, startRepairBench } from './editor/repairBench.ts';

let running: RepairBench | undefined;

export function activate(context: vscode.ExtensionContext): ExtensionApi {
  try {
    running = startRepairBench(vscode, context);
    return running.api;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        'Repair Bench could not start: {0}. Reload the window; if that does not help, reinstall the extension.',
        why,
      ),
    );
    throw error;
  }
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
