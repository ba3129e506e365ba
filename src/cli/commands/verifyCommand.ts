/** `repair-bench verify`: one run of a task's verifier, shown gate by gate. */
import { imagesOf } from '../../doctor/requestedImages.ts';
import { bySetting } from '../../fault/remedy.ts';
import { chooseRuntime } from '../../runtime/chooseRuntime.ts';
import { unusedMappings } from '../../runtime/docker/image/imageMap.ts';
import type { Task } from '../../task/task.ts';
import { verdictHashes } from '../../verifier/plan/solution.ts';
import { resolveSubject } from '../../verifier/plan/subject.ts';
import { cancelledVerdict, engineErrorVerdict } from '../../verifier/verdict/unrun.ts';
import type { Verdict } from '../../verifier/verdict/verdict.ts';
import { didRun } from '../../verifier/verdict/verdictFacts.ts';
import { verify } from '../../verifier/verify.ts';
import { saveRun } from '../../workspace/runs/runs.ts';
import type { TaskWorkspace } from '../../workspace/taskWorkspace.ts';
import { hostPathOf } from '../../workspace/workPaths.ts';
import type { VerifyArguments } from '../input/arguments.ts';
import { reportOf } from '../failures/cliError.ts';
import type { Console } from '../terminal/console.ts';
import { type ExitCode, exitCodeOf } from '../failures/exitCode.ts';
import { readRow, readWorkspace } from '../find/findTask.ts';
import { here } from '../find/here.ts';
import { DOCUMENT_VERSION, type VerifyDocument } from '../documents/jsonDocuments.ts';
import { imageUseOf, renderVerdict, type VerdictReport } from '../render/renderVerdict.ts';
import { type ChosenRuntime, runtimeFor, verifyOptionsOf, runtimeRequestOf } from '../find/runtimeFor.ts';
import { type ChosenSubject, chooseSubject } from '../find/solutionArgument.ts';
import { taskDocument } from '../documents/taskDocument.ts';
import { hang } from '../terminal/textLayout.ts';
import { verdictDocumentOf } from '../documents/verdictDocument.ts';

/** A verified task, as both printers need it. */
interface VerifiedTask {
  readonly task: Task;
  readonly chosen: ChosenSubject;
  /** Undefined when the task was verified without one. */
  readonly workspace: TaskWorkspace | undefined;
  /** Undefined when no runtime could be had, or there was nothing to run. */
  readonly used: ChosenRuntime | undefined;
  readonly verdict: Verdict;
}

export async function verifyCommand(
  args: VerifyArguments,
  console: Console,
  signal: AbortSignal,
): Promise<ExitCode> {
  const workspace = args.row === undefined ? await readWorkspace(args.target) : undefined;
  const task = workspace?.task ?? (await readRow(args.target, args.row, signal)).task;
  const chosen = await chooseSubject(task, workspace, args.subject);
  warnOfMappings(task, args, console);
  const ran = { task, chosen, workspace, ...(await runOnce(task, chosen, args, console, signal)) };
  const verdict = await offerSandbox(ran.verdict, ran.used, signal);
  console.progress.stop();
  const run = await save(ran, console);
  const verified = { ...ran, verdict };
  if (console.json) console.printJson(documentOf(verified, run));
  else console.print(renderVerdict(reportFor(verified, args), console.style));
  return exitCodeOf(verdict);
}

async function runOnce(
  task: Task,
  { subject }: ChosenSubject,
  args: VerifyArguments,
  console: Console,
  signal: AbortSignal,
): Promise<Pick<VerifiedTask, 'verdict' | 'used'>> {
  const holdsFor = verdictHashes(task, resolveSubject(task, subject).solution);
  const choice = await runtimeFor(args, console, signal);
  if (choice.kind === 'cancelled') return { verdict: cancelledVerdict(holdsFor), used: undefined };
  if (choice.kind === 'failed')
    return { verdict: engineErrorVerdict(choice.failure, holdsFor), used: undefined };
  const { runtime } = choice;
  try {
    const options = { ...(await verifyOptionsOf(args)), trace: args.trace };
    const { phase, log } = console.progress;
    const verdict = await verify({ task, subject, options }, { runtime, sinks: { phase, log }, signal });
    return { verdict, used: verdict.outcome === 'no-verifier' ? undefined : choice };
  } finally {
    await runtime.dispose();
  }
}

