/** Puts the extension together, room by room, from the ground up. What is large is loaded when it is first used. */
import type * as vscode from 'vscode';
import { registerLanguageModelTools } from './agents/languageModelTools.ts';
import { ContextKeys } from './contextKeys.ts';
import { datasetCommands } from './datasets/datasetCommands.ts';
import { registerDatasets } from './datasets/registerDatasets.ts';
import { DebugTests } from './debug/debugTests.ts';
import type { ExtensionApi } from './extensionApi.ts';
import { registerFiles } from './files/registerFiles.ts';
import { historyCommands } from './history/historyCommands.ts';
import { registerHistory } from './history/registerHistory.ts';
import { InstructionPanels } from './instruction/instructionPanel.ts';
import { registerCommands } from './platform/commands/commandTable.ts';
import { DisposableStore } from './platform/disposableStore.ts';
import { registerRun } from './run/registerRun.ts';
import { taskCommands } from './taskCommands.ts';
import { taskContext } from './task/taskContext.ts';
import { TestingView } from './testing/testingView.ts';
import { registerVerdict } from './verdict/registerVerdict.ts';
import { windowCommands } from './windowCommands.ts';

/** A running extension. */
export interface RepairBench {
  readonly api: ExtensionApi;
  /** Resolves when every container of this window is gone. */
  stop(): Promise<void>;
}

export function startRepairBench(api: typeof vscode, extension: vscode.ExtensionContext): RepairBench {
  const started = performance.now();
  const store = new DisposableStore();
  const base = taskContext(api, extension, store);
  const datasets = registerDatasets(base, store);
  const files = registerFiles(base, store);
  const { context, end: endRuns } = registerRun(base, files.opener);
  const { tasks, current, failures, log, runtimes } = context;
  const { library } = datasets;
  const { output, status } = registerVerdict(context, store);
  const { runView, historyView } = registerHistory(context, store);
  const panels = store.add(new InstructionPanels(context));
  const debugging = new DebugTests(context, files.reveal);
  const testing = store.add(new TestingView(context, debugging));
  store.add(new ContextKeys(api, tasks, current));
  store.add(registerLanguageModelTools(context, library));
  store.add(
    registerCommands(
      api,
      {
        ...datasetCommands(datasets),
        ...taskCommands({ ...context, ...files, library, panels, output }),
        ...historyCommands({ ...context, ...files, view: historyView, output }),
        ...windowCommands(context, library),
      },
      failures.report,
    ),
  );
  const activationMs = performance.now() - started;
  log.debug(`Activated in ${activationMs.toFixed(1)} ms`);
  return {
    api: {
      activationMs,
      current,
      tasksView: datasets.view,
      runView,
      historyView,
      status,
      testController: testing.controller,
    },
    stop: async () => {
      // Runs end first: the views that show them must live until their containers are gone.
      await Promise.all([endRuns(), debugging.dispose()]);
      await runtimes.dispose();
      store.dispose();
    },
  };
}
