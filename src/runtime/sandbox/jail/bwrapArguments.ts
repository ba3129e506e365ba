/** The bubblewrap options of one step, as a pure function, so that a golden test can hold them. */

/** One bind mount: a host path shown at a container path. */
export interface Mount {
  readonly source: string;
  readonly target: string;
}

/** What a step sees and as whom it runs. */
export interface SandboxView {
  /** Host folder that becomes `/`. */
  readonly root: string;
  /** Bound in this order, so parents come before what is mounted inside them. */
  readonly mounts: readonly (Mount & { readonly writable: boolean })[];
  readonly uid: number;
  readonly gid: number;
  /** False for a bubblewrap that cannot forbid user namespaces inside of its own. */
  readonly forbidsNamespaces: boolean;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
}

export const SANDBOX_HOSTNAME = 'sandbox';
/** Docker's default size of `/dev/shm`, in bytes. */
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * Options for bubblewrap 0.6 and later (https://github.com/containers/bubblewrap, bwrap(1)), without the
 * program and the command. `--as-pid-1` makes our own small shell the first process of the pid namespace, so
 * that bwrap returns only after the kernel has ended everything in it.
 */
export function bwrapArguments(view: SandboxView): string[] {
  return [
    ...['--unshare-all', '--unshare-user'],
    // Keeps a script from having the kernel's whole interface as root of a namespace of its own.
    ...(view.forbidsNamespaces ? ['--disable-userns'] : []),
    ...['--uid', String(view.uid), '--gid', String(view.gid)],
    ...['--cap-drop', 'ALL', '--hostname', SANDBOX_HOSTNAME],
    ...['--die-with-parent', '--new-session', '--as-pid-1'],
    ...['--bind', view.root, '/'],
    ...view.mounts.flatMap(({ source, target, writable }) => [
      writable ? '--bind' : '--ro-bind',
      source,
      target,
    ]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--perms', '1777', '--size', String(SHARED_MEMORY_BYTES), '--tmpfs', '/dev/shm'],
    // The rest of `/dev` is a tmpfs without a size limit.
    ...['--remount-ro', '/dev'],
    ...['--chdir', view.workdir, '--clearenv'],
    ...Object.entries(view.env).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** `--disable-userns` came with 0.8.0. @param version what `bwrap --version` prints. */
export function canForbidNamespaces(version: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 0 || Number(minor) >= 8;
}

/**
 * The form that `--args FD` reads. Arguments given this way are in nobody's process list.
 * Throws a RangeError for an argument with a NUL byte, which would smuggle in options of its own.
 */
export function encodeArguments(options: readonly string[]): Buffer {
  const bad = options.find((option) => option.includes('\0'));
  if (bad !== undefined) throw new RangeError(`An argument holds a NUL byte: ${JSON.stringify(bad)}`);
  return Buffer.from(options.map((option) => `${option}\0`).join(''), 'utf8');
}
