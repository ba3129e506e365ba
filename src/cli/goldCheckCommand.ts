/** `repair-bench gold check`: whether a gold fix is as it was saved and still gets its reward. */
import { checkGoldFix, type GoldCheck, holds } from '../gold/checkGoldFix.ts';
import type { GoldFix } from '../gold/goldFix.ts';
import type { Verdict } from '../verifier/verdict.ts';
import type { GoldCheckArguments } from './arguments.ts';
import type { Console } from './console.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exitCode.ts';
import { findGoldFix } from './findGoldFix.ts';
import { here } from './here.ts';
import { DOCUMENT_VERSION } from './jsonDocuments.ts';
import type { Colour, Look } from './look.ts';
import { type ChosenRuntime, requireRuntime, verifyOptionsOf } from './runtimeFor.ts';
import { forCommandLine, settingsAsOptions } from './settingsAsOptions.ts';
import { hang, oneLine } from './textLayout.ts';

/** @throws CliError, GoldError, WorkspaceError, DatasetError, TaskArchiveError */
export async function goldCheckCommand(
  args: GoldCheckArguments,
  console: Console,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { goldFix, task } = await findGoldFix(args, signal);
  let used: ChosenRuntime | undefined;
  try {
    const { phase, log } = console.progress;
    const runtime = async () => {
      used = await requireRuntime(args, console, signal);
      return used.runtime;
    };
    const options = await verifyOptionsOf(args);
    const check = await checkGoldFix(goldFix, task, runtime, options, { phase, log }, signal);
    console.progress.stop();
    tell(goldFix, check, console);
    return exitCode(check);
  } finally {
    await used?.runtime.dispose();
  }
}

function exitCode(check: GoldCheck): ExitCode {
  if (holds(check)) return EXIT.ok;
  const code = check.verdict && check.findings.length === 0 ? exitCodeOf(check.verdict) : EXIT.scoredLower;
  // A reward in spite of a solve.sh that failed is not the gold fix's.
  return code === EXIT.ok ? EXIT.scoredLower : code;
}

function tell(goldFix: GoldFix, check: GoldCheck, console: Console): void {
  const { folder, record } = goldFix;
  if (console.json) {
    console.printJson({
      version: DOCUMENT_VERSION,
      command: 'gold check',
      gold: { folder, task: record.task.id },
      holds: holds(check),
      findings: [...check.findings],
      notes: [...check.notes],
      verdict: check.verdict ? forCommandLine(check.verdict) : null,
    });
    return;
  }
  console.print([
    ...headline(goldFix, check, console.look),
    ...check.findings.flatMap(({ file, line, message }) => [
      `  ${oneLine(file)}${line === undefined ? '' : `:${line}`}`,
      ...hang('    ', oneLine(message), console.look.width),
    ]),
    ...check.notes.flatMap((note) => hang('  ', oneLine(note), console.look.width)),
  ]);
}

function headline({ record, folder }: GoldFix, check: GoldCheck, look: Look): string[] {
  const id = oneLine(record.task.id);
  if (holds(check)) {
    const words = `The gold fix of ${id} holds: nothing was edited, and the reward is ${rewardOf(check.verdict)} again.`;
    return marked(look.symbols.passed, 'green', words, look);
  }
  const because =
    check.findings.length > 0
      ? `${here(folder)} is not as it was saved, or is of another task. Nothing was run.`
      : whyNot(check.verdict);
  return marked(look.symbols.failed, 'red', `The gold fix of ${id} does not hold: ${because}`, look);
}

function marked(mark: string, colour: Colour, words: string, look: Look): string[] {
  const [first = '', ...others] = hang(`${mark} `, oneLine(words), look.width);
  return [look.paint(colour, mark) + first.slice(mark.length), ...others];
}

function rewardOf(verdict: Verdict | undefined): string {
  return verdict?.outcome === 'scored' ? String(verdict.reward) : 'none';
}

function whyNot(verdict: Verdict | undefined): string {
  switch (verdict?.outcome) {
    case 'scored': {
      const script = verdict.warnings.find(({ code }) => code === 'oracle-failed');
      return [`the reward is ${verdict.reward}.`, ...(script ? [script.message] : [])].join(' ');
    }
    case 'unscored':
    case 'engine-error':
      return settingsAsOptions(`${verdict.message} ${verdict.nextStep}`);
    case 'cancelled':
    case undefined:
      return 'the check was cancelled.';
  }
}
