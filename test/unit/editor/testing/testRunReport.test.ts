import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { TestRunReport } from '../../../../src/editor/testing/testRunReport.ts';

describe('a test run as text', () => {
  it('keeps its title and its end, however much a verifier prints', () => {
    let written = 0;
    const run = {
      appendOutput: (text: string) => (written += text.length),
      end: () => undefined,
    } as unknown as vscode.TestRun;
    const report = new TestRunReport({} as typeof vscode, run, 'task-0001');
    const endless = 'x\n'.repeat(300_000);
    report.print(endless);
    for (let line = 0; line < 100; line++) report.print(`line ${line}`);
    report.end();
    const lines = report.text.split('\n');
    assert.ok(lines.length <= 2001, String(lines.length));
    assert.deepEqual([lines[0], lines.at(-2), lines.at(-1)], ['task-0001', '| line 99', 'ended']);
    assert.ok(written > endless.length, 'VS Code has all of it');
  });
});
