/** What a run sees of the host, all of it read-only, and the files that replace those of the image. */
import { lstat, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxView } from './bwrapArguments.ts';
import { exists } from '../host/hostFolder.ts';
import { interpreterFolders, type Interpreter } from '../host/interpreter.ts';

/** A file or link that belongs to the image in a container, and is made by us here. */
export type BaseEntry =
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'script'; readonly path: string; readonly text: string };

export interface HostView {
  /** Host paths that are shown read-only at the same container path. */
  readonly readOnly: readonly string[];
  readonly entries: readonly BaseEntry[];
}

/** Folders of the root that are links into /usr on merged systems, and folders on others. */
const SYSTEM_FOLDERS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** Settings without which installed programs do not start, and which say nothing of this machine. */
const SETTINGS = /^(alternatives|ld\.so\.cache|ld\.so\.conf|ld\.so\.conf\.d|java-.*|python3.*|perl|php)$/;
/** The container's own: images put programs and files here, and the host's `bin` has nothing to do with a task. */
const LOCAL = '/usr/local';
const LOCAL_BIN = `${LOCAL}/bin`;

/** Reads the host; the result is the same for every run. */
export async function readHostView(interpreter: Interpreter | undefined): Promise<HostView> {
  const readOnly: string[] = ['/usr'];
  const entries: BaseEntry[] = [];
  for (const name of SYSTEM_FOLDERS) {
    const stats = await lstat(`/${name}`).catch(() => undefined);
    if (stats?.isDirectory()) readOnly.push(`/${name}`);
    if (stats?.isSymbolicLink()) {
      entries.push({ kind: 'link', path: `/${name}`, target: await readlink(`/${name}`) });
    }
  }
  const settings = (await readdir('/etc')).filter((name) => SETTINGS.test(name));
  // Packages that pip put there for the system's Python, and libraries.
  const libraries = ['lib', 'lib64'].map((name) => `${LOCAL}/${name}`);
  for (const shown of [...settings.map((name) => `/etc/${name}`), ...libraries]) {
    if (await exists(shown)) readOnly.push(shown);
  }
  if (interpreter !== undefined) {
    readOnly.push(...interpreterFolders(interpreter));
    if (interpreter.executable.startsWith(`${LOCAL}/`)) readOnly.push(interpreter.executable);
    entries.push(...interpreterEntries(interpreter));
  }
  return { readOnly, entries };
}

/**
 * The mounts, parents first. Each folder above a mount is a mount of its own: a mount point cannot be renamed
 * or replaced from inside, so no step can swap a link into the path that the next step's mount is made on.
 */
export function mountsOf(view: HostView, root: string): SandboxView['mounts'] {
  const readOnly = new Set(view.readOnly);
  const targets = new Set<string>();
  for (const target of [...readOnly, LOCAL_BIN]) {
    for (const parent of parentsOf(target)) targets.add(parent);
    targets.add(target);
  }
  return [...targets]
    .filter((target) => readOnly.has(target) || isOwn(target, readOnly))
    .sort()
    .map((target) =>
      readOnly.has(target)
        ? { source: target, target, writable: false }
        : { source: `${root}${target}`, target, writable: true },
    );
}

/** Whether a container path belongs to the host's system, so that nothing can be put there. */
export function isReadOnlyPath(view: HostView, containerPath: string): boolean {
  if (['/proc', '/dev', '/sys'].some((system) => isWithin(containerPath, system))) return true;
  const covering = [...view.readOnly, LOCAL].filter((shown) => isWithin(containerPath, shown));
  const deepest = covering.sort((a, b) => b.length - a.length)[0];
  // The way to /usr/local leads through /usr.
  return deepest !== undefined && deepest !== LOCAL && containerPath !== '/usr';
}

function isOwn(target: string, readOnly: ReadonlySet<string>): boolean {
  if (isWithin(target, LOCAL))
    return ![...readOnly].some((shown) => shown !== '/usr' && isWithin(target, shown));
  return ![...readOnly].some((shown) => isWithin(target, shown));
}

/** `python`, `python3` and `pytest` where python's own images have them. */
function interpreterEntries(interpreter: Interpreter): BaseEntry[] {
  const { executable, prefix, basePrefix, version, pytestVersion } = interpreter;
  // Through a link a virtual environment would not know itself (PEP 405 looks beside the program's own name).
  const isVirtual = prefix !== basePrefix;
  const names = ['python', 'python3', `python${version.split('.').slice(0, 2).join('.')}`];
  const entries = names
    .map((name) => `${LOCAL_BIN}/${name}`)
    .filter((entry) => entry !== executable)
    .map((entry): BaseEntry =>
      isVirtual
        ? { kind: 'script', path: entry, text: `#!/bin/sh\nexec ${quoted(executable)} "$@"\n` }
        : { kind: 'link', path: entry, target: executable },
    );
  if (pytestVersion === undefined) return entries;
  const pytest = `#!/bin/sh\nexec ${quoted(executable)} -m pytest "$@"\n`;
  return [...entries, { kind: 'script', path: `${LOCAL_BIN}/pytest`, text: pytest }];
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function parentsOf(target: string): string[] {
  const parent = path.posix.dirname(target);
  return parent === '/' ? [] : [...parentsOf(parent), parent];
}

function isWithin(candidate: string, folder: string): boolean {
  return candidate === folder || candidate.startsWith(`${folder}/`);
}
