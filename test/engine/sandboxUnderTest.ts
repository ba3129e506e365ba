// A sandbox runtime with a temporary folder of its own, so that tests see what a run leaves behind.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSandboxRuntime, type SandboxOptions } from '../../src/runtime/sandbox/sandboxRuntime.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { ensureSandbox } from '../host/sandbox.ts';

export interface SandboxUnderTest {
  readonly runtime: Runtime;
  /** Where run folders are made; only this runtime uses it. */
  readonly tmpRoot: string;
  readonly leftovers: () => string[];
  readonly close: () => Promise<void>;
}

/** Makes a runtime; installs bubblewrap and pytest where they are missing. */
export async function sandboxUnderTest(options: Partial<SandboxOptions> = {}): Promise<SandboxUnderTest> {
  const { bwrap, python } = await ensureSandbox();
  const tmpRoot = mkdtempSync(path.join(tmpdir(), 'sandbox-under-test-'));
  chmodSync(tmpRoot, 0o755);
  const runtime = createSandboxRuntime({
    owner: randomUUID(),
    env: process.env,
    tmpRoot,
    bwrapPath: bwrap,
    pythonPath: python,
    ...options,
  });
  return {
    runtime,
    tmpRoot,
    leftovers: () => readdirSync(tmpRoot),
    close: async () => {
      await runtime.dispose();
      rmSync(tmpRoot, { recursive: true });
    },
  };
}
