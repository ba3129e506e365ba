/** The commands that are about no task: set-up, runtime, log, settings. */
import { checkSetup } from './setup/checkSetup.ts';
import type { DatasetLibrary } from './datasets/datasetLibrary.ts';
import type { CommandHandlers } from './platform/commands/commandArguments.ts';
import type { EditorContext } from './run/editorContext.ts';
import { selectRuntime } from './run/selectRuntime.ts';

export function windowCommands(context: EditorContext, library: DatasetLibrary) {
  const { api, log } = context;
  const { id } = context.extension.extension;
  return {
    'repairBench.selectRuntime': () => selectRuntime(context),
    'repairBench.checkSetup': () => checkSetup(context, library),
    'repairBench.getStarted': () =>
      api.commands.executeCommand('workbench.action.openWalkthrough', `${id}#start`, false),
    'repairBench.showLog': () => {
      log.show(true);
    },
    'repairBench.openSettings': () =>
      api.commands.executeCommand('workbench.action.openSettings', `@ext:${id}`),
  } satisfies Partial<CommandHandlers>;
}