/** Adds the sandbox to the remedies when the engine cannot get the image; the sandbox needs none. */
async function offerSandbox(
  verdict: Verdict,
  used: ChosenRuntime | undefined,
  signal: AbortSignal,
): Promise<Verdict> {
  if (verdict.outcome !== 'engine-error' || verdict.reason !== 'image-missing') return verdict;
  if (used?.runtime.kind !== 'docker') return verdict;
  const sandbox = await chooseRuntime(runtimeRequestOf({ runtime: 'sandbox', imageMap: {} }), signal);
  if (sandbox.kind !== 'chosen') return verdict;
  await sandbox.runtime.dispose();
  return {
    ...verdict,
    remedies: [
      ...verdict.remedies,
      bySetting('runtime', 'run it in the sandbox', { value: 'sandbox', note: 'It needs no image.' }),
    ],
  };
}

/** Warns of mappings that match no image of the task, such as misspelt ones. */
function warnOfMappings(task: Task, { imageMap }: VerifyArguments, console: Console): void {
  const requested = imagesOf(task);
  const imagesText = requested.length === 0 ? 'names no image' : `asks for ${requested.join(', ')}`;
  for (const key of unusedMappings(imageMap, requested))
    console.note(
      hang('! ', `--image-map ${key}=… has no effect: the task ${imagesText}.`, console.style.width),
    );
}

/** The file of the run in its workspace; null when there is no workspace, nothing ran, or it could not be saved. */
async function save(
  { chosen: { kind, subject }, workspace, used, verdict }: VerifiedTask,
  console: Console,
): Promise<string | null> {
  if (!workspace || !used || !didRun(verdict)) return null;
  const record = {
    startedBy: 'person',
    subject: kind,
    runtime: { kind: used.runtime.kind, name: used.probe.name },
    verdict,
  } as const;
  try {
    const solution = subject.kind === 'solution' ? subject.solution : undefined;
    return (await saveRun(workspace, record, solution, new Date())).file;
  } catch (error) {
    // The verdict is shown all the same.
    const { message, nextStep } = reportOf(error, 'verify');
    console.note(hang('! ', `The run was not saved: ${message} ${nextStep}`, console.style.width));
    return null;
  }
}

function documentOf(
  { task, chosen, workspace, used, verdict }: VerifiedTask,
  run: string | null,
): VerifyDocument {
  return {
    version: DOCUMENT_VERSION,
    command: 'verify',
    task: taskDocument(task),
    subject: chosen.kind,
    workspace: workspace ? { folder: workspace.folder, run } : null,
    runtime: used ? { kind: used.runtime.kind, name: used.probe.name, where: used.probe.where } : null,
    verdict: verdictDocumentOf(verdict, 'verify'),
  };
}

function reportFor(
  { task, chosen, workspace, used, verdict }: VerifiedTask,
  { imageMap }: VerifyArguments,
): VerdictReport {
  const document = taskDocument(task);
  const imageUse = imageUseOf(document.image, used?.runtime.kind, imageMap);
  const ours = new Set<string>(task.family.solution.map(({ path }) => path));
  return {
    task: document,
    subject: chosen.words,
    ...(imageUse === undefined ? {} : { imageUse }),
    runtime: used ? `${used.probe.name}, ${used.probe.platform}` : undefined,
    verdict,
    command: 'verify',
    showPath: (path) => (workspace && ours.has(path) ? here(hostPathOf(workspace, path)) : path),
  };
}
