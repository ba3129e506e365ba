// Small run plans for tests of runtimes: an image with a few files, a script, and what it is held to.
import type { ImageRecipe, PlannedFile, RunPlan, RunStep } from '../../src/runtime/plan.ts';
import { plannedDockerfile } from '../host/plannedDockerfile.ts';

export const SECOND = 1000;
const MIB = 1024 * 1024;

/** A file that the image has. */
export interface ImageFile {
  readonly path: `/${string}`;
  readonly text: string;
  readonly mode?: number;
}

export interface TestPlan {
  /** Text of the verifier; it runs with bash, its output goes to `/logs/verifier/test-stdout.txt`. */
  readonly script?: string;
  /** Instead of the script: argv of the verifier. */
  readonly command?: readonly string[];
  readonly imageFiles?: readonly ImageFile[];
  /** More lines of the Dockerfile; a runtime that cannot build leaves them out. */
  readonly dockerfile?: readonly string[];
  readonly files?: readonly PlannedFile[];
  readonly verifier?: Partial<RunStep>;
  readonly oracle?: Partial<RunStep> & { readonly script: string };
  readonly limits?: Partial<RunPlan['limits']>;
  readonly removed?: RunPlan['removed'];
  readonly collected?: RunPlan['collected'];
  readonly network?: RunPlan['network'];
}

const STARTER: ImageFile = { path: '/app/solution.py', text: 'answer = 41\n' };

/** A plan as the verifier module would make it, for the given script. */
export function testPlan(wish: TestPlan): RunPlan {
  const script: PlannedFile = textFile('/tests/test.sh', `#!/bin/bash\n${wish.script ?? ''}\n`, 0o755);
  return {
    version: 1,
    task: 'contract',
    image: testImage(wish.imageFiles ?? [STARTER], wish.dockerfile ?? []),
    removed: wish.removed ?? [],
    ...(wish.oracle && { oracle: oracleStep(wish.oracle) }),
    verifier: {
      command: [
        ...(wish.command ?? ['bash', '-c', '(/tests/test.sh) > /logs/verifier/test-stdout.txt 2>&1']),
      ],
      env: {},
      timeoutMs: 60 * SECOND,
      emptied: ['/tests', '/logs/verifier'],
      ...wish.verifier,
      files: [script, ...(wish.files ?? [])],
    },
    collected: wish.collected ?? ['/logs/verifier'],
    network: wish.network ?? 'none',
    limits: {
      cpus: 1,
      memoryMb: 512,
      pids: 128,
      fileSizeMb: 2048,
      collectedFileBytes: MIB,
      collectedTotalBytes: 8 * MIB,
      collectedFiles: 200,
      ...wish.limits,
    },
  };
}

/** A script that begins a parcel in the name of the shell above it, as if the verifier had ended, and goes on. */
export function forgedEnd(goOn: string): string {
  return [
    "mark=$(grep -aoEm1 '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' /proc/$PPID/cmdline | head -n 1)",
    'printf "\\n%s 0\\n" "$mark" > /proc/$PPID/fd/1',
    'echo "forged ${#mark}"',
    goOn,
  ].join('\n');
}

/** A plan for an image that has a `sh` and nothing else. */
export function shellPlan(script: string): RunPlan {
  const plan = testPlan({ command: ['sh', '-c', script] });
  const { layout } = plan.image;
  return { ...plan, image: { kind: 'pull', layout, name: 'busybox:latest', timeoutMs: 60 * SECOND } };
}

/** A recipe that builds on the Python image that tasks use. */
export function testImage(files: readonly ImageFile[], lines: readonly string[]): ImageRecipe {
  const dockerfile = [
    'FROM python:3.10-slim',
    'WORKDIR /app',
    ...files.map(({ path }, index) => `COPY file${index} ${path}`),
    ...lines,
    '',
  ].join('\n');
  return {
    kind: 'build',
    layout: {
      baseImage: 'python:3.10-slim',
      workdir: '/app',
      env: {},
      files: files.map(({ path, text, mode = 0o644 }) => textFile(path, text, mode)),
      skipped: lines.map((text, index) => ({ line: files.length + 3 + index, text })),
    },
    dockerfile: plannedDockerfile(dockerfile),
    context: [
      { path: 'Dockerfile', mode: 0o644, base64: base64(dockerfile) },
      ...files.map(({ text, mode = 0o644 }, index) => ({ path: `file${index}`, mode, base64: base64(text) })),
    ],
    timeoutMs: 120 * SECOND,
  };
}

export function textFile(
  path: `/${string}`,
  text: string,
  mode = 0o644,
  owner: PlannedFile['owner'] = 'root',
): PlannedFile {
  return { path, mode, base64: base64(text), owner };
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function oracleStep({ script, ...rest }: NonNullable<TestPlan['oracle']>): RunStep {
  return {
    command: ['bash', '-c', '(/solution/solve.sh) > /logs/agent/oracle.txt 2>&1'],
    env: {},
    timeoutMs: 60 * SECOND,
    emptied: ['/solution', '/logs/agent'],
    files: [textFile('/solution/solve.sh', `#!/bin/bash\n${script}\n`, 0o755)],
    ...rest,
  };
}
