// Small tasks of each family, for tests of what a family knows about them.
import { parseTask } from '../../../../src/task/parseTask.ts';
import type { Task } from '../../../../src/task/task.ts';
import { taskFiles } from './taskFiles.ts';

const TEST_SH = '#!/bin/bash\ntrue\n';

export function task(texts: Readonly<Record<string, string>>): Task {
  return parseTask('t', taskFiles({ 'instruction.md': 'Fix it.', 'tests/test.sh': TEST_SH, ...texts }));
}

export function paths(found: Task): string[] {
  return found.family.solution.map(({ path }) => path);
}

export const PY = 'FROM python:3.10-slim\nWORKDIR /app\nCOPY solution.py /app/solution.py\n';
export const BUGSINPY = {
  'metadata.json': '{"source": "bugsinpy", "project": "p"}',
  'environment/solution.py': 'x = 1\n',
  'environment/Dockerfile': PY,
};

export const MANYBUGS = {
  'metadata.json': '{"source": "manybugs", "flat_filename": "a.c"}',
  'environment/Dockerfile': 'FROM ubuntu:22.04\nWORKDIR /workspace\nRUN mkdir -p src\n',
  'tests/buggy/a.c': 'buggy',
  'tests/fixed/a.c': 'fixed',
};
