// The Docker runtime on Podman's Docker API: the same contract, held by another engine.
import assert from 'node:assert/strict';
import { OWNER_LABEL } from '../../src/runtime/docker/container/container.ts';
import type { Phase, Runtime } from '../../src/runtime/runtime.ts';
import { resolveSubject } from '../../src/verifier/plan/subject.ts';
import { verify } from '../../src/verifier/verify.ts';
import { warmUp } from '../../src/verifier/warmUp.ts';
import { ensureBaseImage, ensureNoBashImage } from '../host/baseImage.ts';
import { startPodman, type PodmanService } from '../host/podman.ts';
import { verifyOptions, sampleScenarios, sampleTask, subjectOf, type Scenario } from '../host/sampleTasks.ts';
import { verdictText } from '../host/verdictText.ts';
import { containersWith, dockerRuntime } from './dockerUnderTest.ts';
import { describeRuntimeContract } from './runtimeContract.ts';
import { SECOND } from './testPlan.ts';

// Anyone else's Podman depends on `/etc/subuid` and a session that tests cannot set up.
const isRoot = process.getuid?.() === 0;

if (isRoot)
  describeRuntimeContract('podman', async () => {
    const engine = await startPodman();
    await ensureBaseImage(engine);
    await ensureNoBashImage(engine);
    const { owner, runtime } = dockerRuntime(engine);
    return {
      runtime,
      leftovers: async () => {
        const left = await containersWith(engine, `${OWNER_LABEL}=${owner}`);
        return left.map(({ Names, State }) => `${Names.join()} (${State})`);
      },
      hasUsers: true,
      // It is killed, but Podman's monitor ends without saying why.
      killsOutOfMemory: false,
      close: engine.stop,
    };
  });

(isRoot ? describe : describe.skip)('sample tasks on podman', function () {
  this.timeout(120 * SECOND);
  let engine: PodmanService;
  let runtime: Runtime;
  before(async () => {
    engine = await startPodman();
    ({ runtime } = dockerRuntime(engine));
  });
  after(async () => {
    await runtime.dispose();
    await engine.stop();
  });

  for (const { task: id, name, reward } of sampleScenarios().filter(isSample))
    it(`${id}: ${name} gets ${reward ?? 'no reward'}, cold and warm`, async () => {
      const task = await sampleTask(id);
      const subject = subjectOf(task, name);
      const options = await verifyOptions();
      const { signal } = new AbortController();
      const cold = await verify({ task, subject, options }, { runtime, sinks: {}, signal });
      assert.equal(cold.outcome === 'scored' ? cold.reward : null, reward, verdictText(cold));
      const { solution } = resolveSubject(task, subject);
      assert.equal(await warmUp({ task, solution, options }, { runtime, signal }), true);
      const phases: Phase[] = [];
      const sinks = { phase: (phase: Phase) => phases.push(phase) };
      const warm = await verify({ task, subject, options }, { runtime, sinks, signal });
      assert.equal(verdictText(warm), verdictText(cold));
      assert.ok(!phases.includes('create'), phases.join());
    });
});

/** One task of each family, with what ships and what is right. */
function isSample({ task, name }: Scenario): boolean {
  return ['bugsinpy-0001', 'manybugs-0007'].includes(task) && ['starter', 'gold'].includes(name);
}
