// package.json and the code are held to each other: commands, settings, views, text.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { getTaskInput, runVerifierInput } from '../../src/editor/agents/agentInput.ts';
import { LEAST_VSCODE } from '../../src/editor/setup/checkSetup.ts';
import { COMMAND_SCHEMAS } from '../../src/editor/platform/commands/commandSchemas.ts';
import { GET_TASK, RUN_VERIFIER } from '../../src/editor/agents/languageModelTools.ts';
import { settingsFrom } from '../../src/editor/platform/settings.ts';
import { ROOT } from '../host/root.ts';

const menuItem = z.looseObject({ command: z.string(), when: z.string().optional() });
const manifest = z
  .object({
    icon: z.string(),
    engines: z.object({ vscode: z.string() }).loose(),
    contributes: z.object({
      commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.string() }).loose()),
      menus: z.record(z.string(), z.array(menuItem)),
      keybindings: z.array(z.object({ command: z.string(), key: z.string(), when: z.string() }).loose()),
      views: z.record(z.string(), z.array(z.object({ id: z.string(), icon: z.string() }).loose())),
      walkthroughs: z.array(
        z
          .object({
            steps: z.array(
              z
                .object({
                  description: z.string(),
                  media: z.object({ svg: z.string(), altText: z.string() }),
                  completionEvents: z.array(z.string()).min(1),
                })
                .loose(),
            ),
          })
          .loose(),
      ),
      languageModelTools: z.array(
        z.object({ name: z.string(), when: z.string(), inputSchema: z.looseObject({}) }).loose(),
      ),
      configuration: z.object({
        properties: z.record(
          z.string(),
          z.object({ scope: z.string(), default: z.unknown(), markdownDescription: z.string() }).loose(),
        ),
      }),
    }),
    capabilities: z.object({
      untrustedWorkspaces: z
        .object({ supported: z.string(), restrictedConfigurations: z.array(z.string()) })
        .loose(),
    }),
  })
  .parse(JSON.parse(read('package.json')));
const { contributes } = manifest;
const texts = z.record(z.string(), z.string()).parse(JSON.parse(read('package.nls.json')));

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const COMMAND_IDS = Object.keys(COMMAND_SCHEMAS);
/** Commands that only views and links use. */
const INTERNAL_COMMANDS = [
  'repairBench.openAsDataset',
  'repairBench.removeDataset',
  'repairBench.refreshDataset',
  'repairBench.revealDataset',
  'repairBench.copyPath',
  'repairBench.showMoreTasks',
  'repairBench.openTask',
  'repairBench.openTaskFile',
  'repairBench.compareRuns',
  'repairBench.openHistoryNode',
];

