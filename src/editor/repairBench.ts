/** Puts the extension together: which service gets which. Everything heavy is loaded by the first who needs it. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { RunQueue } from '../runtime/runQueue.ts';
import type { ParseBash } from '../verifier/script/bashGrammar.ts';
import { registerCommands } from './platform/commandTable.ts';
import { checkSetup } from './setup/checkSetup.ts';
import { ContextKeys } from './contextKeys.ts';
import { CurrentTask } from './task/currentTask.ts';
import { datasetCommands, sampleDataset } from './datasets/datasetCommands.ts';
import { DatasetLibrary } from './datasets/datasetLibrary.ts';
import { DisposableStore } from './platform/disposableStore.ts';
import { DebugTests } from './debug/debugTests.ts';
import { DocumentEncodings } from './files/documentEncodings.ts';
import { type ExtensionApi, extensionApi } from './extensionApi.ts';
import { registerFailureHovers } from './verdict/failureHover.ts';
import { engineHelp } from './run/engineHelp.ts';
import { Failures } from './platform/failureMessage.ts';
import { historyCommands } from './history/historyCommands.ts';
import { HistoryView } from './history/historyView.ts';
import { InstructionPanels } from './instruction/instructionPanel.ts';
import { KeepWarm } from './run/keepWarm.ts';
import { rootOfWorkspaces } from './datasets/openRow.ts';
import type { OpenTask } from './task/openTask.ts';
import { registerLanguageModelTools } from './agents/languageModelTools.ts';
import { OpenTasks } from './task/openTasks.ts';
import { OutputDocuments } from './verdict/outputDocuments.ts';
import { ProblemsMirror } from './verdict/problemsMirror.ts';
import { Reveal } from './files/reveal.ts';
import { Trials } from './run/trials.ts';
import { RevealOnOpen } from './files/revealOnOpen.ts';
import { RowMarks } from './datasets/rowMarks.ts';
import { RunService } from './run/runService.ts';
import { Runtimes } from './run/runtimes.ts';
import { RunView } from './history/runView.ts';
import { SolutionDocuments } from './files/solutionDocuments.ts';
import { selectRuntime } from './run/selectRuntime.ts';
import { SETTINGS_SECTION } from './platform/settings.ts';
import { Snapshots } from './task/snapshots.ts';
import { SolutionLenses } from './verdict/solutionLenses.ts';
import { StarterMarks } from './files/starterMarks.ts';
import { StatusItem } from './verdict/statusItem.ts';
import { taskCommands, verifyAndTell } from './taskCommands.ts';
import { TaskFileSystem } from './files/taskFileSystem.ts';
import { TaskOpener } from './files/taskOpener.ts';
import { openTaskShell } from './run/taskShell.ts';
import { TasksView } from './datasets/tasksView.ts';
import { TestingView } from './testing/testingView.ts';
import { VerifyOnSave } from './run/verifyOnSave.ts';

/** Two containers at once leave a laptop usable. */
const AT_ONCE = 2;

/** A running extension. */
export interface RepairBench {
  readonly api: ExtensionApi;
  /** Resolves when every container of this window is gone. */
  stop(): Promise<void>;
}

