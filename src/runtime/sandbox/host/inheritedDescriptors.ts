/** Keeps inherited descriptors out of the sandbox: one without close-on-exec would lead out of it. */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { StdioOptions } from 'node:child_process';

const CLOSE_ON_EXEC = 0o2000000;
const FIRST_EXTRA = 3;

/** `stdio` for spawn, and what to call right after it. */
export interface ShieldedStdio {
  readonly stdio: StdioOptions;
  readonly release: () => void;
}

/**
 * Adds an empty descriptor for every one that the child would inherit beyond those asked for. Node marks its own
 * as close-on-exec, but leaves those alone that whoever started it passed on.
 */
export function shieldStdio(wanted: readonly ('ignore' | 'pipe')[]): ShieldedStdio {
  const inherited = inheritedDescriptors().filter((descriptor) => descriptor >= wanted.length);
  if (inherited.length === 0) return { stdio: [...wanted], release: () => undefined };
  const empty = openSync('/dev/null', 'r');
  const stdio: ('ignore' | 'pipe' | number)[] = [...wanted];
  for (let descriptor = wanted.length; descriptor <= Math.max(...inherited); descriptor++) {
    stdio.push(inherited.includes(descriptor) ? empty : 'ignore');
  }
  return { stdio, release: () => closeSync(empty) };
}

/** Descriptors of this process that a child inherits, from `flags` in /proc/self/fdinfo (proc_pid_fdinfo(5)). */
function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor >= FIRST_EXTRA && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // Closed since it was listed, such as the one that listed it.
    return false;
  }
}
