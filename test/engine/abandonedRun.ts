// Run as a process of its own, which a test kills: runs for `argv[3]` seconds on the engine at `argv[2]`.
import { dockerRuntime } from './dockerUnderTest.ts';
import { shellPlan } from './testPlan.ts';

const [, , host = '', seconds = ''] = process.argv;
const { runtime, owner } = dockerRuntime({ host, how: 'reused' });
process.stdout.write(`${owner}\n`);
void runtime.run(shellPlan(`exec sleep ${seconds}`), {}, new AbortController().signal);
