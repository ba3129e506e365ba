/** Plans one run: turns a task and a solution into all that a runtime needs. Pure. */
import { bySetting, type Fault, inWords, type Remedy } from '../../fault/remedy.ts';
import { buildContextOf } from '../../task/dockerfile/buildContext.ts';
import type { ContainerPath } from '../../task/containerPath.ts';
import { environmentFilesOf } from '../../task/dockerfile/expandCopies.ts';
import { type EnvRequest, resolveEnvTemplates } from '../../task/config/envTemplates.ts';
import type { Gold, Task } from '../../task/task.ts';
import { effectiveLimits } from '../../task/config/taskConfig.ts';
import {
  DOCKERFILE,
  inContainer,
  isIn,
  SOLVE_SCRIPT,
  TEST_SCRIPT,
  TESTS_FOLDER,
} from '../../task/taskLayout.ts';
import {
  type ImageRecipe,
  type PlannedFile,
  RUN_PLAN_VERSION,
  type RunPlan,
  type RunStep,
} from '../../runtime/plan.ts';
import {
  CONTAINER_SOLUTION,
  CONTAINER_TESTS,
  LOGS_FOLDER,
  ORACLE_LOGS,
  ORACLE_OUTPUT,
  ORACLE_SCRIPT,
  REWARD_JSON,
  REWARD_TEXT,
  TEST_OUTPUT,
  TRACE_OUT_FOLDER,
  TRACE_SCRIPT,
  VERIFIER_SCRIPT,
} from './containerLayout.ts';
import { unsupportedParts } from './configWarnings.ts';
import { changesOf, type FileChange, type SolutionState } from './solution.ts';
import { TRACE_ENVIRONMENT, traceScript } from './traceScript.ts';
import type { Warning } from '../verdict/verdict.ts';

/** Limit for an oracle whose task sets none, so that an endless solve.sh ends. */
const ORACLE_TIMEOUT_SEC = 900;
const PIDS = 1024;
/** Bounds of what a task may ask for; engines read less than a hundredth of a cpu as no limit. */
const MOST_MS = 24 * 60 * 60 * 1000;
const LEAST_CPUS = 0.01;
const MOST_CPUS = 1024;
const LEAST_MEMORY_MB = 16;
const MOST_MB = 1024 * 1024;
const DEFAULT_FILE_MB = 10_240;
const KIB = 1024;

