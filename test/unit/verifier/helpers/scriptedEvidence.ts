// Evidence made by hand: a script, the trace that bash would leave of it, and what it wrote.
import type { Evidence } from '../../../../src/runtime/evidence.ts';
import { starterOf } from '../../../../src/verifier/plan/solution.ts';
import { TRACE_FILE } from '../../../../src/verifier/plan/containerLayout.ts';
import type { Verdict } from '../../../../src/verifier/verdict/verdict.ts';
import { judgeRun } from '../../../../src/verifier/verify.ts';
import { bashGrammar } from '../../../host/sampleTasks.ts';
import { tinyTask } from '../../../host/tinyTask.ts';

export interface Scripted {
  /** Lines of `test.sh` after its first. */
  readonly script: string;
  readonly trace: string;
  readonly reward?: string;
  readonly exitCode?: number;
  readonly output?: string;
  /** More files that were brought back, by path. */
  readonly files?: Readonly<Record<`/${string}`, string>>;
}

export function evidenceOf({ trace, reward, exitCode, output, files }: Omit<Scripted, 'script'>): Evidence {
  const texts = {
    [TRACE_FILE]: trace,
    ...(reward === undefined ? {} : { '/logs/verifier/reward.txt': reward }),
    '/logs/verifier/test-stdout.txt': output ?? '',
    ...files,
  };
  return {
    version: 1,
    runtime: { kind: 'docker', name: 'made by hand', image: 'none', platform: 'none' },
    verifier: { end: { how: 'exited', code: exitCode ?? 0 }, output: '' },
    collected: Object.entries(texts).map(([path, text]) => ({
      path: `/${path.slice(1)}` as const,
      size: text.length,
      omitted: 0,
      content: { text },
    })),
    collectionCut: false,
    notes: [],
    clocks: {},
  };
}

/** The verdict on the starter of a tiny task: `/app/solution.py`, with a copy in `/app/.buggy_solution.py`. */
export async function judgeScripted(scripted: Scripted): Promise<Verdict> {
  const task = tinyTask({ testScript: `#!/bin/bash\n${scripted.script}` });
  const options = { parseBash: await bashGrammar(), trace: true };
  return judgeRun(task, starterOf(task), evidenceOf(scripted), options);
}
