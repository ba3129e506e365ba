/**
 * What a container runs that is started ahead of its run: a shell that waits for a line with a size and an archive of
 * that size, unpacks the archive as root, and then becomes the verifier's own command, with the same process number,
 * environment, directory and (empty) input as when it is started at once. The shell ends when its input closes, as it
 * does when our process ends. It is bash, like the command, and privileged: it reads no `BASH_ENV` and imports no function.
 */
import { randomUUID } from 'node:crypto';

/** A command that waits, and the mark of its messages. */
export interface WaitingCommand {
  readonly command: readonly string[];
  readonly mark: string;
}

const WAIT = [
  // Only root may give files their owner, and only GNU tar is known to place them as an engine does.
  '[ "$EUID" = 0 ] || exit 1',
  'case "$(tar --version 2>/dev/null)" in *"GNU tar"*) ;; *) exit 1 ;; esac',
  // As the engine gave it: what a shell passes on lacks some variables and has others set anew.
  'environment=()',
  'while IFS= read -r -d "" one; do environment+=("$one"); done </proc/self/environ || exit 1',
  'env -i -- "${environment[@]}" true || exit 1',
  `printf '%s ready\\n' "$0"`,
  // Podman gives what came with the request to attach as the first input; it ends where the go-ahead begins.
  'read -r bytes && read -r bytes || exit 1',
  'head -c "$bytes" | TAR_OPTIONS= tar -xpf - -C / --numeric-owner 2>/dev/null || exit 1',
  `printf '%s go\\n' "$0"`,
  'exec env -i -- "${environment[@]}" "$@" </dev/null',
].join('\n');

/** Makes a command wait for its start message. */
export function waitingCommand(command: readonly string[]): WaitingCommand {
  const mark = randomUUID();
  return { command: ['bash', '-p', '-c', WAIT, mark, ...command], mark };
}

/** The message that starts a waiting command. */
export function startMessage(archive: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`\n${archive.length}\n`), archive]);
}

/** Reads the two messages that a waiting command prints first. */
export class StartReader {
  /** Resolve when the message was read; never when something else was printed instead. */
  readonly ready: Promise<void>;
  readonly begun: Promise<void>;
  readonly #words: Buffer;
  readonly #readyBytes: number;
  #read = 0;
  #failed = false;
  #resolveReady: () => void = () => undefined;
  #resolveBegun: () => void = () => undefined;

  constructor(mark: string) {
    const ready = Buffer.from(`${mark} ready\n`);
    this.#words = Buffer.concat([ready, Buffer.from(`${mark} go\n`)]);
    this.#readyBytes = ready.length;
    this.ready = new Promise((resolve) => (this.#resolveReady = resolve));
    this.begun = new Promise((resolve) => (this.#resolveBegun = resolve));
  }

  /** Reads the next bytes of stdout; returns those of the verifier. */
  push(chunk: Buffer): Buffer {
    const expected = this.#words.subarray(this.#read, this.#read + chunk.length);
    if (!chunk.subarray(0, expected.length).equals(expected)) this.#failed = true;
    this.#read += expected.length;
    if (!this.#failed && this.#read >= this.#readyBytes) this.#resolveReady();
    if (!this.#failed && this.#read === this.#words.length) this.#resolveBegun();
    return chunk.subarray(expected.length);
  }
}
