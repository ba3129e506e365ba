// The sample tasks under test/fixtures/tasks, their prepared solutions, and the reward that each must get.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isContainerPath } from '../../src/task/containerPath.ts';
import { parseTask } from '../../src/task/parseTask.ts';
import type { Task } from '../../src/task/task.ts';
import { readTaskFolder } from '../../src/task/archive/taskFolder.ts';
import { type GrammarFiles, loadBashGrammar, type ParseBash } from '../../src/verifier/script/bashGrammar.ts';
import { type SolutionState, starterOf } from '../../src/verifier/plan/solution.ts';
import type { Subject } from '../../src/verifier/plan/subject.ts';
import type { VerifyOptions } from '../../src/verifier/verify.ts';
import { ROOT } from './root.ts';

const FIXTURES = join(ROOT, 'test/fixtures');

/** Rewards by scenario; `null` where no reward is written. */
const expectations = z.record(
  z.string(),
  z.object({ family: z.string(), shape: z.string() }).catchall(z.number().nullable()),
);

export interface Scenario {
  readonly task: string;
  readonly name: string;
  /** `null`: the verifier writes none. */
  readonly reward: number | null;
}

/** Every scenario of every sample task. A task without a gold has no gold scenario. */
export function sampleScenarios(): Scenario[] {
  const all = expectations.parse(JSON.parse(readFileSync(join(FIXTURES, 'tasks/expected.json'), 'utf8')));
  return Object.entries(all).flatMap(([task, { family: _family, shape: _shape, ...rewards }]) =>
    Object.entries(rewards).flatMap(([name, reward]) =>
      name === 'gold' && reward === null ? [] : [{ task, name, reward: reward ?? null }],
    ),
  );
}

export async function sampleTask(id: string): Promise<Task> {
  const read = await readTaskFolder(join(FIXTURES, 'tasks', id));
  assert.ok(read.ok);
  return parseTask(id, read.files);
}

/** What a scenario verifies. */
export function subjectOf(task: Task, scenario: string): Subject {
  const starter = starterOf(task);
  if (scenario === 'starter') return { kind: 'solution', solution: starter };
  if (scenario === 'gold') return { kind: 'gold', starter };
  if (scenario === 'missing') {
    const [first] = task.family.solution;
    return { kind: 'solution', solution: without(starter, first?.path) };
  }
  const folder = join(FIXTURES, 'solutions', task.id, scenario);
  const files = new Map(starter.files);
  for (const file of filesBelow(folder)) {
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    assert.ok(isContainerPath(path));
    files.set(path, readFileSync(file));
  }
  return { kind: 'solution', solution: { files } };
}

function without(solution: SolutionState, path: string | undefined): SolutionState {
  return { files: new Map([...solution.files].filter(([name]) => name !== path)) };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/** The grammar's files as npm installs them. */
export const INSTALLED_GRAMMAR: GrammarFiles = {
  runtime: fileURLToPath(import.meta.resolve('web-tree-sitter/web-tree-sitter.wasm')),
  grammar: fileURLToPath(import.meta.resolve('tree-sitter-bash/tree-sitter-bash.wasm')),
};

let grammar: Promise<ParseBash> | undefined;

/** The bash grammar, loaded once for all tests of a process. */
export function bashGrammar(): Promise<ParseBash> {
  grammar ??= loadBashGrammar(INSTALLED_GRAMMAR);
  return grammar;
}

/** What tests verify with: traced, without network or host variables. */
export async function verifyOptions(options: Partial<VerifyOptions> = {}): Promise<VerifyOptions> {
  return {
    parseBash: await bashGrammar(),
    trace: true,
    allowNetwork: false,
    allowedHostNames: new Set(),
    hostEnv: {},
    ...options,
  };
}
