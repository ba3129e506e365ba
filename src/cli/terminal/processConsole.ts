/** The console of this process: stdout, stderr, their looks, and what happens when a reader closes its pipe. */
import type { Console } from './console.ts';
import { styleOf } from './terminalStyle.ts';
import { printableJson } from './textLayout.ts';
import { liveProgress, plainProgress, type Progress, SILENT } from './progress.ts';

export function processConsole(json: boolean): Console {
  const { stdout, stderr, env, platform } = process;
  const out = writerTo(stdout);
  const err = writerTo(stderr);
  const progress = progressOn(err, json);
  return {
    json,
    style: styleOf(stdout, env, platform),
    progress,
    print: (lines) => {
      progress.clear();
      if (lines.length > 0) out(`${lines.join('\n')}\n`);
    },
    printJson: (document) => {
      progress.clear();
      const text = JSON.stringify(document, undefined, stdout.isTTY ? 2 : undefined);
      out(`${stdout.isTTY ? printableJson(text) : text}\n`);
    },
    note: (lines) => {
      progress.clear();
      if (lines.length > 0) err(`${lines.join('\n')}\n`);
    },
  };
}

/** Why stdout did not take all that was written, such as a full disk; a reader who has gone away is no reason. */
let outputFailure: Error | undefined;

/** Resolves when all that was written has been taken, or nobody takes it any more; with why, when that was a failure. */
export async function flush(): Promise<Error | undefined> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) =>
        new Promise<void>((resolve) => (stream.destroyed ? resolve() : stream.write('', () => resolve()))),
    ),
  );
  return outputFailure;
}

/** `repair-bench … | head` closes the pipe early: the rest is left out, and the exit code stays what it is. */
function writerTo(stream: NodeJS.WriteStream): (text: string) => void {
  let open = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false;
    if (stream === process.stdout && error.code !== 'EPIPE') outputFailure ??= error;
  });
  return (text) => {
    if (open) stream.write(text);
  };
}

function progressOn(write: (text: string) => void, json: boolean): Progress {
  const { stderr, env, platform } = process;
  if (stderr.isTTY) return liveProgress(write, styleOf(stderr, env, platform));
  return json ? SILENT : plainProgress(write);
}
