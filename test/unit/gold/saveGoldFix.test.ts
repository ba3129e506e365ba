// What is said before anything runs: where nothing may be saved, no runtime is asked for.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GoldError } from '../../../src/gold/goldError.ts';
import { saveGoldFix } from '../../../src/gold/saveGoldFix.ts';
import { type SolutionState, starterOf } from '../../../src/verifier/plan/solution.ts';
import { openOrCreateWorkspace } from '../../../src/workspace/createWorkspace.ts';
import type { TaskWorkspace } from '../../../src/workspace/taskWorkspace.ts';
import { verifyOptions } from '../../host/sampleTasks.ts';
import { ORIGIN, sampleTask, temporaryFolder } from '../workspace/helpers/sampleTasks.ts';
import { goldFixFor, keepGoldFix } from './helpers/goldFixes.ts';
import { remedyText } from '../../host/remedyText.ts';

describe('saving a gold fix', () => {
  const root = temporaryFolder();
  let workspace: TaskWorkspace;
  let solution: SolutionState;
  let gold = '';
  beforeEach(async () => {
    ({ workspace } = await openOrCreateWorkspace(root(), await sampleTask('bugsinpy-0001'), ORIGIN));
    solution = fixed('fixed = True\n');
    gold = join(workspace.folder, 'gold');
  });
  const fixed = (text: string): SolutionState => ({
    files: new Map([...starterOf(workspace.task).files, ['/app/solution.py', Buffer.from(text)]]),
  });

  const control = { sinks: {}, signal: new AbortController().signal };
  const optionsWith = async (replace: boolean) =>
    ({ verify: await verifyOptions(), startedBy: 'person', version: '1.2.3', replace }) as const;
  const outcome = async (of: SolutionState, replace: boolean): Promise<string> => {
    try {
      await saveGoldFix(
        { workspace, solution: of, options: await optionsWith(replace) },
        { ...control, runtime: () => Promise.reject(new Error('asked for a runtime')) },
      );
    } catch (error) {
      if (error instanceof GoldError)
        return `${error.code}: ${error.message} ${remedyText(error.remedies)}`.replaceAll(
          workspace.folder,
          'HERE',
        );
      return error instanceof Error ? error.message : String(error);
    }
    return assert.fail('it was saved');
  };
  const MAY_BE_REPLACED = 'Move it away. Or replace it (choice replace).';

  it('asks for a runtime where nothing is in the way', async () => {
    assert.equal(await outcome(solution, false), 'asked for a runtime');
    assert.match(await outcome(starterOf(workspace.task), true), /^unchanged: /);
  });

  it('writes nothing where the choice of a runtime was cancelled', async () => {
    const saved = await saveGoldFix(
      { workspace, solution, options: await optionsWith(false) },
      { ...control, runtime: () => Promise.resolve(undefined) },
    );
    assert.deepEqual(saved, { kind: 'cancelled' });
    assert.ok(!(await readdir(workspace.folder)).includes('gold'));
  });

  it('replaces the gold fix of another solution only when that is asked for', async () => {
    keepGoldFix(gold, goldFixFor(workspace.task, fixed('fixed = 2\n')));
    assert.equal(
      await outcome(solution, false),
      `occupied: HERE/gold holds the gold fix of another solution. ${MAY_BE_REPLACED}`,
    );
    assert.equal(await outcome(solution, true), 'asked for a runtime');
    assert.equal(await outcome(fixed('fixed = 2\n'), false), 'asked for a runtime');
  });

  for (const [what, file, edit] of [
    ['a field', 'gold.json', (text: string) => text.replace('"reward": 1,', '"reward": 2,')],
    ['all', 'gold.json', () => '{'],
    ['a line', 'gold.patch', (text: string) => `${text}\n`],
    ['an added file', 'solution/more.sh', () => 'more'],
    ['an added file', 'constructor', () => 'more'],
  ] as const)
    it(`replaces one that was edited (${what}, ${file}) only when that is asked for`, async () => {
      const saved = goldFixFor(workspace.task, solution);
      keepGoldFix(gold, saved);
      const before = Buffer.from(saved.files.get(file)?.bytes ?? []).toString();
      await writeFile(join(gold, file), edit(before));
      assert.equal(
        await outcome(solution, false),
        `occupied: HERE/gold holds a gold fix that was edited since it was saved. ${MAY_BE_REPLACED}`,
      );
      assert.equal(await outcome(solution, true), 'asked for a runtime');
    });

  it('never replaces what is no gold fix', async () => {
    const says = 'occupied: HERE/gold is there already and is not a gold fix. Move it away, then save again.';
    await mkdir(gold);
    await writeFile(join(gold, 'thesis.txt'), 'years of work');
    assert.equal(await outcome(solution, true), says);
    assert.equal(await readFile(join(gold, 'thesis.txt'), 'utf8'), 'years of work');
    await rm(gold, { recursive: true });
    await writeFile(gold, 'a file');
    assert.equal(await outcome(solution, true), says);
  });
});
