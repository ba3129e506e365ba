// Every sample task in every scenario, on Docker and in the sandbox, traced and bare, cold and warm.
// RECORD_EVIDENCE=1 writes what the traced Docker runs left behind into test/fixtures/evidence, for the unit suite.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Evidence } from '../../src/runtime/evidence.ts';
import type { Phase, RunSinks, Runtime } from '../../src/runtime/runtime.ts';
import type { Verdict } from '../../src/verifier/verdict/verdict.ts';
import { resolveSubject } from '../../src/verifier/plan/subject.ts';
import { verify } from '../../src/verifier/verify.ts';
import { warmUp } from '../../src/verifier/warmUp.ts';
import { sampleScenarios, sampleTask, subjectOf, verifyOptions } from '../host/sampleTasks.ts';
import { verdictText } from '../host/verdictText.ts';
import { dockerRuntime, readyEngine } from './dockerUnderTest.ts';
import { sandboxUnderTest } from './sandboxUnderTest.ts';
import { SECOND } from './testPlan.ts';

const RECORDED = fileURLToPath(new URL('../fixtures/evidence/', import.meta.url));

const RUNTIMES: Readonly<Record<string, () => Promise<Runtime>>> = {
  docker: async () => dockerRuntime(await readyEngine()).runtime,
  sandbox: async () => (await sandboxUnderTest()).runtime,
};

/** Verdicts of traced runs by scenario, to hold the two runtimes against each other. */
const seen = new Map<string, Map<string, string>>();

for (const [kind, make] of Object.entries(RUNTIMES)) {
  describe(`sample tasks on ${kind}`, function () {
    this.timeout(120 * SECOND);
    let runtime: Runtime;
    before(async () => {
      runtime = await make();
    });
    after(async () => {
      await runtime.dispose();
    });

    for (const { task: id, name, reward } of sampleScenarios())
      it(`${id}: ${name} gets ${reward ?? 'no reward'}, traced and bare${kind === 'docker' ? ', cold and warm' : ''}`, async () => {
        const task = await sampleTask(id);
        const subject = subjectOf(task, name);
        const signal = new AbortController().signal;
        const run = async (trace: boolean, sinks: RunSinks = {}): Promise<Verdict> => {
          const onEvidence = (evidence: Evidence): void => {
            if (trace) pending ??= evidence;
          };
          const options = await verifyOptions({ trace, onEvidence });
          return verify({ task, subject, options }, { runtime, sinks, signal });
        };
        let pending: Evidence | undefined;
        const traced = await run(true);
        const bare = await run(false);
        const text = verdictText(traced);
        assert.equal(rewardOf(traced), reward, text);
        assert.equal(rewardOf(bare), reward, verdictText(bare));
        if (kind === 'docker') {
          const { solution, oracle: script } = resolveSubject(task, subject);
          const waits = await warmUp({ task, solution, options: await verifyOptions() }, { runtime, signal });
          const phases: Phase[] = [];
          const again = await run(true, { phase: (phase) => phases.push(phase) });
          assert.equal(verdictText(again), text, 'warm and cold disagree');
          assert.equal(
            waits && !script,
            !phases.includes('create'),
            'a container waits where it can be used',
          );
        }
        if (pending && kind === 'docker' && process.env['RECORD_EVIDENCE'] === '1')
          await record(id, name, pending);
        const others = seen.get(`${id} ${name}`) ?? new Map<string, string>();
        others.set(kind, text);
        seen.set(`${id} ${name}`, others);
        const [first, ...rest] = [...others.values()];
        for (const other of rest) assert.equal(other, first, 'the runtimes disagree');
      });
  });
}

function rewardOf(verdict: Verdict): number | null {
  if (verdict.outcome === 'scored') return verdict.reward;
  assert.equal(verdict.outcome, 'unscored', JSON.stringify(verdict));
  return null;
}

async function record(task: string, scenario: string, evidence: Evidence): Promise<void> {
  await mkdir(RECORDED, { recursive: true });
  await writeFile(`${RECORDED}${task}.${scenario}.json`, `${JSON.stringify(evidence, null, 1)}\n`);
}
