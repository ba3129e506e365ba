// The import rules of the architecture are lint rules; this proves that each of them bites.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import * as z from 'zod';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { FLOORS } = z
  .object({ FLOORS: z.record(z.string(), z.array(z.array(z.string()))) })
  .parse(await import(new URL('../../eslint.config.mjs', import.meta.url).href));

/** Every module but the one that all may import, each with a file of it. */
const others = readdirSync(`${root}src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'wording')
  .map(({ name }) => {
    const file = readdirSync(`${root}src/${name}`).find((each) => each.endsWith('.ts'));
    assert.ok(file !== undefined, `src/${name} has a file`);
    return [name, file] as const;
  });

describe('the import rules', function () {
  this.timeout(60_000);
  // Rules that need types or the whole graph take seconds and have no say here.
  const eslint = new ESLint({
    cwd: root,
    overrideConfig: {
      files: ['**/*.ts'],
      languageOptions: { parserOptions: { projectService: false } },
      rules: {
        'import-x/no-cycle': 'off',
        '@typescript-eslint/switch-exhaustiveness-check': 'off',
        '@typescript-eslint/no-floating-promises': 'off',
        '@typescript-eslint/no-misused-promises': 'off',
      },
    },
  });

  /** Messages of the import rules when `file` held this one line. */
  const complaints = async (file: string, line: string): Promise<string[]> => {
    const results = await eslint.lintText(`${line}\n`, { filePath: `${root}${file}` });
    return results.flatMap(({ messages }) =>
      messages.filter(({ ruleId }) => /restricted/.test(ruleId ?? '')).map(({ message }) => message),
    );
  };

  const forbidden: readonly (readonly [string, string, RegExp])[] = [
    ...others.map(
      ([module, file]) =>
        [
          'src/wording/counted.ts',
          `import '../${module}/${file}';`,
          /src\/wording may import only: nothing of ours\.$/,
        ] as const,
    ),
    ['src/fault/remedy.ts', "import '../task/task.ts';", /src\/fault may import only: nothing of ours/],
    ['src/task/task.ts', "import '../runtime/plan.ts';", /src\/task may import only: nothing of ours/],
    ['src/runtime/plan.ts', "import '../task/task.ts';", /src\/runtime may import only: nothing of ours/],
    ['src/dataset/dataset.ts', "import '../verifier/plan/plan.ts';", /src\/dataset may import only: task/],
    [
      'src/verifier/plan/plan.ts',
      "import '../../workspace/workspaceFile.ts';",
      /src\/verifier may import only: task, runtime/,
    ],
    [
      'src/workspace/workspaceFile.ts',
      "import '../runtime/plan.ts';",
      /src\/workspace may import only: task, verifier/,
    ],
    [
      'src/gold/goldFix.ts',
      "import '../editor/platform/settings.ts';",
      /src\/gold may import only: workspace, dataset, verifier, task, runtime/,
    ],
    [
      'src/doctor/finding.ts',
      "import '../workspace/workspaceFile.ts';",
      /src\/doctor may import only: dataset, task, runtime/,
    ],
    ['src/editor/repairBench.ts', "import '../cli/main.ts';", /Nothing imports src\/cli/],
    ['src/cli/main.ts', "import '../editor/repairBench.ts';", /Nothing imports src\/editor/],
    ['src/extension.ts', "import './verifier/plan/plan.ts';", /extension\.ts wires editor and nothing else/],
    ['src/verifier/plan/plan.ts', "import '../../../test/host/cache.ts';", /src never imports test/],
    ['src/editor/repairBench.ts', "import * as vscode from 'vscode'; vscode;", /Import vscode as a type/],
    [
      'src/runtime/sandbox/sandboxRuntime.ts',
      "import Docker from 'dockerode'; Docker;",
      /only in src\/runtime\/docker/,
    ],
  ];
  for (const [file, line, message] of forbidden)
    it(`${file} may not say ${line}`, async () => {
      assert.match((await complaints(file, line)).join('\n'), message);
    });

  const allowed: readonly (readonly [string, string])[] = [
    ['src/verifier/plan/plan.ts', "import '../../task/task.ts';"],
    ['src/task/task.ts', "import '../fault/remedy.ts';"],
    ['src/runtime/runtime.ts', "import '../fault/remedy.ts';"],
    ['src/editor/repairBench.ts', "import type * as vscode from 'vscode';"],
    ['src/runtime/docker/dockerRuntime.ts', "import Docker from 'dockerode'; Docker;"],
    ['src/editor/repairBench.ts', "import '../dataset/openDataset.ts';"],
    ...others.map(([module, file]) => [`src/${module}/${file}`, "import '../wording/counted.ts';"] as const),
  ];
  for (const [file, line] of allowed)
    it(`${file} may say ${line}`, async () => {
      assert.deepEqual(await complaints(file, line), []);
    });

  for (const [module, floors] of Object.entries(FLOORS)) {
    const rooms = floors.flat();
    for (const [level, floor] of floors.entries())
      for (const room of floor) {
        const below = floors.slice(0, level).flat();
        const others = rooms.filter((name) => name !== room && !below.includes(name));

        it(`src/${module}/${room} may not import the rooms beside and above it, nor the module's own files`, async () => {
          const lines = [
            ...others.map((name) => `../${name}/${fileIn(module, name)}`),
            `../${fileIn(module)}`,
          ];
          const said = await complaintLines(module, room, lines);
          assert.deepEqual(
            said,
            lines.map((_, index) => index + 1),
          );
        });

        it(`src/${module}/${room} may import the rooms below it`, async () => {
          const lines = below.map((name) => `../${name}/${fileIn(module, name)}`);
          assert.deepEqual(await complaintLines(module, room, lines), []);
        });
      }
  }

  /** The numbers of the lines that the import rules refuse, when a file of `room` imported these files. */
  const complaintLines = async (
    module: string,
    room: string,
    imported: readonly string[],
  ): Promise<number[]> => {
    const text = imported.map((path) => `import '${path}';\n`).join('');
    const filePath = `${root}src/${module}/${room}/${fileIn(module, room)}`;
    const results = await eslint.lintText(text, { filePath });
    return results.flatMap(({ messages }) =>
      messages.filter(({ ruleId }) => /restricted/.test(ruleId ?? '')).map(({ line }) => line),
    );
  };
});

/** The name of a file in a room, or in the module's own folder. */
function fileIn(module: string, room = ''): string {
  const names = readdirSync(`${root}src/${module}/${room}`);
  const name = names.find((entry) => entry.endsWith('.ts'));
  assert.ok(name, `src/${module}/${room} has no files`);
  return name;
}
