// A small task around one verifier script, for what no sample task does.
import { parseTask } from '../../src/task/parseTask.ts';
import type { Task } from '../../src/task/task.ts';

export interface TinyTask {
  readonly testScript?: string | Uint8Array;
  readonly starter?: string;
  readonly tests?: Readonly<Record<string, string>>;
  readonly dockerfile?: readonly string[];
  /** More files, by their path in the task. */
  readonly files?: Readonly<Record<string, string>>;
  readonly toml?: string;
  readonly image?: string;
}

/** A BugsInPy-like task whose starter is `/app/solution.py`, with a copy in `/app/.buggy_solution.py`. */
export function tinyTask(tiny: TinyTask): Task {
  const dockerfile = [
    `FROM ${tiny.image ?? 'python:3.10-slim'}`,
    'WORKDIR /app',
    'COPY solution.py /app/solution.py',
    'COPY solution.py /app/.buggy_solution.py',
    ...(tiny.dockerfile ?? []),
  ];
  const texts: Record<string, string | Uint8Array | undefined> = {
    'instruction.md': '# Fix it\n',
    'task.toml': tiny.toml ?? 'version = "1.0"\n[verifier]\ntimeout_sec = 60.0\n',
    'environment/Dockerfile': `${dockerfile.join('\n')}\n`,
    'environment/solution.py': tiny.starter ?? 'def answer():\n    return 41\n',
    'tests/test.sh': tiny.testScript,
    ...Object.fromEntries(Object.entries(tiny.tests ?? {}).map(([name, text]) => [`tests/${name}`, text])),
    ...tiny.files,
  };
  const files = new Map(
    Object.entries(texts).flatMap(([path, text]) =>
      text === undefined ? [] : [[path, { path, bytes: Buffer.from(text), mode: 0o644 }] as const],
    ),
  );
  return parseTask('tiny', files);
}
