// A dataset from the hub, inside VS Code: asked for, chosen, downloaded and opened; and what goes wrong on the way.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commitOf, type RepoFiles } from '../host/hubContent.ts';
import { type HubServer, startHub } from '../host/hubServer.ts';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answerMessages, replaceWindowFunction } from './support/dialogs.ts';
import { ROOT } from '../host/root.ts';
import { until } from './support/until.ts';

const VARIABLES = ['HF_ENDPOINT', 'HF_HOME', 'HF_TOKEN', 'HF_HUB_CACHE', 'HF_HUB_OFFLINE'] as const;
const COMMAND = 'repairBench.openFromHub';

describe('a dataset from Hugging Face', function () {
  this.timeout(120_000);
  let api: ShownExtension;
  let home: string;
  let hub: HubServer;
  let tasks: RepoFiles;
  const environment = VARIABLES.map((name) => [name, process.env[name]] as const);
  const opened: string[] = [];

  before(async () => {
    api = await activateExtension();
    home = await mkdtemp(join(tmpdir(), 'repair-bench-hub-'));
    const sample = await readFile(join(ROOT, 'media/samples/tasks.parquet'));
    tasks = {
      'README.md': 'Tasks.',
      'abe__a/tasks.parquet': sample,
      'data/train-00000-of-00002.parquet': sample,
      'data/train-00001-of-00002.parquet': sample,
      'slow/slow.parquet': Buffer.alloc(500_000, 'slow'),
    };
    hub = await startHub({
      'lab/tasks': { revisions: { main: tasks } },
      'lab/private': {
        revisions: { main: { 'secret.parquet': sample } },
        private: true,
        readers: ['hf_reader'],
      },
    });
    for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
    process.env['HF_ENDPOINT'] = hub.endpoint;
    process.env['HF_HOME'] = home;
  });
  after(async () => {
    for (const [name, value] of environment)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    for (const location of opened)
      await vscode.commands.executeCommand('repairBench.removeDataset', location);
    await hub.stop();
    await rm(home, { recursive: true, force: true });
  });

  /** Waits for the heading of a dataset in the Tasks view. */
  const heading = async (repo: string, files: RepoFiles, path: string): Promise<string> => {
    opened.push(
      join(home, 'hub', `datasets--${repo.replace('/', '--')}`, 'snapshots', commitOf(files), path),
    );
    const name = path.slice(path.lastIndexOf('/') + 1);
    return until(`${name} is open`, async () =>
      (await api.tasksView()).split('\n').find((line) => line.startsWith(name) && / \d+ tasks$/.test(line)),
    );
  };

  it('is asked for, chosen from its task files, downloaded and opened', async () => {
    const offered: string[] = [];
    const undo = [
      replaceWindowFunction('showInputBox', async (options: vscode.InputBoxOptions) => {
        assert.match(String(await options.validateInput?.('tasks')), /"tasks" does not name a dataset/);
        assert.equal(await options.validateInput?.('lab/tasks'), undefined);
        return 'lab/tasks';
      }),
      replaceWindowFunction('showQuickPick', async (items: readonly vscode.QuickPickItem[]) => {
        offered.push(...items.map(({ label, description = '' }) => `${label}: ${description}`));
        return items.find(({ label }) => label.startsWith('data/'));
      }),
    ];
    try {
      await vscode.commands.executeCommand(COMMAND);
    } finally {
      for (const each of undo) each();
    }
    assert.deepEqual(offered, [
      'abe__a/tasks.parquet: 36.9 kB',
      'data/train-*-of-00002.parquet: 73.7 kB · 2 files',
      'slow/slow.parquet: 500.0 kB',
    ]);
    assert.equal(
      await heading('lab/tasks', tasks, 'data/train-*-of-00002.parquet'),
      'train-*-of-00002.parquet 20 tasks',
    );
  });

  it('shows names that its owner chose as plain text, never as links or icons', async () => {
    const hostile = '[x](command:y) $(zap)\u202e.parquet';
    const sample = tasks['abe__a/tasks.parquet'] ?? '';
    const files: RepoFiles = { [hostile]: sample, 'plain.parquet': sample };
    hub.repos.set('lab/hostile', { revisions: { main: files } });
    const shown: string[] = [];
    const original = vscode.window.withProgress.bind(vscode.window);
    const undo = [
      replaceWindowFunction(
        'withProgress',
        (options: vscode.ProgressOptions, task: Parameters<typeof original>[1]) => {
          if (options.title !== undefined) shown.push(options.title);
          return original(options, task);
        },
      ),
      replaceWindowFunction('showQuickPick', async (items: readonly vscode.QuickPickItem[]) => {
        shown.push(...items.map(({ label }) => label));
        return items[0];
      }),
    ];
    try {
      await vscode.commands.executeCommand(COMMAND, 'lab/hostile');
    } finally {
      for (const each of undo) each();
    }
    opened.push(join(home, 'hub/datasets--lab--hostile/snapshots', commitOf(files), hostile));
    assert.deepEqual(shown, [
      'Looking at lab/hostile…',
      '[x](command:y) $\u2060(zap) .parquet',
      'plain.parquet',
      'Downloading [x] (command:y) $(zap) .parquet',
    ]);
  });

  it('that is private asks for a token, keeps it, and opens', async () => {
    const refused = answerMessages('Enter Token…');
    const undo = replaceWindowFunction('showInputBox', async (options: vscode.InputBoxOptions) => {
      assert.equal(options.password, true);
      return ' hf_reader ';
    });
    try {
      await vscode.commands.executeCommand(COMMAND, 'lab/private');
      const files = hub.repos.get('lab/private')?.revisions['main'] ?? {};
      await heading('lab/private', files, 'secret.parquet');
      assert.equal(refused.said.length, 1);
      assertIncludes(refused.said[0] ?? '', 'There is no dataset lab/private at');
      assertIncludes(refused.said[0] ?? '', 'or it is private.');
    } finally {
      undo();
      refused.dispose();
    }
    assert.ok(!hub.requests.some(({ origin, token }) => origin === 'store' && token !== undefined));
  });

  it('can be cancelled while it arrives, without a word, and is kept for the next time', async () => {
    hub.faults.holdAfter = 200_000;
    const source = new vscode.CancellationTokenSource();
    const original = vscode.window.withProgress.bind(vscode.window);
    // A press of Cancel cannot come from here; the token can.
    const undo = replaceWindowFunction(
      'withProgress',
      (options: vscode.ProgressOptions, task: Parameters<typeof original>[1]) =>
        original(options, (progress) => task(progress, source.token)),
    );
    const messages = answerMessages();
    try {
      const opening = vscode.commands.executeCommand(COMMAND, 'lab/tasks:slow');
      await hub.held;
      source.cancel();
      await opening;
      assert.deepEqual(messages.said, []);
    } finally {
      hub.release();
      undo();
      messages.dispose();
    }
    const blobs = await readdir(join(home, 'hub/datasets--lab--tasks/blobs'));
    assert.ok(!blobs.some((name) => /\.repair-bench-\d/.test(name)), blobs.join());
    assert.ok(!(await api.tasksView()).includes('slow.parquet'));
  });

  it('that does not exist, or cannot be reached, says what to do', async () => {
    const messages = answerMessages();
    try {
      await vscode.commands.executeCommand(COMMAND, 'lab/tasks:nothing.parquet');
      await vscode.commands.executeCommand(COMMAND, 'not an address');
      process.env['HF_ENDPOINT'] = 'http://127.0.0.1:1';
      await vscode.commands.executeCommand(COMMAND, 'lab/other');
    } finally {
      process.env['HF_ENDPOINT'] = hub.endpoint;
      messages.dispose();
    }
    assert.equal(messages.said.length, 3);
    assertIncludes(messages.said[0] ?? '', 'lab/tasks has no nothing.parquet at revision main.');
    assertIncludes(messages.said[1] ?? '', 'does not name a dataset of the hub.');
    assertIncludes(messages.said[2] ?? '', '127.0.0.1:1');
  });
});