export function startRepairBench(api: typeof vscode, context: vscode.ExtensionContext): RepairBench {
  const started = performance.now();
  const store = new DisposableStore();
  const log = store.add(api.window.createOutputChannel('Repair Bench', { log: true }));
  const failures = new Failures(api, log);
  const runtimes = new Runtimes(`editor-${randomBytes(4).toString('hex')}`);
  const tasks = store.add(new OpenTasks(api));
  const current = store.add(new CurrentTask(api, tasks));
  const library = store.add(
    new DatasetLibrary(
      async (location) => (await import('../dataset/openDataset.ts')).openDataset(location),
      context.workspaceState,
      context.globalState,
    ),
  );
  const marks = store.add(new RowMarks(() => rootOfWorkspaces(api), tasks));
  const snapshots = new Snapshots(api);
  const queue = new RunQueue(AT_ONCE);
  const parseBash = grammar(context.extensionPath);
  const files = store.add(new TaskFileSystem(api, tasks));
  store.add(files.register());
  const reveal = new Reveal(api, files);
  const report = (error: unknown): void => {
    failures.report(error);
  };
  const warn = (error: unknown): void => {
    failures.warn(error);
  };
  store.add(new RevealOnOpen(api, tasks, reveal, report));
  const opener = new TaskOpener(api, reveal);
  const explain = engineHelp({ api, runtimes, opener, failures });
  const running = { api, log, runtimes, parseBash, queue, snapshots, explain, warn };
  const runs = new RunService(running);
  const output = store.add(new OutputDocuments(api));
  store.add(output.register());
  const panels = store.add(new InstructionPanels(api, context.extensionUri, tasks, current));
  const tasksView = store.add(new TasksView(api, library, marks));
  const runView = store.add(new RunView(api, current));
  const historyView = store.add(new HistoryView(api, tasks, current, report));
  const documents = new SolutionDocuments(api, tasks);
  store.add(documents.register());
  const status = store.add(new StatusItem(api, current));
  store.add(new ProblemsMirror(api, tasks, runs));
  store.add(new ContextKeys(api, tasks, current));
  store.add(new DocumentEncodings(api, tasks, opener));
  store.add(
    runs.onRunEvent((event) => {
      if (event.kind === 'ended' && event.verdict && event.run.task === current.task)
        void runView.selectDecisive();
    }),
  );
  const version = String(context.extension.packageJSON.version);
  const gold = { ...running, version };
  const shells = { ...running, reveal, failed: report };
  const openShell = (task: OpenTask): Promise<void> => openTaskShell(shells, task);
  const services = {
    api,
    library,
    tasks,
    current,
    opener,
    panels,
    runs,
    explain,
    gold,
    output,
    failures,
    openShell,
  };
  const verify = async (task: OpenTask): Promise<void> => {
    await verifyAndTell(services, task).catch(report);
  };
  store.add(new VerifyOnSave({ api, tasks, runs, snapshots, verify }));
  store.add(registerFailureHovers(api, tasks));
  store.add(new SolutionLenses(api, tasks));
  store.add(new StarterMarks(api, tasks));
  const keepWarm = store.add(new KeepWarm({ api, log, runtimes, current, runs }));
  const trials = new Trials(running);
  const debugging = new DebugTests({ ...running, reveal, failed: report });
  const testing = store.add(new TestingView({ api, tasks, runs, trials, debugging, verify }));
  store.add(
    api.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SETTINGS_SECTION}.workspaceFolder`)) void marks.refresh();
    }),
  );
  store.add(registerLanguageModelTools({ api, tasks, current, library, runs }));
  store.add(
    registerCommands(
      api,
      {
        ...datasetCommands({
          api,
          extensionPath: context.extensionPath,
          library,
          marks,
          secrets: context.secrets,
          report,
        }),
        ...taskCommands(services),
        ...historyCommands({ api, current, view: historyView, documents, output, opener }),
        'repairBench.selectRuntime': () => selectRuntime(api, runtimes),
        'repairBench.getStarted': () =>
          api.commands.executeCommand(
            'workbench.action.openWalkthrough',
            `${context.extension.id}#start`,
            false,
          ),
        'repairBench.checkSetup': () =>
          checkSetup({ api, log, runtimes, library, sample: sampleDataset(context.extensionPath) }),
        'repairBench.showLog': () => {
          log.show(true);
        },
        'repairBench.openSettings': () =>
          api.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
      },
      report,
    ),
  );
  const activationMs = performance.now() - started;
  log.debug(`Activated in ${activationMs.toFixed(1)} ms`);
  return {
    api: extensionApi({ current, runView, tasksView, historyView, status, testing }, activationMs),
    stop: async () => {
      keepWarm.dispose();
      // Runs first: what shows them must live until their containers are gone.
      await Promise.all([runs.dispose(), debugging.dispose()]);
      await runtimes.dispose();
      store.dispose();
    },
  };
}

/** The grammar is loaded once, by the first run. */
function grammar(extensionPath: string): () => Promise<ParseBash> {
  let loaded: Promise<ParseBash> | undefined;
  return () => {
    loaded ??= import('../verifier/script/bashGrammar.ts').then(({ grammarIn, loadBashGrammar }) =>
      loadBashGrammar(grammarIn(join(extensionPath, 'dist'))),
    );
    return loaded;
  };
}