export interface PlanOptions {
  /** Whether to trace the script; without a trace there are no gates and no cases. */
  readonly trace: boolean;
  /** The gold whose `solve.sh` runs first. */
  readonly oracle?: Extract<Gold, { kind: 'script' }>;
  /** Overrides `[verifier].timeout_sec`. */
  readonly timeoutMs?: number;
  /** Whether the user lets this task use the network, if it asks for it. */
  readonly allowNetwork: boolean;
  /** Names of the host's variables that `[verifier].env` templates may read. */
  readonly allowedHostNames: ReadonlySet<string>;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

export type PlanResult =
  | {
      readonly kind: 'planned';
      readonly plan: RunPlan;
      readonly warnings: readonly Warning[];
    }
  /** The task cannot run, whatever the solution. */
  | Unplannable;

export interface Unplannable extends Fault {
  readonly kind: 'no-verifier' | 'no-image';
}

export function planRun(task: Task, solution: SolutionState, options: PlanOptions): PlanResult {
  if (!task.files.has(TEST_SCRIPT))
    return {
      kind: 'no-verifier',
      message: `${task.id} has no tests/test.sh, so nothing can give a reward.`,
      remedies: [inWords('Add tests/test.sh to the task, or choose another row.')],
    };
  const image = imageRecipe(task);
  if (!image) return noImage(task);

  const { config } = task;
  const own = resolveEnvTemplates(config.environment.env, options.allowedHostNames, options.hostEnv);
  const verifierEnv = resolveEnvTemplates(config.verifier.env, options.allowedHostNames, options.hostEnv);
  const changes = changesOf(task, solution);
  const inImage = new Set(image.layout.files.map(({ path }) => path));
  const uploads = image.kind === 'pull' ? image.layout.files : [];
  const limits = effectiveLimits(config);
  const workdir = config.environment.workdir;
  const oracle = options.oracle ? oracleStep(task, options.oracle, own.env) : undefined;
  const first = [...uploads, ...solutionUpload(task, solution, changes, inImage)];
  const wantsNetwork = (config.verifier.networkMode ?? config.environment.networkMode) !== 'no-network';
  const traceOut = options.trace ? [TRACE_OUT_FOLDER] : [];
  const plan: RunPlan = {
    version: RUN_PLAN_VERSION,
    task: task.id,
    image,
    removed: [...changes].flatMap(([path, change]) =>
      change === 'deleted' && inImage.has(path) ? [path] : [],
    ),
    ...(oracle ? { oracle: { ...oracle, files: [...first, ...oracle.files] } } : {}),
    verifier: {
      command: ['bash', '-c', `(${VERIFIER_SCRIPT}) > ${TEST_OUTPUT} 2>&1`],
      ...(config.verifier.user === null ? {} : { user: config.verifier.user }),
      ...(workdir === null ? {} : { workdir }),
      env: { ...own.env, ...verifierEnv.env, ...(options.trace ? TRACE_ENVIRONMENT : {}) },
      timeoutMs: timeLimit(options.timeoutMs ?? config.verifier.timeoutSec * 1000),
      files: [...(oracle ? [] : first), ...testFiles(task), ...(options.trace ? [traceFile()] : [])],
      emptied: [CONTAINER_TESTS, LOGS_FOLDER, ...traceOut],
    },
    collected: [REWARD_JSON, REWARD_TEXT, LOGS_FOLDER, ...traceOut],
    network: wantsNetwork && options.allowNetwork ? 'default' : 'none',
    limits: {
      cpus: Math.min(MOST_CPUS, Math.max(LEAST_CPUS, limits.cpus)),
      memoryMb: Math.min(MOST_MB, Math.max(LEAST_MEMORY_MB, limits.memoryMb)),
      pids: PIDS,
      fileSizeMb: Math.min(MOST_MB, config.environment.storageMb ?? DEFAULT_FILE_MB),
      collectedFileBytes: 1024 * KIB,
      collectedTotalBytes: 16 * 1024 * KIB,
      collectedFiles: 500,
    },
  };
  const notes = [
    ...[...own.refused, ...verifierEnv.refused].map((request) =>
      missingVariable(
        request,
        'the task may not read it',
        bySetting('hostVariables', `let the task read ${request.hostName}`),
      ),
    ),
    ...[...own.missing, ...verifierEnv.missing].map((request) =>
      missingVariable(request, 'it is not set', inWords(`Set ${request.hostName} in your environment.`)),
    ),
  ];
  return { kind: 'planned', plan, warnings: [...unsupportedParts(task), ...notes] };
}

function missingVariable({ key, hostName }: EnvRequest, because: string, remedy: Remedy): Warning {
  return {
    code: 'host-variable',
    message: `task.toml asks for the host's variable ${hostName} as ${key}, but did not get it: ${because}.`,
    remedies: [remedy],
  };
}

/** Tells a Dockerfile that cannot be built from a missing one. */
function noImage(task: Task): Unplannable {
  const why = task.problems.find(({ file }) => file === DOCKERFILE)?.message;
  return {
    kind: 'no-image',
    ...(task.files.has(DOCKERFILE)
      ? {
          message: `No image can be built for ${task.id}: ${why ?? 'its Dockerfile has no FROM line.'}`,
          remedies: [
            inWords('Correct environment/Dockerfile, or set [environment] docker_image in task.toml.'),
          ],
        }
      : {
          message: `${task.id} names no image: it has no environment/Dockerfile and task.toml sets no environment.docker_image.`,
          remedies: [inWords('Add environment/Dockerfile or [environment] docker_image to the task.')],
        }),
  };
}

/** How the task's image is made; undefined when the task names none. */
function imageRecipe(task: Task): ImageRecipe | undefined {
  const { environment } = task.config;
  const context = environmentFilesOf(task.files);
  const { dockerfile } = task;
  const timeoutMs = timeLimit(environment.buildTimeoutSec * 1000);
  const base = {
    env: dockerfile ? { ...dockerfile.env } : {},
    ...(dockerfile?.user === undefined ? {} : { user: dockerfile.user }),
  };
  if (environment.dockerImage !== null) {
    const workdir = environment.workdir ?? dockerfile?.workdir ?? '/';
    // Harbor uploads the rest of environment/ into the workdir when nothing says how to build.
    const files = dockerfile
      ? []
      : [...context.values()].map((file) =>
          plannedFile(joinedPath(workdir, file.path), file.bytes, file.mode, 'root'),
        );
    return {
      kind: 'pull',
      name: environment.dockerImage,
      timeoutMs,
      layout: { ...base, baseImage: environment.dockerImage, workdir, files, skipped: [] },
    };
  }
  if (!dockerfile) return undefined;
  return {
    kind: 'build',
    dockerfile: { path: 'Dockerfile', ...dockerfile.build },
    timeoutMs,
    context: [...buildContextOf(context).values()].map(({ path, mode, bytes }) => ({
      path,
      mode,
      base64: base64(bytes),
    })),
    layout: {
      ...base,
      baseImage: dockerfile.baseImage,
      workdir: dockerfile.workdir ?? '/',
      files: task.placed.map(({ path, file, mode }) => plannedFile(path, file.bytes, mode, 'root')),
      skipped: [...dockerfile.skipped],
    },
  };
}

/** At most a day, since timers overflow far below what task.toml can ask for. */
function timeLimit(ms: number): number {
  return Math.min(MOST_MS, Math.max(1, ms));
}

function joinedPath(folder: ContainerPath, name: string): ContainerPath {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

/** Changed and added files, and unchanged ones that the Dockerfile does not copy into the image. */
function solutionUpload(
  task: Task,
  solution: SolutionState,
  changes: ReadonlyMap<ContainerPath, FileChange>,
  inImage: ReadonlySet<ContainerPath>,
): PlannedFile[] {
  const modes = new Map(task.family.solution.map((file) => [file.path, file.mode]));
  return [...changes].flatMap(([path, change]) => {
    const bytes = solution.files.get(path);
    if (bytes === undefined || (change === 'unchanged' && inImage.has(path))) return [];
    return [plannedFile(path, bytes, modes.get(path) ?? 0o644, 'keep')];
  });
}

function testFiles(task: Task): PlannedFile[] {
  return [...task.files.values()].flatMap((file) => {
    if (!isIn(TESTS_FOLDER, file.path)) return [];
    // Harbor runs chmod +x on test.sh as root; modes in archives are unreliable.
    const mode = file.path === TEST_SCRIPT ? 0o755 : file.mode | 0o444;
    return [plannedFile(inContainer(file.path), file.bytes, mode, 'root')];
  });
}

function traceFile(): PlannedFile {
  return plannedFile(TRACE_SCRIPT, Buffer.from(traceScript()), 0o644, 'root');
}

/** `solve.sh` as Harbor's oracle runs it. Source: harbor src/harbor/agents/oracle.py at 0.13.2. */
function oracleStep(
  task: Task,
  gold: Extract<Gold, { kind: 'script' }>,
  env: Readonly<Record<string, string>>,
): RunStep {
  const { agent, environment } = task.config;
  return {
    command: [
      'bash',
      '-c',
      `(${ORACLE_SCRIPT}) > ${ORACLE_OUTPUT} 2>&1; code=$?; tail -c 4096 ${ORACLE_OUTPUT}; exit $code`,
    ],
    ...(agent.user === null ? {} : { user: agent.user }),
    ...(environment.workdir === null ? {} : { workdir: environment.workdir }),
    env: { DEBIAN_FRONTEND: 'noninteractive', ...env, ...task.config.solution.env },
    timeoutMs: timeLimit((agent.timeoutSec ?? ORACLE_TIMEOUT_SEC) * 1000),
    files: gold.files.map((file) =>
      plannedFile(inContainer(file.path), file.bytes, file.path === SOLVE_SCRIPT ? 0o755 : file.mode, 'root'),
    ),
    emptied: [CONTAINER_SOLUTION, ORACLE_LOGS],
  };
}

function plannedFile(
  path: ContainerPath,
  bytes: Uint8Array,
  mode: number,
  owner: PlannedFile['owner'],
): PlannedFile {
  return { path, mode, base64: base64(bytes), owner };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
