/**
 * What a container runs that is started before anybody asks for the run: a shell that costs nothing while it waits for a
 * line with a number and an archive of so many bytes, unpacks that as root, and becomes the verifier's own command, with
 * the process number, environment, directory and (empty) input that the command has when it is started at once.
 * It leaves by itself when its input closes, which it does with the process that keeps it.
 * The shell is bash, as the command is, and privileged: it reads no `BASH_ENV` and takes over no function.
 */
import { randomUUID } from 'node:crypto';

/** A command that waits, and what it says when it is ready and when the verifier begins. */
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

/** Makes a command wait. */
export function waiting(command: readonly string[]): WaitingCommand {
  const mark = randomUUID();
  return { command: ['bash', '-p', '-c', WAIT, mark, ...command], mark };
}

/** What the waiting command is told. */
export function goAhead(archive: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`\n${archive.length}\n`), archive]);
}

/** Takes the two words of a waiting command off the beginning of what it prints. */
export class StartReader {
  /** Settle when the word was read; never, when something else came instead. */
  readonly ready: Promise<void>;
  readonly begun: Promise<void>;
  readonly #words: Buffer;
  readonly #readyBytes: number;
  #read = 0;
  #failed = false;
  #sayReady: () => void = () => undefined;
  #sayBegun: () => void = () => undefined;

  constructor(mark: string) {
    const ready = Buffer.from(`${mark} ready\n`);
    this.#words = Buffer.concat([ready, Buffer.from(`${mark} go\n`)]);
    this.#readyBytes = ready.length;
    this.ready = new Promise((resolve) => (this.#sayReady = resolve));
    this.begun = new Promise((resolve) => (this.#sayBegun = resolve));
  }

  /** Takes the next bytes of stdout; gives back those of the verifier. */
  push(chunk: Buffer): Buffer {
    const expected = this.#words.subarray(this.#read, this.#read + chunk.length);
    if (!chunk.subarray(0, expected.length).equals(expected)) this.#failed = true;
    this.#read += expected.length;
    if (!this.#failed && this.#read >= this.#readyBytes) this.#sayReady();
    if (!this.#failed && this.#read === this.#words.length) this.#sayBegun();
    return chunk.subarray(expected.length);
  }
}
