/**
 * `task.toml` after Harbor's schema up to 1.3 (src/harbor/models/task/config.py, 0.13.2), old spellings included.
 * Keys get the names that code has (`timeout_sec` → `timeoutSec`); those that Harbor does not know are left out.
 * `null` means that the task does not say. Every message completes the sentence "<key> …".
 */
import * as z from 'zod';
import type { ContainerPath } from '../containerPath.ts';

export type EnvTable = Readonly<Record<string, string>>;

type Camel<Key> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Key & string;
type Named<Table> = { readonly [Key in keyof Table as Camel<Key>]: Table[Key] };

function named<Table extends object>(toml: Table): Named<Table> {
  const camel = (key: string): string => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const entries = Object.entries(toml).map(([key, value]) => [camel(key), value]);
  return Object.fromEntries(entries) as Named<Table>;
}

function table<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, 'must be a table').transform((toml) => named(toml));
}

function list<Item extends z.ZodType>(item: Item, message = 'must be a list of tables') {
  return z.array(item, message).readonly().default([]);
}

function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().default(null);
}

/** Pydantic takes "600" for a number, so Harbor does too. */
function numeric(schema: z.ZodNumber): z.ZodPreprocess<z.ZodNumber> {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\s*-?[0-9.]+\s*$/.test(value) ? Number(value) : value),
    schema,
  );
}

const positive = numeric(z.number('must be a number').positive('must be above 0'));
const notNegative = numeric(z.number('must be a number').nonnegative('must not be below 0'));
const text = z.string('must be text in quotes');
const texts = z.array(text, 'must be a list of texts').readonly();
const env = z.record(z.string(), text, 'must be a table of texts').readonly().default({});
const user = z.union([z.string(), z.number().int()], 'must be a user name or a number').transform(String);
const network = z.enum(
  ['no-network', 'public', 'allowlist'],
  'must be "no-network", "public" or "allowlist"',
);
const size = z
  .string('must be a size such as "2G"')
  .regex(/^\s*[0-9]+(\.[0-9]+)?\s*[GMK]i?B?\s*$/i, 'must be a size such as "2G" or "512M"');

const healthcheck = table({
  command: text,
  interval_sec: positive.default(5),
  timeout_sec: positive.default(30),
  start_period_sec: notNegative.default(0),
  start_interval_sec: positive.default(5),
  retries: notNegative.default(3),
});

const mcpServer = table({
  name: text,
  transport: z
    .enum(['stdio', 'sse', 'streamable-http', 'http'], 'must be "stdio", "sse" or "streamable-http"')
    .transform((name) => (name === 'http' ? 'streamable-http' : name))
    .default('sse'),
  url: maybe(text),
  command: maybe(text),
  args: texts.default([]),
});

const environment = table({
  build_timeout_sec: positive.default(600),
  docker_image: maybe(text),
  os: z
    .string('must be "linux" or "windows"')
    .toLowerCase()
    .pipe(z.enum(['linux', 'windows'], 'must be "linux" or "windows"'))
    .default('linux'),
  cpus: maybe(positive),
  memory_mb: maybe(positive),
  storage_mb: maybe(positive),
  memory: maybe(size),
  storage: maybe(size),
  gpus: maybe(notNegative),
  gpu_types: maybe(texts),
  tpu: maybe(table({ type: text, topology: text })),
  mcp_servers: list(mcpServer),
  env,
  skills_dir: maybe(text),
  healthcheck: maybe(healthcheck),
  workdir: maybe(
    text
      .startsWith('/', 'must be an absolute path in the container, such as "/app"')
      .transform((path): ContainerPath => `/${path.slice(1)}`),
  ),
  network_mode: maybe(network),
  allowed_hosts: maybe(texts),
  allow_internet: maybe(z.boolean('must be true or false')),
}).transform(({ allowInternet, ...toml }) => ({
  ...toml,
  memoryMb: toml.memoryMb ?? megabytes(toml.memory),
  storageMb: toml.storageMb ?? megabytes(toml.storage),
  // Harbor looks at allow_internet only where neither of the newer keys is set.
  networkMode:
    toml.networkMode ?? (allowInternet === false && toml.allowedHosts === null ? 'no-network' : 'public'),
}));

const verifier = table({
  timeout_sec: positive.default(600),
  env,
  user: maybe(user),
  network_mode: maybe(network),
  allowed_hosts: maybe(texts),
  environment_mode: maybe(z.enum(['shared', 'separate'], 'must be "shared" or "separate"')),
  /** `null` also for a separate environment that is like the task's own. */
  environment: maybe(environment),
  collect: list(
    table({
      command: text,
      service: text.default('main'),
      timeout_sec: positive.default(60),
      user: maybe(user),
    }),
  ),
}).transform((toml) => ({
  ...toml,
  environmentMode: toml.environmentMode ?? (toml.environment === null ? 'shared' : 'separate'),
}));

const agent = table({
  /** `null`: no time limit. */
  timeout_sec: maybe(positive),
  user: maybe(user),
  network_mode: maybe(network),
  allowed_hosts: maybe(texts),
});

const artifact = z.union(
  [
    z.string().transform((source) => ({ source, destination: null, exclude: [], service: null })),
    table({ source: text, destination: maybe(text), exclude: texts.default([]), service: maybe(text) }),
  ],
  'must be a path or a table with a "source"',
);

const step = table({
  name: text,
  agent: agent.prefault({}),
  verifier: verifier.prefault({}),
  min_reward: maybe(
    z.union([z.number(), z.record(z.string(), z.number())], 'must be a number or a table of numbers'),
  ),
  healthcheck: maybe(healthcheck),
  artifacts: list(artifact, 'must be a list'),
});

const version = z.union([z.string(), z.number()], 'must be text such as "1.3"').transform(String);

export const taskConfigSchema = table({
  schema_version: maybe(version),
  /** The old spelling. */
  version: maybe(version),
  task: maybe(
    table({
      name: text,
      description: text.default(''),
      authors: list(table({ name: text, email: maybe(text) })),
      keywords: texts.default([]),
    }),
  ),
  metadata: z.record(z.string(), z.unknown(), 'must be a table').readonly().default({}),
  verifier: verifier.prefault({}),
  agent: agent.prefault({}),
  environment: environment.prefault({}),
  solution: table({ env }).prefault({}),
  source: maybe(text),
  multi_step_reward_strategy: z.enum(['mean', 'final'], 'must be "mean" or "final"').default('mean'),
  steps: list(step),
  artifacts: list(artifact, 'must be a list'),
});

export type TaskConfig = z.infer<typeof taskConfigSchema>;
export type EnvironmentConfig = TaskConfig['environment'];
export type VerifierConfig = TaskConfig['verifier'];

/** The old `memory = "2G"` in MiB; less than one counts as one. */
export function megabytes(old: string | null): number | null {
  if (old === null) return null;
  const [, digits = '0', unit = 'M'] = /^\s*([0-9.]+)\s*([GMK])/i.exec(old) ?? [];
  const factor = { G: 1024, M: 1, K: 1 / 1024 }[unit.toUpperCase()] ?? 1;
  return Math.max(1, Math.round(Number(digits) * factor));
}

/** What one run gets, as Harbor gave until 1.2: the task's own limits, else 1 cpu and 2048 MiB. */
export function effectiveLimits(config: TaskConfig): { readonly cpus: number; readonly memoryMb: number } {
  return { cpus: config.environment.cpus ?? 1, memoryMb: config.environment.memoryMb ?? 2048 };
}
