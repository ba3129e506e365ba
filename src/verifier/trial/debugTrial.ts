/** Plans a trial under the debugger: debugpy starts before the first test and waits for a client. Pure. */
import type { PlannedFile } from '../../runtime/plan.ts';
import type { ContainerPath } from '../../task/containerPath.ts';
import { DEBUG_FOLDER, DEBUGPY_FOLDER } from '../plan/containerLayout.ts';
import { DEBUG_MODULE, DEBUG_MODULE_FILE, DEBUG_MODULE_TEXT } from './debugModule.ts';
import { runnerCommand } from '../tests/pytestCommand.ts';
import { type TrialPlan, type TrialRequest, planTrial } from './trial.ts';

/** The files of debugpy, for images without it, by path relative to a folder that Python imports from. */
export type DebugpyFiles = ReadonlyMap<string, Uint8Array>;

/** A person at a breakpoint takes longer than any verifier may run. */
const DEBUG_TIMEOUT_MS = 12 * 60 * 60 * 1000;
const DEBUGGER_PREFIX = [
  'bash',
  '-c',
  'export PYTHONPATH="$1${PYTHONPATH:+:$PYTHONPATH}"; shift; "$@"',
  'debug-trial',
  DEBUG_FOLDER,
];

export interface DebuggerParts {
  /** For images without debugpy. */
  readonly debugpy: DebugpyFiles;
  /** Begins the line after which standard output is the debugger's. */
  readonly mark: string;
}

/** Plans a trial for `runAttached` of a runtime. */
export function planDebugTrial(request: TrialRequest, { debugpy, mark }: DebuggerParts): TrialPlan {
  const planned = planTrial(request, withDebugger);
  if (planned.kind === 'refused') return planned;
  const { plan } = planned;
  const { verifier } = plan;
  return {
    kind: 'planned',
    plan: {
      ...plan,
      verifier: {
        ...verifier,
        env: {
          ...verifier.env,
          REPAIR_BENCH_DEBUG_MARK: mark,
          // pytest-timeout: no limit.
          PYTEST_TIMEOUT: '0',
        },
        files: [...verifier.files, ...moduleFiles(debugpy)],
        timeoutMs: DEBUG_TIMEOUT_MS,
      },
    },
  };
}

/** Adds the debugger to a runner's words and removes time limits. */
function withDebugger(words: readonly string[]): readonly string[] {
  const runner = runnerCommand(words);
  if (!runner) return words;
  const start = [...DEBUGGER_PREFIX, ...withoutTimeout(runner.start)];
  if (runner.runner === 'unittest') return [...start.slice(0, -1), DEBUG_MODULE, ...runner.args];
  // The debugger is only in the first process, so tests must not run in workers.
  return [...start, '-p', DEBUG_MODULE, ...withoutWorkersOrTimeout(runner.args)];
}

/** Without `timeout [OPTION…] DURATION`. Source: GNU coreutils, "timeout invocation". */
function withoutTimeout(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => /(^|\/)timeout$/.test(word));
  if (at === -1) return words;
  let next = at + 1;
  while (words[next]?.startsWith('-'))
    next += /^(-k|-s|--kill-after|--signal)$/.test(words[next] ?? '') ? 2 : 1;
  return [...words.slice(0, at), ...words.slice(next + 1)];
}

/** Without pytest-xdist's `-n` and pytest-timeout's `--timeout`. */
function withoutWorkersOrTimeout(args: readonly string[]): readonly string[] {
  return args.filter(
    (word, at) =>
      !/^(-n.*|--(numprocesses|timeout)(=.*)?)$/.test(word) &&
      !/^(-n|--numprocesses|--timeout)$/.test(args[at - 1] ?? ''),
  );
}

function moduleFiles(debugpy: DebugpyFiles): PlannedFile[] {
  const file = (path: ContainerPath, bytes: Uint8Array): PlannedFile => ({
    path,
    mode: 0o644,
    owner: 'root',
    base64: Buffer.from(bytes).toString('base64'),
  });
  return [
    file(DEBUG_MODULE_FILE, Buffer.from(DEBUG_MODULE_TEXT)),
    ...[...debugpy].map(([path, bytes]) => file(`${DEBUGPY_FOLDER}/${path}`, bytes)),
  ];
}
