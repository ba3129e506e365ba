/** `repair-bench gold check`: checks that a gold fix was not edited and still gets its reward. */
import { checkGoldFix, type GoldCheck, goldFixHolds } from '../../gold/checkGoldFix.ts';
import type { GoldFix } from '../../gold/goldFix.ts';
import type { GoldCheckArguments } from '../input/arguments.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../failures/exitCode.ts';
import { findGoldFix } from '../find/findGoldFix.ts';
import { DOCUMENT_VERSION } from '../documents/jsonDocuments.ts';
import { renderGoldCheck } from '../render/renderGoldCheck.ts';
import { type ChosenRuntime, requireRuntime, verifyOptionsOf } from '../find/runtimeFor.ts';
import { verdictDocumentOf } from '../documents/verdictDocument.ts';

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
    const check = await checkGoldFix({ goldFix, task, options }, { runtime, sinks: { phase, log }, signal });
    console.progress.stop();
    printResult(goldFix, check, console);
    return exitCode(check);
  } finally {
    await used?.runtime.dispose();
  }
}

function exitCode(check: GoldCheck): ExitCode {
  if (goldFixHolds(check)) return EXIT.ok;
  const code = check.verdict && check.findings.length === 0 ? exitCodeOf(check.verdict) : EXIT.scoredLower;
  // When solve.sh failed, the reward is not that of the gold fix.
  return code === EXIT.ok ? EXIT.scoredLower : code;
}

function printResult(goldFix: GoldFix, check: GoldCheck, console: Console): void {
  const { folder, record } = goldFix;
  if (console.json) {
    console.printJson({
      version: DOCUMENT_VERSION,
      command: 'gold check',
      gold: { folder, task: record.task.id },
      holds: goldFixHolds(check),
      findings: [...check.findings],
      notes: [...check.notes],
      verdict: check.verdict ? verdictDocumentOf(check.verdict, 'gold check') : null,
    });
    return;
  }
  console.print(renderGoldCheck(goldFix, check, console.style));
}
