/** The debugpy that the Python Debugger extension ships, for images without one. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { DebugpyFiles } from '../../verifier/trial/debugTrial.ts';

export const PYTHON_DEBUGGER = 'ms-python.debugpy';
/** Source: the extension's repository, microsoft/vscode-python-debugger, `bundled/libs`. */
const LIBRARIES = ['bundled', 'libs'];
const MOST_FILES = 4000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Its Python files, which run on every machine; empty when the extension is not installed or ships none. */
export async function bundledDebugpy(api: typeof vscode): Promise<DebugpyFiles> {
  const extension = api.extensions.getExtension(PYTHON_DEBUGGER);
  return extension ? pythonFilesBelow(join(extension.extensionPath, ...LIBRARIES)) : new Map();
}

/** Python files below a folder by their path in it, with `/`. Empty when it is not there or too large to be debugpy. */
export async function pythonFilesBelow(folder: string): Promise<DebugpyFiles> {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const paths = entries.filter((path) => path.endsWith('.py')).sort();
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  if (paths.length > MOST_FILES) return new Map();
  for (const path of paths) {
    const content = await readFile(join(folder, path));
    bytes += content.length;
    if (bytes > MOST_BYTES) return new Map();
    files.set(path.replaceAll('\\', '/'), content);
  }
  return files;
}
