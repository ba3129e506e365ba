// Runs inside VS Code: how long the extension's code takes to load and activate.
import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';

describe('activation', () => {
  it('is measured', async () => {
    const extension = vscode.extensions.getExtension('repair-bench.repair-bench');
    if (!extension || extension.isActive)
      throw new Error(extension ? 'It is active already.' : 'It is not installed.');
    const start = performance.now();
    await extension.activate();
    appendFileSync(process.env['REPAIR_BENCH_ACTIVATION'] ?? '', `${performance.now() - start}\n`);
  });
});
