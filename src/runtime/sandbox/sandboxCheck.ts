/**
 * What a person who sets up a machine asks of the sandbox: does it work here, and which Python would tests run with?
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

export interface SandboxQuestion {
  readonly owner: string;
  readonly env: HostEnvironment;
  readonly pythonPath: string | undefined;
}

/** Tries the sandbox out. Never throws. */
export async function checkSandbox(question: SandboxQuestion, signal: AbortSignal): Promise<SandboxCheck> {
  const looking = findHostInterpreter(question);
  const runtime = createSandboxRuntime({ ...question, interpreter: looking });
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
