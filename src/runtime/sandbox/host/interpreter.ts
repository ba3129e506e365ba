/** The host's Python that stands in for the image's. Looked for once, since every run shows its version. */
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import os from 'node:os';
import * as z from 'zod';
import { othersMayEnter } from './hostFolder.ts';
import { runHostProgram, findPrograms, type HostEnvironment } from './hostProgram.ts';

export interface Interpreter {
  /** The program itself, never a shim that chooses one. */
  readonly executable: string;
  /** Such as `3.11.2`. */
  readonly version: string;
  /** `sys.prefix`; differs from `basePrefix` in a virtual environment. */
  readonly prefix: string;
  readonly basePrefix: string;
  /** Undefined when it has no pytest. */
  readonly pytestVersion: string | undefined;
}

/** Prints the facts of a candidate. `-I` ignores the user's site folder, which does not exist in the sandbox. */
const PROBE_SCRIPT = `
import json, sys
try:
    from importlib.metadata import version
    import pytest
    found = version("pytest")
except Exception:
    found = None
print(json.dumps({
    "executable": sys.executable, "version": ".".join(map(str, sys.version_info[:3])),
    "prefix": sys.prefix, "basePrefix": sys.base_prefix, "pytestVersion": found,
}))
`;
const answerSchema = z.object({
  executable: z.string().startsWith('/'),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  prefix: z.string().startsWith('/'),
  basePrefix: z.string().startsWith('/'),
  pytestVersion: z.string().nullable(),
});

/**
 * The first Python 3 with pytest that a run can reach, else the first without.
 * @param wanted a program that the user chose; then nothing else is tried.
 * @param asOthers true when runs have a uid of their own, which cannot enter a home folder that is closed to others.
 */
export async function findInterpreter(
  env: HostEnvironment,
  wanted: string | undefined,
  asOthers: boolean,
): Promise<Interpreter | undefined> {
  const candidates = wanted === undefined ? await findPrograms('python3', env) : [wanted];
  const seen = new Set<string>();
  let withoutPytest: Interpreter | undefined;
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => undefined);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    const interpreter = await readInterpreter(candidate, env);
    if (interpreter === undefined || !(await isReachable(interpreter, asOthers))) continue;
    if (interpreter.pytestVersion !== undefined) return interpreter;
    withoutPytest ??= interpreter;
  }
  return withoutPytest;
}

/** Folders outside of `/usr` that must be shown to a run for this interpreter to work. */
export function interpreterFolders(interpreter: Interpreter): string[] {
  const folders = [interpreter.basePrefix, interpreter.prefix].filter(
    (folder) => folder !== '/usr' && !folder.startsWith('/usr/'),
  );
  return [...new Set(folders)].filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
}

async function readInterpreter(program: string, env: HostEnvironment): Promise<Interpreter | undefined> {
  const answer = await runHostProgram(program, ['-I', '-c', PROBE_SCRIPT], { env });
  if (!answer.ok) return undefined;
  try {
    const { pytestVersion, ...rest } = answerSchema.parse(JSON.parse(answer.stdout));
    return { ...rest, pytestVersion: pytestVersion ?? undefined };
  } catch {
    // Not a Python that answers: the next candidate may be.
    return undefined;
  }
}

async function isReachable(interpreter: Interpreter, asOthers: boolean): Promise<boolean> {
  const home = os.homedir();
  for (const folder of interpreterFolders(interpreter)) {
    // Showing this folder would show the user's home, or everything.
    if (home === folder || home.startsWith(folder === '/' ? '/' : `${folder}/`)) return false;
    if (!(asOthers ? await othersMayEnter(folder) : await mayEnter(folder))) return false;
  }
  return true;
}

async function mayEnter(folder: string): Promise<boolean> {
  return access(folder, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
