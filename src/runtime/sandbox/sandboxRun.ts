/** Runs a plan in the sandbox: sets up its folder, runs oracle and verifier, collects files, removes the folder. */
import path from 'node:path';
import { EVIDENCE_VERSION, type Evidence, type StepEnd } from '../evidence.ts';
import { emptiedWarning } from '../runtimeWarnings.ts';
import type { ImageLayout, RunPlan, RunStep } from '../plan.ts';
import type { RunResult, RunSinks, RuntimeFailure } from '../runtime.ts';
import { writeBaseFiles } from './root/baseFiles.ts';
import { chooseAffinity } from './host/cpuAffinity.ts';
import { collectFiles } from './root/collectFiles.ts';
import { ConfinedPathError, ConfinedRoot } from './root/confinedRoot.ts';
import { isReadOnlyPath } from './jail/hostView.ts';
import type { HostIdentity } from './host/identity.ts';
import type { PhaseClock } from '../phaseClock.ts';
import { removeTree } from './root/removeTree.ts';
import { chooseTemporaryFolder, makeRunFolder } from './runFolder.ts';
import { noTemporaryFolder, refusedSandbox } from './host/sandboxFailures.ts';
import { readNamespaceSettings, type SandboxHost, type SandboxOptions } from './sandboxHost.ts';
import { planWarnings, skippedFileWarning } from './sandboxWarnings.ts';
import { putInPlace, runStep, writePlannedFile, type RunContext } from './sandboxStep.ts';

/** The machine, identity and progress of a run. */
export interface RunEnvironment {
  readonly host: SandboxHost;
  readonly options: SandboxOptions;
  readonly identity: HostIdentity;
  readonly clock: PhaseClock;
  readonly sinks: RunSinks;
  readonly signal: AbortSignal;
}

type NotEnded = Exclude<RunResult, { kind: 'ended' }>;
/** All of the evidence that is known before the folder is removed. */
type RunRemains = { readonly kind: 'ended' } & Omit<Evidence, 'version' | 'runtime' | 'clocks'>;

/** Runs a plan. Throws what the host's file system throws; the folder is gone in every case. */
export async function runPlan(plan: RunPlan, image: string, environment: RunEnvironment): Promise<RunResult> {
  const { host, clock } = environment;
  const result = await withFolder(environment, async (folder): Promise<RunRemains | NotEnded> => {
    const context = await setUp(plan.image.layout, plan.limits, folder, environment);
    return runSteps(plan, context, clock);
  });
  if (result.kind !== 'ended') return result;
  const { kind, ...remains } = result;
  const runtime = { kind: 'sandbox', name: host.name, image, platform: host.platform } as const;
  return { kind, evidence: { version: EVIDENCE_VERSION, runtime, ...remains, clocks: clock.clocks() } };
}

/** Tests the sandbox: runs a script of ours, to see whether the kernel and the temporary folder allow it. */
export async function probeSandbox(environment: RunEnvironment): Promise<RuntimeFailure | undefined> {
  const result = await withFolder(environment, async (folder) => {
    const context = await setUp(PROBE_LAYOUT, PROBE_LIMITS, folder, environment);
    const obstacle = await putInPlace(context, PROBE_STEP);
    return obstacle === undefined ? runStep(context, PROBE_STEP) : refusal(obstacle);
  });
  if (result.kind === 'failed') return result.failure;
  if (result.kind === 'cancelled') return refusedSandbox('The test of the sandbox was cancelled.', {});
  const { end, output } = result;
  if (end.how === 'exited' && end.code === 0) return undefined;
  const words = end.how === 'cannot-start' ? end.message : `${output}\n${JSON.stringify(end)}`;
  return refusedSandbox(words, await readNamespaceSettings());
}

const PROBE_SCRIPT = '/run/repair-bench/trial.sh';
const PROBE_LAYOUT: ImageLayout = { baseImage: 'scratch', workdir: '/', env: {}, files: [], skipped: [] };
const PROBE_LIMITS: RunPlan['limits'] = {
  ...{ cpus: 1, memoryMb: 512, pids: 64, fileSizeMb: 16 },
  ...{ collectedFileBytes: 1, collectedTotalBytes: 1, collectedFiles: 1 },
};
const PROBE_STEP: RunStep = {
  command: [PROBE_SCRIPT],
  env: {},
  timeoutMs: 10_000,
  files: [
    {
      path: PROBE_SCRIPT,
      mode: 0o755,
      base64: Buffer.from('#!/bin/sh\nexit 0\n').toString('base64'),
      owner: 'root',
    },
  ],
  emptied: [],
};

