/** Reads the text of `task.toml` into a configuration; what is wrong with it is located and never fatal. */
import { TomlError, parse } from 'smol-toml';
import { shortened } from '../../wording/shortened.ts';
import { type ConfigFinding, contradictionsOf } from './configContradictions.ts';
import { type TaskConfig, taskConfigSchema } from './taskConfig.ts';
import { TASK_TOML } from '../taskLayout.ts';
import type { TaskProblem } from '../taskProblem.ts';
import { locateTomlKey } from './tomlKeys.ts';

/** A configuration and what is wrong with it. */
export interface ParsedTaskConfig {
  readonly config: TaskConfig;
  readonly problems: readonly TaskProblem[];
}

/**
 * Parses the text of `task.toml`; never throws. A text that is no TOML gives all defaults and one `bad-toml` problem;
 * a value that cannot be used falls back to its default and is a `bad-config` problem, located at its key.
 */
export function parseTaskConfig(text: string): ParsedTaskConfig {
  const toml = parseToml(text);
  if ('problem' in toml) return { config: taskConfigSchema.parse({}), problems: [toml.problem] };
  const { config, findings } = usable(toml.value);
  return {
    config,
    problems: [...findings, ...contradictionsOf(config)].map((finding) => located(text, finding)),
  };
}

function parseToml(text: string): { readonly value: unknown } | { readonly problem: TaskProblem } {
  try {
    return { value: plain(parse(text, { integersAsBigInt: 'asNeeded', maxDepth: 100 })) };
  } catch (error) {
    const at = error instanceof TomlError ? { line: error.line, column: error.column } : {};
    const because = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const what = because.includes('already defined')
      ? 'a table or key is declared twice'
      : because.replace(/^Invalid TOML document: /, '');
    return {
      problem: {
        code: 'bad-toml',
        severity: 'warning',
        file: TASK_TOML,
        ...at,
        message: `task.toml cannot be read: ${what}. The task opens with default settings, but Harbor would refuse it: correct the file.`,
      },
    };
  }
}

/** TOML's dates and big integers as text and numbers, so that a configuration is plain JSON. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** More wrong values than this are not listed one by one. */
const MOST_FINDINGS = 50;
/** Removing a value can uncover another problem; after this many rounds the configuration is given up. */
const MOST_ROUNDS = 10;

type Path = readonly (string | number)[];

/** Removes the values that do not fit the schema, all that one check finds at a time, until the rest fits. */
function usable(raw: unknown): { readonly config: TaskConfig; readonly findings: readonly ConfigFinding[] } {
  const findings: ConfigFinding[] = [];
  let rest = raw;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parsed = taskConfigSchema.safeParse(rest);
    if (parsed.success) return { config: parsed.data, findings };
    const drops: Drops = new Map();
    for (const { path: parts, message } of parsed.error.issues) {
      const path = parts.map((part) => (typeof part === 'number' ? part : String(part)));
      const found = valueAt(rest, path);
      const dropped = found === undefined ? path.slice(0, -1) : path;
      mark(drops, dropped);
      if (findings.length < MOST_FINDINGS)
        findings.push({
          path,
          says:
            found === undefined
              ? `is missing, so the whole of ${dropped.join('.')} is left out`
              : `${message}, but it is ${shown(found)}; its default is used instead`,
        });
    }
    rest = drops.has(WHOLE) ? {} : without(rest, drops);
  }
  return { config: taskConfigSchema.parse({}), findings };
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (Array.isArray(inner)) return typeof part === 'number' ? inner[part] : undefined;
    return isTable(inner) ? inner[String(part)] : undefined;
  }, value);
}

const WHOLE = Symbol('the whole value');

/** What to remove from a value, by key: all of it ({@link WHOLE}), or parts of it. */
type Drops = Map<string | number | typeof WHOLE, Drops>;

function mark(drops: Drops, path: Path): void {
  let inner = drops;
  for (const part of path) {
    const next: Drops = inner.get(part) ?? new Map();
    inner.set(part, next);
    inner = next;
  }
  inner.set(WHOLE, new Map());
}

/** Removes everything in one walk. */
function without(value: unknown, drops: Drops): unknown {
  const kept = (key: string | number, inner: unknown): readonly unknown[] => {
    const below = drops.get(key);
    if (!below) return [inner];
    return below.has(WHOLE) ? [] : [without(inner, below)];
  };
  if (Array.isArray(value)) return value.flatMap((inner: unknown, index) => kept(index, inner));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => kept(key, inner).map((left) => [key, left])),
  );
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? String(value), 60);
}

function located(text: string, { path, says }: ConfigFinding): TaskProblem {
  return {
    code: 'bad-config',
    severity: 'warning',
    file: TASK_TOML,
    ...locateTomlKey(text, path),
    message: `In task.toml, ${path.join('.')} ${says}.`,
  };
}
