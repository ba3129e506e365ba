// Runs inside VS Code: how long the extension takes to load and activate, and its own activate() within that.
import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';

describe('activation', () => {
  it('is measured', async () => {
    const extension = vscode.extensions.getExtension('repair-bench.repair-bench');
    if (!extension || extension.isActive)
      throw new Error(extension ? 'It is active already.' : 'It is not installed.');
    const start = performance.now();
    const { activationMs } = (await extension.activate()) as { readonly activationMs: number };
    const figures = { loadAndActivate: performance.now() - start, activate: activationMs };
    appendFileSync(process.env['REPAIR_BENCH_ACTIVATION'] ?? '', `${JSON.stringify(figures)}\n`);
  });
});