function refusal(words: string): NotEnded {
  return { kind: 'failed', failure: refusedSandbox(words, {}) };
}

async function withFolder<T>(
  environment: RunEnvironment,
  action: (folder: string) => Promise<T>,
): Promise<T | NotEnded> {
  const { options, identity, clock, signal } = environment;
  if (signal.aborted) return { kind: 'cancelled' };
  clock.enter('create');
  const parent = await chooseTemporaryFolder(options.tmpRoot, identity);
  if (parent === undefined) return { kind: 'failed', failure: noTemporaryFolder(options.tmpRoot) };
  const folder = await makeRunFolder(parent, options.owner, identity);
  try {
    return await action(folder);
  } finally {
    clock.enter('remove');
    await removeTree(folder);
  }
}

/** Makes the root with everything that the image would have brought. */
async function setUp(
  layout: ImageLayout,
  limits: RunPlan['limits'],
  folder: string,
  environment: RunEnvironment,
): Promise<RunContext> {
  const { host, identity, sinks, signal } = environment;
  const rootPath = path.join(folder, 'root');
  const root = await ConfinedRoot.make(rootPath, identity, (candidate) =>
    isReadOnlyPath(host.view, candidate),
  );
  const { prefix, warning: note } = await chooseAffinity(host.taskset, host.name, limits.cpus);
  const context: RunContext = {
    ...{
      host,
      identity,
      rootPath,
      root,
      layout,
      limits,
      signal,
      affinity: prefix,
      warnings: note ? [note] : [],
    },
    onLine: (line) => sinks.log?.(line),
  };
  await writeBaseFiles(root, host.view);
  await unlessReadOnly(context, layout.workdir, () => root.makeDirectory(layout.workdir));
  for (const file of layout.files) await writePlannedFile(context, file);
  return context;
}

async function runSteps(
  plan: RunPlan,
  context: RunContext,
  clock: PhaseClock,
): Promise<RunRemains | NotEnded> {
  const { root, signal, warnings, host } = context;
  warnings.unshift(...planWarnings(plan, host.interpreter));
  for (const emptied of plan.verifier.emptied) {
    if (await root.hasContent(emptied)) warnings.push(emptiedWarning(emptied));
  }
  clock.enter('upload');
  for (const removed of plan.removed) await unlessReadOnly(context, removed, () => root.remove(removed));
  const oracle = plan.oracle && (await runPlannedStep(context, plan.oracle, 'oracle', clock));
  if (oracle && oracle.kind !== 'ended') return oracle;
  const verifier = await runPlannedStep(context, plan.verifier, 'verify', clock);
  if (verifier.kind !== 'ended') return verifier;
  clock.enter('collect');
  const collection = await collectFiles(root, plan);
  if (signal.aborted) return { kind: 'cancelled' };
  return {
    kind: 'ended',
    ...(oracle && { oracle: { end: oracle.end, output: oracle.output } }),
    verifier: { end: verifier.end, output: verifier.output },
    collected: collection.files,
    collectionCut: collection.cut,
    notes: [...warnings, ...collection.warnings],
  };
}

type PlannedStepResult =
  { readonly kind: 'ended'; readonly end: StepEnd; readonly output: string } | NotEnded;

async function runPlannedStep(
  context: RunContext,
  step: RunStep,
  phase: 'oracle' | 'verify',
  clock: PhaseClock,
): Promise<PlannedStepResult> {
  if (context.signal.aborted) return { kind: 'cancelled' };
  clock.enter('upload');
  const obstacle = await putInPlace(context, step);
  clock.enter(phase);
  if (obstacle !== undefined)
    return { kind: 'ended', end: { how: 'cannot-start', message: obstacle }, output: '' };
  return runStep(context, step);
}

async function unlessReadOnly(context: RunContext, what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof ConfinedPathError)) throw error;
    context.warnings.push(skippedFileWarning(what, error.message));
  }
}
