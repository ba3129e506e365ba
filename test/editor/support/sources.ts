// What the tests inside VS Code open.
import { join } from 'node:path';
import { ROOT } from '../../host/root.ts';

/** The dataset of fixtures: a folder of task folders. */
export const FIXTURES = join(ROOT, 'test/fixtures/tasks');
