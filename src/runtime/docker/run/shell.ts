/** An interactive shell in a container of its own, with a terminal, where a plan's verifier would run. */
import { inWords } from '../../../fault/remedy.ts';
import type { Shell, ShellSinks } from '../../runtime.ts';
import { environmentOf } from '../container/container.ts';
import { CannotStart } from '../container/ending.ts';
import { IDLE, putInPlace, removePlanned } from './execRun.ts';
import { EngineFailure } from '../engine/failures.ts';
import { startContainer, withContainer, type RunContext } from './runContext.ts';

/** bash where the image has it. */
const SHELL = ['sh', '-c', 'if command -v bash >/dev/null; then exec bash -i; else exec sh -i; fi'];

/**
 * Resolves when the shell has ended or the signal aborts; its container, and all that runs in it, is gone then.
 * @throws EngineFailure, Cancelled, or what the client of the engine throws.
 */
export async function shellInContainer(context: RunContext, sinks: ShellSinks): Promise<void> {
  const { plan, signal } = context;
  try {
    await withContainer(context, { command: IDLE, env: {}, init: false }, async (container) => {
      await startContainer(context, container);
      context.phases.enter('upload');
      await removePlanned(context, container);
      await putInPlace(context, container, plan.verifier);
      const { user, workdir, env } = plan.verifier;
      const exec = await container.exec({
        Cmd: SHELL,
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: true,
        Env: environmentOf({ ...env, TERM: 'xterm-256color' }),
        ...(user !== undefined && { User: user }),
        ...(workdir !== undefined && { WorkingDir: workdir }),
      });
      const stream = await exec.start({ hijack: true, stdin: true, Tty: true });
      const stop = (): void => void stream.destroy();
      signal.addEventListener('abort', stop, { once: true });
      const ended = new Promise<void>((resolve) => {
        for (const name of ['end', 'close', 'error']) stream.once(name, () => resolve());
      });
      stream.on('data', (bytes: Buffer) => sinks.output(bytes));
      if (signal.aborted) stop();
      else sinks.ready(shellOver(stream, (h, w) => exec.resize({ h, w })));
      await ended;
      signal.removeEventListener('abort', stop);
      stop();
    });
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    const { end } = error;
    throw new EngineFailure({
      reason: 'unexpected',
      message: `A shell could not be started in the image: ${end.how === 'cannot-start' ? end.message : end.how}.`,
      remedies: [inWords('Check the user and the directory that the task names, and that its image has sh.')],
    });
  }
}

function shellOver(
  stream: NodeJS.ReadWriteStream,
  resize: (rows: number, columns: number) => Promise<unknown>,
): Shell {
  return {
    write: (text) => {
      stream.write(text);
    },
    resize: (columns, rows) => {
      // A shell that ended meanwhile has no size.
      resize(rows, columns).catch(() => undefined);
    },
  };
}
