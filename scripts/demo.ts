// `npm run demo`: verifies starter and gold of one sample task per family, and shows gates, cases, reward and clocks.
// In Docker when an engine answers and has the images, else in the sandbox. Options: --image-map A=B, as of the CLI.
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readRow } from '../src/cli/find/findTask.ts';
import { grammarFiles } from '../src/cli/find/grammarFiles.ts';
import { processConsole } from '../src/cli/terminal/processConsole.ts';
import { remedyWords } from '../src/cli/failures/remedyWords.ts';
import { imageUseOf, renderVerdict } from '../src/cli/render/renderVerdict.ts';
import { chooseSubject } from '../src/cli/find/solutionArgument.ts';
import { taskDocument } from '../src/cli/documents/taskDocument.ts';
import { hang } from '../src/cli/terminal/textLayout.ts';
import { durationText } from '../src/wording/durationText.ts';
import { chooseRuntime, type RuntimeChoice, type RuntimeRequest } from '../src/runtime/chooseRuntime.ts';
import { loadBashGrammar } from '../src/verifier/script/bashGrammar.ts';
import type { Verdict } from '../src/verifier/verdict/verdict.ts';
import { verify } from '../src/verifier/verify.ts';
import type { Task } from '../src/task/task.ts';
import { ensureSandbox } from '../test/host/sandbox.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SAMPLES = `${ROOT}media/samples/tasks.parquet`;
const ROWS = ['bugsinpy-0001', 'manybugs-0007', 'harbor-ledger-cli'];
const SUBJECTS = ['starter', 'gold'] as const;

type Used = Extract<RuntimeChoice, { kind: 'chosen' }>;

const started = performance.now();
const console = processConsole(false);
const { style, progress } = console;
const controller = new AbortController();
const { signal } = controller;
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());

const imageMap = readImageMap();
const parseBash = await loadBashGrammar(grammarFiles());
let used = await firstRuntime();
const summary: string[] = [];
let good = true;
for (const row of ROWS) await showTask(row);

progress.stop();
await used.runtime.dispose();
console.print([
  '',
  ...summary,
  '',
  `${good ? 'Every starter scored below 1 and every gold 1' : 'Not every starter scored below 1 and every gold 1'}, in ${durationText(performance.now() - started)}.`,
]);
process.exit(signal.aborted ? 130 : good ? 0 : 1);

async function showTask(row: string): Promise<void> {
  const { task } = await readRow(SAMPLES, row, signal);
  const rewards: string[] = [];
  let asExpected = true;
  for (const kind of SUBJECTS) {
    const verdict = await show(task, kind);
    const reward = verdict.outcome === 'scored' ? verdict.reward : undefined;
    rewards.push(`${kind} ${reward ?? verdict.outcome}`);
    asExpected &&= reward !== undefined && (kind === 'gold' ? reward === 1 : reward < 1);
  }
  good &&= asExpected;
  const mark = asExpected
    ? style.paint('green', style.symbols.passed)
    : style.paint('red', style.symbols.failed);
  summary.push(`${mark} ${task.family.name.padEnd(9)} ${task.id.padEnd(18)} ${rewards.join(', ')}`);
}

async function show(task: Task, kind: (typeof SUBJECTS)[number]): Promise<Verdict> {
  const { subject, words } = await chooseSubject(task, undefined, { kind });
  let verdict = await runOnce();
  if (verdict.outcome === 'engine-error' && used.runtime.kind === 'docker') {
    note(`${verdict.message} Going on in the sandbox.`);
    await used.runtime.dispose();
    used = await sandbox();
    verdict = await runOnce();
  }
  const document = taskDocument(task);
  const imageUse = imageUseOf(document.image, used.runtime.kind, imageMap);
  const { name, platform } = used.probe;
  console.print([
    '',
    style.paint('bold', `${task.id}, ${words}`),
    '',
    ...renderVerdict(
      {
        task: document,
        subject: words,
        ...(imageUse === undefined ? {} : { imageUse }),
        runtime: `${name}, ${platform}`,
        verdict,
        command: 'verify',
        showPath: (path) => path,
      },
      style,
    ),
  ]);
  return verdict;

  function runOnce(): Promise<Verdict> {
    const options = {
      parseBash,
      trace: true,
      allowNetwork: false,
      allowedHostNames: new Set<string>(),
      hostEnv: {},
    };
    return verify({ task, subject, options }, { runtime: used.runtime, sinks: progress, signal });
  }
}

async function firstRuntime(): Promise<Used> {
  const docker = await chooseRuntime(wish('docker'), signal);
  if (docker.kind === 'chosen') return docker;
  if (docker.kind === 'failed') note(`${docker.failure.message} Going on in the sandbox.`);
  return sandbox();
}

/** Installs what the sandbox needs where this user may; a sandbox that works without is as good. */
async function sandbox(): Promise<Used> {
  const install = await ensureSandbox().catch((error: unknown) => error);
  const choice = await chooseRuntime(wish('sandbox'), signal);
  if (choice.kind === 'chosen') return choice;
  progress.stop();
  if (choice.kind === 'failed') {
    note(choice.failure.message);
    if (install instanceof Error) note(install.message);
    note(`Next: ${remedyWords(choice.failure.remedies, null)}`);
  }
  process.exit(choice.kind === 'cancelled' ? 130 : 4);
}

function wish(kind: 'docker' | 'sandbox'): RuntimeRequest {
  return {
    kind,
    ownerSuffix: 'demo',
    env: process.env,
    home: homedir(),
    platform: process.platform,
    imageMap,
  };
}

function readImageMap(): Record<string, string> {
  const { values } = parseArgs({ options: { 'image-map': { type: 'string', multiple: true, default: [] } } });
  return Object.fromEntries(
    values['image-map'].map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

function note(message: string): void {
  console.note(hang(`${style.symbols.attention} `, message.split('\n')[0] ?? '', style.width));
}
