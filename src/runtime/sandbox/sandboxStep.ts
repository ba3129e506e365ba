/** One step of a run: files in place, then the command in bubblewrap. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Evidence, StepEnd } from '../evidence.ts';
import { stepEndOf } from '../exitStatus.ts';
import type { PlannedFile, RunPlan, RunStep } from '../plan.ts';
import type { RuntimeFailure } from '../runtime.ts';
import { bwrapArguments, canForbidNamespaces } from './jail/bwrapArguments.ts';
import { ConfinedPathError, type ConfinedRoot } from './root/confinedRoot.ts';
import { isExecutable } from './host/hostProgram.ts';
import { mountsOf } from './jail/hostView.ts';
import { countProcesses, openFilesLimit, type HostIdentity } from './host/identity.ts';
import { runJailed, type JailEnd } from './jail/jail.ts';
import { prlimitArguments } from './jail/resourceLimits.ts';
import { refusedSandbox } from './host/sandboxFailures.ts';
import { readNamespaceSettings, type SandboxHost } from './sandboxHost.ts';
import { memoryWarning, skippedFileWarning, userWarning } from './sandboxWarnings.ts';
import { groupText, findUser, passwdText, type SandboxUser } from './host/sandboxUser.ts';
import { impossibleVariable, stepEnvironment } from './jail/stepEnvironment.ts';

/** A run that is set up and has its folder. */
export interface RunContext {
  readonly host: SandboxHost;
  readonly identity: HostIdentity;
  /** Host path of the folder that is `/` for the run. */
  readonly rootPath: string;
  readonly root: ConfinedRoot;
  readonly layout: RunPlan['image']['layout'];
  readonly limits: RunPlan['limits'];
  /** What holds a step to its processors, put before its command. */
  readonly affinity: readonly string[];
  readonly warnings: Evidence['notes'];
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

export type StepResult =
  | { readonly kind: 'ended'; readonly end: StepEnd; readonly output: string }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

/** Why a step cannot start; the task is at fault. */
class CannotStart extends Error {}

/** Empties folders and writes files of a step. Returns a message when the task makes that impossible. */
export async function putInPlace(context: RunContext, step: RunStep): Promise<string | undefined> {
  try {
    for (const folder of step.emptied) await context.root.makeEmpty(folder);
    for (const file of step.files) await writePlannedFile(context, file);
    return undefined;
  } catch (error) {
    if (error instanceof ConfinedPathError) return error.message;
    throw error;
  }
}

/** Writes a file, or warns why the sandbox leaves it out. */
export async function writePlannedFile(context: RunContext, file: PlannedFile): Promise<void> {
  try {
    await context.root.writeFile(file.path, Buffer.from(file.base64, 'base64'), file.mode, file.owner);
  } catch (error) {
    if (!(error instanceof ConfinedPathError) || error.reason !== 'read-only') throw error;
    context.warnings.push(skippedFileWarning(file.path, error.message));
  }
}

/** Runs the step's command to its end, its time limit or the signal. */
export async function runStep(context: RunContext, step: RunStep): Promise<StepResult> {
  let started: Awaited<ReturnType<typeof readyToStart>>;
  try {
    started = await readyToStart(context, step);
  } catch (error) {
    if (!(error instanceof CannotStart || error instanceof ConfinedPathError)) throw error;
    return { kind: 'ended', end: { how: 'cannot-start', message: error.message }, output: '' };
  }
  const note = userWarning(started.user);
  if (note !== undefined && !context.warnings.some(({ message }) => message === note.message))
    context.warnings.push(note);
  const { host, identity, limits } = context;
  const mounts = mountsOf(host.view, context.rootPath);
  for (const mount of mounts) if (mount.writable) await context.root.makeDirectory(mount.target);
  const [processes, openFiles] = await Promise.all([
    identity.dropped ? 0 : countProcesses(identity.uid),
    openFilesLimit(),
  ]);
  const jailed = await runJailed({
    ...{ bwrap: host.bwrap, prlimit: host.prlimit, shell: host.shell, identity },
    affinity: context.affinity,
    limitArguments: prlimitArguments({ ...limits, timeoutMs: step.timeoutMs }, { processes, openFiles }),
    options: bwrapArguments({
      root: context.rootPath,
      mounts,
      uid: started.user.uid,
      gid: started.user.gid,
      forbidsNamespaces: canForbidNamespaces(host.name),
      workdir: started.workdir,
      env: started.env,
    }),
    command: step.command,
    timeoutMs: step.timeoutMs,
    memoryMb: limits.memoryMb,
    signal: context.signal,
    onLine: context.onLine,
  });
  return resultOf(context, jailed);
}

async function resultOf(context: RunContext, jailed: JailEnd): Promise<StepResult> {
  const { output } = jailed;
  switch (jailed.how) {
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'not-set-up':
      return { kind: 'failed', failure: refusedSandbox(output, await readNamespaceSettings()) };
    case 'timed-out':
      return { kind: 'ended', end: { how: 'timed-out', afterMs: jailed.afterMs }, output };
    case 'killed':
      return { kind: 'ended', end: { how: 'killed', signal: jailed.signal, outOfMemory: false }, output };
    case 'exited': {
      const end = stepEndOf(jailed.code, jailed.outOfMemory);
      // Something was killed and the script went on without it.
      if (jailed.outOfMemory && end.how !== 'killed')
        context.warnings.push(memoryWarning(context.limits.memoryMb));
      return { kind: 'ended', end, output };
    }
  }
}

/** Checks user, folder, variables and program, so that a failure gets a clear message. */
async function readyToStart(
  context: RunContext,
  step: RunStep,
): Promise<{ user: SandboxUser; workdir: string; env: Record<string, string> }> {
  const { layout, root } = context;
  const lookup = findUser(
    step.user ?? layout.user,
    layout.skipped.map(({ text }) => text),
  );
  if (lookup.kind === 'missing') throw new CannotStart(lookup.message);
  const { user } = lookup;
  const env = stepEnvironment(layout.env, step.env, user);
  const impossible = impossibleVariable(env);
  if (impossible !== undefined) {
    throw new CannotStart(`No process can have the environment variable ${JSON.stringify(impossible)}.`);
  }
  await root.writeFile('/etc/passwd', Buffer.from(passwdText(user)), 0o644);
  await root.writeFile('/etc/group', Buffer.from(groupText(user)), 0o644);
  const workdir = step.workdir ?? layout.workdir;
  if (!(await isDirectory(root, workdir))) throw new CannotStart(`The folder ${workdir} does not exist.`);
  const [program = ''] = step.command;
  if (!(await programExists(root, program, workdir, env['PATH'] ?? ''))) {
    throw new CannotStart(`The program ${program} does not exist in the sandbox, or may not be executed.`);
  }
  if (step.command.some((word) => word.includes('\0')))
    throw new CannotStart('The command holds a NUL byte.');
  return { user, workdir, env };
}

async function isDirectory(root: ConfinedRoot, containerPath: string): Promise<boolean> {
  return onHost(root, containerPath, async (hostPath) => (await stat(hostPath)).isDirectory());
}

async function programExists(
  root: ConfinedRoot,
  name: string,
  workdir: string,
  search: string,
): Promise<boolean> {
  const candidates = name.includes('/')
    ? [path.posix.resolve(workdir, name)]
    : search.split(':').map((folder) => path.posix.resolve(workdir, folder, name));
  for (const candidate of candidates) if (await onHost(root, candidate, isExecutable)) return true;
  return false;
}

/** Calls `question` with the host path of a container path, in the run's root or in the shared system. */
async function onHost(
  root: ConfinedRoot,
  containerPath: string,
  question: (hostPath: string) => Promise<boolean>,
): Promise<boolean> {
  try {
    const { hostPath, stats } = await root.locate(containerPath, 'follow');
    return stats !== undefined && (await question(hostPath));
  } catch (error) {
    if (!(error instanceof ConfinedPathError)) throw error;
    return error.systemPath !== undefined && question(error.systemPath).catch(() => false);
  }
}
