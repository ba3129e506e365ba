// Started by the sandbox suite in a process of its own, to be killed in the middle of a run.
import { createSandboxRuntime } from '../../src/runtime/sandbox/sandboxRuntime.ts';
import { testPlan } from './testPlan.ts';

const [, , tmpRoot = '', seconds = ''] = process.argv;
const runtime = createSandboxRuntime({ owner: 'killed', env: process.env, tmpRoot });
const plan = testPlan({
  command: ['bash', '-c', `echo started; setsid sleep ${seconds} & sleep ${seconds}`],
});
await runtime.run(plan, { log: (line) => process.stdout.write(`${line}\n`) }, new AbortController().signal);
