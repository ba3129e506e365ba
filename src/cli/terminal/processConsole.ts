/** The console of this process, on stdout and stderr; survives a reader that closes its pipe. */
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

/** Why stdout could not be written, such as a full disk; a closed pipe is no failure. */
let outputFailure: Error | undefined;

/** Resolves when all output is written or its reader is gone; with the error when stdout could not be written. */
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
