/**
 * Checks the sandbox for a person who sets up a machine: does it work, and with which Python do tests run?
 */
import type { RuntimeProbe } from '../runtime.ts';
import type { HostEnvironment } from './host/hostProgram.ts';
import type { Interpreter } from './host/interpreter.ts';
import { findHostInterpreter, readNamespaceSettings } from './sandboxHost.ts';
import { createSandboxRuntime } from './sandboxRuntime.ts';
import type { NamespaceSettings } from './host/sandboxFailures.ts';

export interface SandboxCheck {
  /** Of a real run of a small command in a sandbox. */
  readonly probe: RuntimeProbe;
  readonly namespaces: NamespaceSettings;
  /** Undefined where there is no Python 3 that a run could reach. */
  readonly interpreter: Pick<Interpreter, 'executable' | 'version' | 'pytestVersion'> | undefined;
}

export interface SandboxCheckRequest {
  readonly owner: string;
  readonly env: HostEnvironment;
  readonly pythonPath: string | undefined;
}

/** Tries the sandbox out. Never throws. */
export async function checkSandbox(request: SandboxCheckRequest, signal: AbortSignal): Promise<SandboxCheck> {
  const looking = findHostInterpreter(request);
  const runtime = createSandboxRuntime({ ...request, interpreter: looking });
  try {
    const [probe, namespaces, interpreter] = await Promise.all([
      runtime.probe(signal),
      readNamespaceSettings(),
      looking,
    ]);
    return { probe, namespaces, interpreter };
  } finally {
    await runtime.dispose();
  }
}
