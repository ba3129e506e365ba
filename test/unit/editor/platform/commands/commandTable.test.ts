import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { COMMAND_SCHEMAS } from '../../../../../src/editor/platform/commands/commandSchemas.ts';
import type { CommandHandlers } from '../../../../../src/editor/platform/commands/commandArguments.ts';
import { registerCommands } from '../../../../../src/editor/platform/commands/commandTable.ts';

describe('a registered command', () => {
  /** Registers commands that note what they were called with, and gives what VS Code would call. */
  function registered() {
    const called: unknown[] = [];
    const failures: string[] = [];
    const known = new Map<string, (...args: unknown[]) => Promise<unknown>>();
    const handler = (...args: readonly unknown[]): void => void called.push(args);
    const handlers = Object.fromEntries(Object.keys(COMMAND_SCHEMAS).map((id) => [id, handler]));
    const api = {
      commands: {
        registerCommand: (id: string, run: (...args: unknown[]) => Promise<unknown>) => {
          known.set(id, run);
          return { dispose: () => known.delete(id) };
        },
      },
      Disposable: { from: () => ({ dispose: () => known.clear() }) },
      l10n: { t: (text: string, ...parts: string[]) => text.replace('{0}', parts[0] ?? '') },
    };
    registerCommands(api as unknown as typeof vscode, handlers as CommandHandlers, (error) => {
      failures.push(error instanceof Error ? error.message : String(error));
    });
    const call = async (id: string, ...args: unknown[]): Promise<void> => {
      await known.get(id)?.(...args);
    };
    return { called, failures, known, call };
  }

  it('hands its arguments to its handler', async () => {
    const { called, failures, known, call } = registered();
    assert.equal(known.size, Object.keys(COMMAND_SCHEMAS).length);
    await call('repairBench.openTask', '/set.parquet', 2);
    assert.deepEqual([called, failures], [[['/set.parquet', 2]], []]);
  });

  it('says so when it is called with what it cannot be called with', async () => {
    const { called, failures, call } = registered();
    await call('repairBench.openTask', 'only the dataset');
    assert.deepEqual(
      [called, failures],
      [[], ['The command repairBench.openTask was called with arguments that it does not know.']],
    );
  });
});
