// Run as a process of its own, which a test kills: has a container started ahead on the engine at `argv[2]`.
import { dockerRuntime } from './dockerUnderTest.ts';
import { testPlan } from './testPlan.ts';

const [, , host = ''] = process.argv;
const { runtime, owner } = dockerRuntime({ host, how: 'reused' });
const plan = testPlan({ script: 'echo 1 > /logs/verifier/reward.txt' });
const waits = await runtime.warmUp?.(plan, new AbortController().signal);
process.stdout.write(waits ? `${owner}\n` : 'it could not be started\n');
