/**
 * Harbor's schema of `task.toml` up to 1.3 (src/harbor/models/task/config.py, 0.13.2), old spellings included.
 * Objects are loose: Harbor ignores keys it does not know, and they are kept for the reader.
 * Every message completes the sentence "<key> …".
 */
import * as z from 'zod';

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
const texts = z.array(text, 'must be a list of texts');
const table = z.record(z.string(), z.unknown(), 'must be a table');
const env = z.record(z.string(), text, 'must be a table of texts');
const user = z
  .union([z.string(), z.number().int()], 'must be a user name or a number')
  .transform((value) => String(value));
const network = z.enum(
  ['no-network', 'public', 'allowlist'],
  'must be "no-network", "public" or "allowlist"',
);
const sizeText = z
  .string('must be a size such as "2G"')
  .regex(/^\s*[0-9]+(\.[0-9]+)?\s*[GMK]i?B?\s*$/i, 'must be a size such as "2G" or "512M"');

const healthcheck = z.looseObject(
  {
    command: text,
    interval_sec: positive.default(5),
    timeout_sec: positive.default(30),
    start_period_sec: notNegative.default(0),
    start_interval_sec: positive.default(5),
    retries: notNegative.default(3),
  },
  'must be a table',
);

const mcpServer = z.looseObject(
  {
    name: text,
    transport: z
      .enum(['stdio', 'sse', 'streamable-http', 'http'], 'must be "stdio", "sse" or "streamable-http"')
      .transform((name) => (name === 'http' ? 'streamable-http' : name))
      .default('sse'),
    url: text.optional(),
    command: text.optional(),
    args: texts.default([]),
  },
  'must be a table',
);

const environment = z.looseObject(
  {
    build_timeout_sec: positive.default(600),
    docker_image: text.optional(),
    os: z
      .string('must be "linux" or "windows"')
      .toLowerCase()
      .pipe(z.enum(['linux', 'windows'], 'must be "linux" or "windows"'))
      .default('linux'),
    cpus: positive.optional(),
    memory_mb: positive.optional(),
    storage_mb: positive.optional(),
    memory: sizeText.optional(),
    storage: sizeText.optional(),
    gpus: notNegative.optional(),
    gpu_types: texts.optional(),
    tpu: z.looseObject({ type: text, topology: text }, 'must be a table').optional(),
    mcp_servers: z.array(mcpServer, 'must be a list of tables').default([]),
    env: env.default({}),
    skills_dir: text.optional(),
    healthcheck: healthcheck.optional(),
    workdir: text.startsWith('/', 'must be an absolute path in the container, such as "/app"').optional(),
    network_mode: network.optional(),
    allowed_hosts: texts.optional(),
    allow_internet: z.boolean('must be true or false').optional(),
  },
  'must be a table',
);

const collect = z.looseObject(
  {
    command: text,
    service: text.default('main'),
    timeout_sec: positive.default(60),
    user: user.optional(),
  },
  'must be a table',
);

const verifier = z.looseObject(
  {
    timeout_sec: positive.default(600),
    env: env.default({}),
    user: user.optional(),
    network_mode: network.optional(),
    allowed_hosts: texts.optional(),
    environment_mode: z.enum(['shared', 'separate'], 'must be "shared" or "separate"').optional(),
    environment: environment.optional(),
    collect: z.array(collect, 'must be a list of tables').default([]),
  },
  'must be a table',
);

const agent = z.looseObject(
  {
    timeout_sec: positive.optional(),
    user: user.optional(),
    network_mode: network.optional(),
    allowed_hosts: texts.optional(),
  },
  'must be a table',
);

const artifact = z.union(
  [
    z.string().transform((source) => ({ source, exclude: [] })),
    z.looseObject({
      source: text,
      destination: text.optional(),
      exclude: texts.default([]),
      service: text.optional(),
    }),
  ],
  'must be a path or a table with a "source"',
);

const step = z.looseObject(
  {
    name: text,
    agent: agent.prefault({}),
    verifier: verifier.prefault({}),
    min_reward: z
      .union([z.number(), z.record(z.string(), z.number())], 'must be a number or a table of numbers')
      .optional(),
    healthcheck: healthcheck.optional(),
    artifacts: z.array(artifact, 'must be a list').default([]),
  },
  'must be a table',
);

const version = z.union([z.string(), z.number()], 'must be text such as "1.3"').transform(String);

export const taskTomlSchema = z.looseObject({
  schema_version: version.optional(),
  version: version.optional(),
  task: z
    .looseObject(
      {
        name: text,
        description: text.default(''),
        authors: z
          .array(z.looseObject({ name: text, email: text.optional() }), 'must be a list of tables')
          .default([]),
        keywords: texts.default([]),
      },
      'must be a table',
    )
    .optional(),
  metadata: table.default({}),
  verifier: verifier.prefault({}),
  agent: agent.prefault({}),
  environment: environment.prefault({}),
  solution: z.looseObject({ env: env.default({}) }, 'must be a table').prefault({}),
  source: text.optional(),
  multi_step_reward_strategy: z.enum(['mean', 'final'], 'must be "mean" or "final"').optional(),
  steps: z.array(step, 'must be a list of tables').default([]),
  artifacts: z.array(artifact, 'must be a list').default([]),
});

export type TaskToml = z.infer<typeof taskTomlSchema>;
export type EnvironmentToml = z.infer<typeof environment>;
export type VerifierToml = z.infer<typeof verifier>;
export type AgentToml = z.infer<typeof agent>;
export type HealthcheckToml = z.infer<typeof healthcheck>;
export type StepToml = z.infer<typeof step>;
export type ArtifactToml = z.infer<typeof artifact>;
