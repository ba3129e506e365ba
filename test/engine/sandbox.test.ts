// The sandbox runtime against a real bubblewrap: the contract that all runtimes share.
import { describeRuntimeContract } from './runtimeContract.ts';
import { sandboxUnderTest } from './sandboxUnderTest.ts';

describeRuntimeContract('sandbox', async () => {
  const { runtime, leftovers, close } = await sandboxUnderTest();
  return { runtime, leftovers: async () => leftovers(), hasUsers: true, killsOutOfMemory: true, close };
});
