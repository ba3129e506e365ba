// Makes workspaces until it is killed: the other half of a test of createWorkspace.ts.
import { openOrCreateWorkspace } from '../../../../src/workspace/createWorkspace.ts';
import { ORIGIN, sampleTask } from './sampleTasks.ts';

const [, , root = ''] = process.argv;
const task = await sampleTask('harbor-ledger-cli');
console.log('started');
for (let row = Date.now(); ; row++) await openOrCreateWorkspace(root, task, { ...ORIGIN, row });
