// Settings of the extension: set for the tests of one file, and put back after them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { BASE_IMAGE } from '../../host/baseImage.ts';

type Settings = Readonly<Record<string, unknown>>;

export const SANDBOX = { runtime: 'sandbox' } as const;
export const DOCKER = {
  runtime: 'docker',
  images: {
    'python:3.10-slim': BASE_IMAGE,
    'ubuntu:22.04': BASE_IMAGE,
  },
} as const;

/** Names of the settings that the tests of this file have set. */
const changed = new Set<string>();

/** Sets settings of the extension for this user; `undefined` puts back the default. */
export async function configure(settings: Settings): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    changed.add(name);
    await vscode.workspace
      .getConfiguration('repairBench')
      .update(name, value, vscode.ConfigurationTarget.Global);
  }
}

/** Puts back every setting that the tests of this file have set. */
export async function putBackSettings(): Promise<void> {
  await configure(Object.fromEntries([...changed].map((name) => [name, undefined])));
  changed.clear();
}

/** For a suite: sets these settings before its tests, and puts back after them whatever was set. */
export function withSettings(settings: Settings = {}): void {
  before(() => configure(settings));
  after(putBackSettings);
}

/** Makes workspaces in a folder of their own from here on, so that no other test has worked in them. */
export async function freshWorkspaces(): Promise<{ end(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-fresh-'));
  await configure({ workspaceFolder: folder });
  return {
    end: async () => {
      await configure({ workspaceFolder: undefined });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
