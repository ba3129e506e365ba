/** The settings as typed values. Nothing else reads or writes the configuration; what a person typed wrong falls back to the default. */
import type * as vscode from 'vscode';
import type { RequestedKind } from '../../runtime/schemas.ts';
import type { PlanOptions } from '../../verifier/plan/plan.ts';

export const SETTINGS_SECTION = 'repairBench';

export interface Settings {
  readonly workspaceFolder: string;
  readonly verifyOnSave: boolean;
  readonly codeLens: boolean;
  readonly runtime: RequestedKind;
  /** Empty: the environment tells where the engine is. */
  readonly dockerEndpoint: string;
  readonly images: Readonly<Record<string, string>>;
  /** Milliseconds; undefined: the task's own limit. */
  readonly timeoutMs: number | undefined;
  readonly allowNetwork: boolean;
  readonly hostVariables: readonly string[];
  readonly remoteImages: boolean;
  /** `always`: nothing is hidden; what was seen is recorded all the same. */
  readonly revealSpoilers: 'ask' | 'always';
  /** Whether language models may read tasks and run verifiers. */
  readonly languageModelTools: boolean;
  readonly keepWarm: boolean;
}

/** Just enough of `WorkspaceConfiguration` to be read in a test. */
export interface SettingSource {
  get(name: string): unknown;
}

/** Reads all settings from one source. Pure. */
export function settingsFrom(source: SettingSource): Settings {
  const runtime = source.get('runtime');
  const seconds = source.get('timeoutSeconds');
  return {
    workspaceFolder: text(source.get('workspaceFolder')),
    verifyOnSave: source.get('verifyOnSave') === true,
    codeLens: source.get('codeLens') !== false,
    runtime: runtime === 'docker' || runtime === 'sandbox' ? runtime : 'auto',
    dockerEndpoint: text(source.get('dockerEndpoint')),
    images: stringRecord(source.get('images')),
    timeoutMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined,
    allowNetwork: source.get('allowNetwork') === true,
    hostVariables: strings(source.get('hostVariables')),
    remoteImages: source.get('remoteImages') === true,
    revealSpoilers: source.get('revealSpoilers') === 'always' ? 'always' : 'ask',
    languageModelTools: source.get('languageModelTools') !== false,
    keepWarm: source.get('keepWarm') !== false,
  };
}

/** The settings of this window: read whenever they are needed, so that a change counts from the next use on. */
export class SettingsWatch {
  readonly #api: typeof vscode;

  constructor(api: typeof vscode) {
    this.#api = api;
  }

  get current(): Settings {
    return settingsFrom(this.#api.workspace.getConfiguration(SETTINGS_SECTION));
  }

  /** Calls `listener` whenever the setting of that name was changed, in any scope. */
  onDidChange(name: Exclude<keyof Settings, 'timeoutMs'>, listener: () => void): vscode.Disposable {
    return this.#api.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SETTINGS_SECTION}.${name}`)) listener();
    });
  }

  /** Sets for this person where verifiers run. */
  async setRuntime(runtime: RequestedKind): Promise<void> {
    const { workspace, ConfigurationTarget } = this.#api;
    await workspace.getConfiguration(SETTINGS_SECTION).update('runtime', runtime, ConfigurationTarget.Global);
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

function stringRecord(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** What runs are planned with, as far as settings and the window's environment decide it. */
export function planOptionsFrom(settings: Settings): Omit<PlanOptions, 'trace' | 'oracle'> {
  return {
    allowNetwork: settings.allowNetwork,
    allowedHostNames: new Set(settings.hostVariables),
    hostEnv: process.env,
    ...(settings.timeoutMs === undefined ? {} : { timeoutMs: settings.timeoutMs }),
  };
}
