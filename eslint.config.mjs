// Lint rules, and the architecture's import rules: who may import whom.
import tseslint from 'typescript-eslint';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';

/** Which folders of src/ each module may import, besides itself and GROUND (CONTRIBUTING.md, "The house"). */
export const MAY_IMPORT = {
  wording: [],
  fault: [],
  task: [],
  runtime: [],
  openenv: [],
  dataset: ['task'],
  verifier: ['task', 'runtime'],
  workspace: ['task', 'verifier'],
  doctor: ['dataset', 'task', 'runtime'],
  gold: ['workspace', 'dataset', 'verifier', 'task', 'runtime'],
  repair: ['dataset', 'verifier', 'task', 'runtime'],
  audit: ['repair', 'dataset', 'verifier', 'task', 'runtime'],
  lab: ['openenv', 'runtime', 'task'],
  webview: [],
};
/** What every module may import, from the ground up. */
const GROUND = ['wording', 'fault'];
const groundOf = (module) => GROUND.slice(0, GROUND.includes(module) ? GROUND.indexOf(module) : undefined);
/**
 * The rooms inside a module, from the ground up. A room may import rooms on lower floors, and neither its neighbours
 * nor what lies in the module's own folder, which puts the rooms together.
 */
export const FLOORS = {
  editor: [
    ['platform'],
    ['task'],
    ['datasets', 'files'],
    ['run'],
    ['agents', 'debug', 'setup', 'verdict'],
    ['gold', 'history', 'instruction', 'testing'],
  ],
  verifier: [['script', 'verdict'], ['plan', 'trace'], ['gates'], ['tests'], ['judge', 'trial']],
};
const EVERY_MODULE = [...Object.keys(MAY_IMPORT), 'editor', 'cli'];

const zones = [
  ...Object.entries(MAY_IMPORT).map(([module, allowed]) => ({
    target: `./src/${module}`,
    from: './src',
    except: [...new Set([module, ...groundOf(module), ...allowed])].map((name) => `./${name}`),
    message: `src/${module} may import only: ${allowed.join(', ') || 'nothing of ours'}${groundOf(module)
      .map((name) => `, besides ${name}`)
      .join('')}.`,
  })),
  ...['editor', 'cli'].map((module) => ({
    target: `./src/${module}`,
    from: './src',
    except: EVERY_MODULE.filter((name) => name === module || !['editor', 'cli'].includes(name)).map(
      (name) => `./${name}`,
    ),
    message: `Nothing imports src/${module === 'editor' ? 'cli' : 'editor'}.`,
  })),
  {
    target: './src/extension.ts',
    from: './src',
    except: ['./editor'],
    message: 'extension.ts wires editor and nothing else.',
  },
  { target: './src', from: './test', message: 'src never imports test.' },
  ...Object.entries(FLOORS).flatMap(([module, floors]) =>
    floors.flatMap((rooms, level) =>
      rooms.map((room) => roomZone(module, room, floors.slice(0, level).flat())),
    ),
  ),
];

function roomZone(module, room, below) {
  return {
    target: `./src/${module}/${room}`,
    from: `./src/${module}`,
    except: [room, ...below].map((name) => `./${name}`),
    message: `Of src/${module}, ${room}/ may import only: ${below.map((name) => `${name}/`).join(', ') || 'itself'}.`,
  };
}

const vscodeTypeOnly = {
  name: 'vscode',
  allowTypeImports: true,
  message: 'Import vscode as a type; the API object comes in by constructor.',
};
const dockerodeOnlyInDocker = {
  name: 'dockerode',
  message: 'dockerode is imported only in src/runtime/docker/.',
};

export default tseslint.config(
  { ignores: ['dist/**', 'out/**', 'node_modules/**', 'test/fixtures/**', '.vscode-test/**'] },
  ...tseslint.configs.strict,
  {
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [vscodeTypeOnly, dockerodeOnlyInDocker] },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/runtime/docker/**'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { paths: [vscodeTypeOnly] }] },
  },
  {
    files: ['src/extension.ts', 'test/editor/**', 'bench/activation/**'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { paths: [dockerodeOnlyInDocker] }] },
  },
  {
    files: ['*.config.mjs', '*.mjs', 'scripts/**', 'bench/**', 'test/**'],
    rules: { 'import-x/no-default-export': 'off', 'no-console': 'off' },
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
);