describe('package.json', () => {
  it('contributes exactly the commands that are registered', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...COMMAND_IDS].sort());
    for (const { category } of contributes.commands) assert.equal(category, 'Repair Bench');
  });

  it('names only known commands in menus and keys', () => {
    const known: ReadonlySet<string> = new Set(COMMAND_IDS);
    for (const item of [...Object.values(contributes.menus).flat(), ...contributes.keybindings])
      assert.ok(known.has(item.command), item.command);
  });

  it('hides from the palette what only views and links use', () => {
    const hidden = contributes.menus['commandPalette']?.filter(({ when }) => when === 'false') ?? [];
    assert.deepEqual(hidden.map(({ command }) => command).sort(), [...INTERNAL_COMMANDS].sort());
  });

  it('limits keys to files of tasks', () => {
    for (const { when } of contributes.keybindings) assert.match(when, /repairBench\.solutionPaths/);
  });

  it('has a scope, a default and one line of description for every setting', () => {
    for (const [name, setting] of Object.entries(contributes.configuration.properties)) {
      assert.ok(setting.scope, name);
      assert.notEqual(setting.default, undefined, name);
      const text = texts[setting.markdownDescription.slice(1, -1)] ?? '';
      assert.ok(text !== '' && !text.includes('\n'), name);
    }
  });

  it('lets no untrusted workspace choose host, image, folder or limits', () => {
    const { restrictedConfigurations, supported } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    for (const [name, { scope }] of Object.entries(contributes.configuration.properties)) {
      const inWorkspace = scope === 'machine-overridable' || scope === 'resource';
      if (inWorkspace) assert.ok(restrictedConfigurations.includes(name), name);
    }
  });

  it('reads every setting that it contributes, and no other', () => {
    const asked: string[] = [];
    settingsFrom({
      get(name) {
        asked.push(`repairBench.${name}`);
        return undefined;
      },
    });
    assert.deepEqual(asked.sort(), Object.keys(contributes.configuration.properties).sort());
  });

  it('has all texts that it refers to, and no other', () => {
    const used = new Set([...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? ''));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  it('has each text once: of two with one key the last alone counts', () => {
    for (const path of ['package.nls.json', 'l10n/bundle.l10n.json']) {
      const text = read(path);
      const keys = [...text.matchAll(/^\s*"(?:[^"\\]|\\.)*":/gm)];
      assert.equal(
        keys.length,
        Object.keys(z.record(z.string(), z.string()).parse(JSON.parse(text))).length,
        path,
      );
    }
  });

  it('asks for the version of VS Code that the set-up check asks for', () => {
    assert.equal(manifest.engines.vscode, `^${LEAST_VSCODE}`);
  });

  it('describes the tools of language models as the code checks them, and can switch them off', () => {
    const schemas = [
      [GET_TASK, getTaskInput],
      [RUN_VERIFIER, runVerifierInput],
    ] as const;
    assert.deepEqual(
      contributes.languageModelTools.map(({ name, when, inputSchema }) => [name, when, inputSchema]),
      schemas.map(([name, schema]) => {
        const { $schema: _dialect, ...rest } = z.toJSONSchema(schema);
        return [name, 'config.repairBench.languageModelTools', rest];
      }),
    );
  });

  it('has a walkthrough whose steps end by what exists, with pictures that take the colours of the theme', () => {
    const known: ReadonlySet<string> = new Set(COMMAND_IDS);
    const [{ steps } = { steps: [] }] = contributes.walkthroughs;
    assert.equal(steps.length, 5);
    for (const { description, media, completionEvents } of steps) {
      for (const event of completionEvents)
        if (event.startsWith('onCommand:')) assert.ok(known.has(event.slice('onCommand:'.length)), event);
      const text = texts[description.slice(1, -1)] ?? '';
      for (const [, command = ''] of text.matchAll(/\(command:([^)]+)\)/g))
        assert.ok(known.has(command) || /^repairBench\.(tasks|run)\.focus$/.test(command), command);
      assert.doesNotMatch(read(media.svg), /#[0-9a-f]{3,8}\b|<script|href=/i);
      // VS Code forbids inline styles in pictures: such a picture is all black.
      assert.doesNotMatch(read(media.svg), /\bstyle=/);
      // Themes of high contrast have no colour of their own for what failed.
      assert.doesNotMatch(read(media.svg), /var\(--vscode-testing-\w+\)/);
    }
  });

  it('names files that exist', () => {
    const icons = Object.values(contributes.views).flatMap((views) => views.map(({ icon }) => icon));
    for (const icon of [manifest.icon, ...icons]) assert.ok(existsSync(join(ROOT, icon)), icon);
  });
});

describe('l10n/bundle.l10n.json', () => {
  it('holds every text of the code', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => read(join('src', path)));
    const said = [...new Set(sources.flatMap(textsIn))].sort();
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        join(ROOT, 'l10n/bundle.l10n.json'),
        `${JSON.stringify(Object.fromEntries(said.map((text) => [text, text])), undefined, 2)}\n`,
      );
    const bundle = z.record(z.string(), z.string()).parse(JSON.parse(read('l10n/bundle.l10n.json')));
    assert.deepEqual(Object.keys(bundle), said);
  });
});

/** The first argument of every call of `t` that is a plain text. */
function textsIn(source: string): string[] {
  return [...source.matchAll(/(?:\bt|#t)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/g)].map(
    ([, single, double]) => (single ?? double ?? '').replace(/\\(['"])/g, '$1'),
  );
}
