// A running VS Code: code-server on a free port, with its own user data and extensions.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureCodeServer, type CodeServer, type VscodeVersion } from './codeServer.ts';
import { lastLines } from './command.ts';
import { until } from './until.ts';

const START_MS = 60_000;
const STOP_MS = 5_000;
/** VS Code gives an extension 5 s to end when its window is closed. */
const END_MS = 15_000;
// No marketplace: tests neither need one nor wait for one.
const NO_GALLERY = { EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }) };
const QUIET_SETTINGS = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'security.workspace.trust.banner': 'never',
};

/** How to start a VS Code. */
export interface ServerOptions {
  readonly version: VscodeVersion;
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** User settings, on top of those that keep the workbench quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether every folder is trusted. If not, VS Code asks, as it does on a desktop. */
  readonly trust: boolean;
  readonly extraArgs?: readonly string[];
  /** Added to the environment of the server and so of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A VS Code that answers at `origin` until it is stopped. */
export interface VscodeServer {
  readonly version: VscodeVersion;
  readonly origin: string;
  readonly logFile: string;
  /**
   * Waits until the extensions of windows that were closed have had their time to end, which a stop does not give them.
   * @throws Error when one does not end
   */
  extensionsEnded(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a VS Code and waits until it answers.
 * @throws Error with the last lines of its log if it does not within a minute.
 */
export async function startServer(options: ServerOptions): Promise<VscodeServer> {
  const install = await ensureCodeServer(options.version);
  await mkdir(options.extensionsDir, { recursive: true });
  await writeSettings(options.userDataDir, options.settings ?? {});
  const logFile = join(options.userDataDir, 'server.log');
  const child = spawn(install.node, [install.entry, ...serverArgs(options)], {
    env: serverEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const killOnExit = (): void => killGroup(child, 'SIGKILL');
  process.once('exit', killOnExit);
  const stop = async (): Promise<void> => {
    process.off('exit', killOnExit);
    await endGroup(child);
    log.end();
  };
  const extensionsEnded = async (): Promise<void> => {
    await until('the extension hosts have ended', async () => !(await hasExtensionHost(child)), END_MS);
  };
  const origin = await waitForOrigin(child);
  if (origin) return { version: options.version, origin, logFile, extensionsEnded, stop };
  await stop();
  const lines = lastLines(await readFile(logFile, 'utf8')).map((line) => `  | ${line}`);
  const advice = `Next: if it repeats, delete ${join(install.entry, '../../..')} and run this again.`;
  throw new Error(
    [`code-server of VS Code ${options.version} did not come up.`, ...lines, `Log: ${logFile}`, advice].join(
      '\n',
    ),
  );
}

/** Installs a packaged extension for servers that use the same folders. */
export async function installVsix(
  options: Pick<ServerOptions, 'version' | 'userDataDir' | 'extensionsDir'>,
  vsix: string,
): Promise<void> {
  const install = await ensureCodeServer(options.version);
  const { code, output } = await runServerCommand(install, [
    ...folderArgs(options),
    '--install-extension',
    vsix,
  ]);
  if (code !== 0 || !/successfully installed/i.test(output)) {
    throw new Error(`VS Code ${options.version} did not install ${vsix}:\n${output.trim()}`);
  }
}

async function writeSettings(
  userDataDir: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await mkdir(join(userDataDir, 'User'), { recursive: true });
  await writeFile(
    join(userDataDir, 'User', 'settings.json'),
    JSON.stringify({ ...QUIET_SETTINGS, ...settings }, undefined, 2),
  );
}

function folderArgs(options: Pick<ServerOptions, 'userDataDir' | 'extensionsDir'>): string[] {
  return ['--user-data-dir', options.userDataDir, '--extensions-dir', options.extensionsDir].concat([
    '--config',
    join(options.userDataDir, 'code-server.yaml'),
  ]);
}

function serverArgs(options: ServerOptions): string[] {
  return [
    ...['--auth', 'none', '--bind-addr', '127.0.0.1:0'],
    ...['--disable-telemetry', '--disable-update-check', '--ignore-last-opened'],
    ...(options.trust ? ['--disable-workspace-trust'] : []),
    ...folderArgs(options),
    ...(options.extraArgs ?? []),
  ];
}

/** Without what another VS Code, whose terminal this may be, would tell its children. */
function serverEnvironment(added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_.*|PORT|PASSWORD|HASHED_PASSWORD|NODE_OPTIONS|ELECTRON_.*)$/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...NO_GALLERY, ...added };
}

async function waitForOrigin(child: ChildProcess): Promise<string | undefined> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const deadline = Date.now() + START_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const origin = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
    if (origin && (await answers(origin))) return origin;
    await delay(50);
  }
  return undefined;
}

async function answers(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    (response) => response.ok,
    () => false,
  );
}

async function runServerCommand(
  install: CodeServer,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(install.node, [install.entry, ...args], {
    env: serverEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  }
  await once(child, 'close');
  return { code: child.exitCode, output };
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    killGroup(child, 'SIGTERM');
    await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })]);
  }
  killGroup(child, 'SIGKILL');
}

async function hasExtensionHost({ pid }: ChildProcess): Promise<boolean> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = processes.map(async (name) => {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    // After the name in brackets: state, parent, group (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html).
    const [, , group] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    return Number(group) === pid && command?.includes('--type=extensionHost') === true;
  });
  return (await Promise.all(found)).includes(true);
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended already.
  }
}
