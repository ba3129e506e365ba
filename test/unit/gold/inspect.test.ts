import assert from 'node:assert/strict';
import { parseTask } from '../../../src/task/parseTask.ts';
import type { Task } from '../../../src/task/task.ts';
import { filesWithGold, goldFixInTask, taskWithGold } from '../../../src/gold/exportTask.ts';
import { GoldError } from '../../../src/gold/goldError.ts';
import { type GoldFix, solutionOf } from '../../../src/gold/goldFix.ts';
import { goldRecordText, parseGoldRecord } from '../../../src/gold/goldRecord.ts';
import { type Finding, inspect } from '../../../src/gold/inspect.ts';
import { readTaskArchive } from '../../../src/task/archive.ts';
import { type SolutionState, solutionHash, starterOf } from '../../../src/verifier/solution.ts';
import { sampleTask } from '../../host/sampleTasks.ts';
import { bytesOf, edited, forged, goldFixFor, textIn } from './goldFixes.ts';

const PYTHON = 'solution/files/app/solution.py';

/** Line 2 of the solution is changed, a file is added; where there are several, one is deleted. */
function fixOf(task: Task): SolutionState {
  const files = new Map(starterOf(task).files);
  const [first, , last] = [...files.keys()];
  assert.ok(first);
  const lines = Buffer.from(files.get(first) ?? [])
    .toString('latin1')
    .split('\n');
  files.set(first, bytesOf([lines[0], 'fixed = True', ...lines.slice(2)].join('\n')));
  files.set('/app/notes/with blank.txt', bytesOf('caf\xe9\r\nno newline'));
  if (last) files.delete(last);
  return { files: new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1))) };
}

function told(findings: readonly Finding[]): string[] {
  return findings.map(
    ({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`} ${message}`,
  );
}

describe('inspecting a gold fix', () => {
  let task: Task;
  let fix: GoldFix;
  before(async () => {
    task = await sampleTask('bugsinpy-0001');
    fix = goldFixFor(task, fixOf(task));
  });
  const findings = (changed: GoldFix, of = task) => told(inspect(changed, of));

  for (const id of ['bugsinpy-0001', 'manybugs-0007', 'manybugs-v1-0011', 'harbor-ledger-cli'])
    it(`finds nothing in that of ${id}, and its solution is the one that was saved`, async () => {
      const one = await sampleTask(id);
      const saved = goldFixFor(one, fixOf(one));
      assert.deepEqual(inspect(saved, one), []);
      assert.equal(solutionHash(solutionOf(one, saved)), solutionHash(fixOf(one)));
    });

  it('says which line of a solution file was edited', () => {
    assert.deepEqual(findings(edited(fix, PYTHON, (text) => text.replace('fixed = True', 'fixed = False'))), [
      `${PYTHON}:2 ${PYTHON} was edited after the gold fix was saved: line 2 is the first that differs.`,
    ]);
    const notes = 'solution/files/app/notes/with blank.txt';
    assert.deepEqual(findings(edited(fix, notes, (text) => `${text}\n`)), [
      `${notes}:2 ${notes} was edited after the gold fix was saved: line 2 is the first that differs.`,
    ]);
  });

  it('says which line of solve.sh or of gold.patch was edited', () => {
    assert.deepEqual(findings(edited(fix, 'solution/solve.sh', (text) => `${text}rm -rf /tests\n`)), [
      'solution/solve.sh:21 solution/solve.sh was edited after the gold fix was saved: line 21 is the first that differs.',
    ]);
    assert.deepEqual(findings(edited(fix, 'gold.patch', (text) => text.replace('+fixed', '+mixed'))), [
      `gold.patch:${lineOf('gold.patch', '+fixed')} gold.patch was edited after the gold fix was saved: line ${lineOf('gold.patch', '+fixed')} is the first that differs.`,
    ]);
  });

  it('names a file where the other parts do not tell the line', () => {
    const both = edited(
      edited(fix, 'gold.patch', (text) => text.replace('+fixed', '+mixed')),
      PYTHON,
      (text) => text.replace('fixed', 'mixed'),
    );
    assert.deepEqual(findings(both).sort(), [
      'gold.patch gold.patch was edited after the gold fix was saved.',
      `${PYTHON} ${PYTHON} was edited after the gold fix was saved.`,
    ]);
  });

  it('says which field of gold.json was edited', () => {
    assert.deepEqual(
      findings(edited(fix, 'gold.json', (text) => text.replace('"reward": 1,', '"reward": 2,'))),
      [
        `gold.json:${lineOf('gold.json', '  "reward":')} The field "reward" of gold.json was edited after the gold fix was saved.`,
      ],
    );
  });

  it('says which file is missing, and which was added', () => {
    assert.deepEqual(findings(edited(fix, 'solution/solve.sh', () => undefined)), [
      'solution/solve.sh solution/solve.sh is missing.',
    ]);
    assert.deepEqual(findings(edited(fix, 'solution/extra.sh', () => 'echo')), [
      'solution/extra.sh solution/extra.sh was added after the gold fix was saved.',
    ]);
  });

  it('is not taken in by new hashes in gold.json', () => {
    assert.deepEqual(
      findings(forged(fix, 'solution/solve.sh', (text) => text.replace('umask 022', 'umask 777'))),
      ['solution/solve.sh:4 solution/solve.sh does not put these files in place as it should: see line 4.'],
    );
    assert.deepEqual(findings(forged(fix, 'gold.patch', (text) => text.replace('+fixed', '+mixed'))), [
      'gold.patch gold.patch gives another /app/solution.py than the gold fix holds; line 2 is the first that differs.',
    ]);
    const context = forged(fix, 'gold.patch', (text) => text.replace(/^ (.)/m, ' other $1'));
    assert.match(
      findings(context).join('\n'),
      /^gold\.patch:\d+ gold\.patch does not apply to the starter at line \d+: the starter has another line there\.$/,
    );
    assert.deepEqual(findings(forged(fix, PYTHON, (text) => text.replace('fixed', 'mixed'))), [
      'gold.json The field "solution" of gold.json has another hash than the files of this gold fix.',
      'gold.patch gold.patch gives another /app/solution.py than the gold fix holds; line 2 is the first that differs.',
    ]);
  });

  it('is not taken in by files that gold.json names and no gold fix has', () => {
    const taking = (path: string) => forged(fix, path, () => 'echo 1 > /logs/verifier/reward.txt\n');
    for (const path of ['tests/test.sh', 'instruction.md', 'constructor', 'solution/extra.sh'])
      assert.deepEqual(findings(taking(path)), [`${path} ${path} is no part of this gold fix.`]);
  });

  it('is not taken in by a name that every object has', () => {
    assert.deepEqual(findings(edited(fix, 'constructor', () => 'echo')), [
      'constructor constructor was added after the gold fix was saved.',
    ]);
  });

  it('is not taken in by a whole new gold.json', () => {
    const rewritten = edited(fix, 'gold.json', (text) => {
      const read = parseGoldRecord(text);
      assert.ok(read.ok);
      const { seals: _seals, ...record } = read.record;
      return goldRecordText({
        ...record,
        reward: 0.5,
        solution: { ...record.solution, files: record.solution.files.slice(0, 1) },
      });
    });
    assert.deepEqual(findings(rewritten).slice(0, 3), [
      'gold.json The field "solution" of gold.json has another hash than the files of this gold fix.',
      'gold.json The field "reward" of gold.json is 0.5, and a gold fix has 1 or more.',
      'solution/solve.sh:20 solution/solve.sh does not put these files in place as it should: see line 20.',
    ]);
  });

  it('tells a task that changed from one whose verifier changed', () => {
    const other = (path: string): Task =>
      parseTask(task.id, new Map([...task.files, [path, { path, bytes: bytesOf('other\n'), mode: 0o644 }]]));
    assert.deepEqual(findings(fix, other('instruction.md')), [
      'gold.json bugsinpy-0001 is not the task that this gold fix was saved for: its files changed since, or it is another one. Its verifier is the same.',
    ]);
    assert.deepEqual(findings(fix, other('tests/test_solution.py')), [
      'gold.json bugsinpy-0001 has another verifier than when this gold fix was saved: the files in tests/ changed since, or it is another task.',
    ]);
    assert.deepEqual(findings(fix, other('solution/solution.py')), []);
  });

  function lineOf(path: string, start: string): number {
    return (
      textIn(fix, path)
        .split('\n')
        .findIndex((line) => line.startsWith(start)) + 1
    );
  }
});

describe('a task with its gold fix', () => {
  it('holds the gold fix in solution/, from where it is found again', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const fix = goldFixFor(task, fixOf(task));
    const bytes = await taskWithGold(task, fix);
    assert.deepEqual(bytes, await taskWithGold(task, fix));
    const read = await readTaskArchive(bytes);
    assert.ok(read.ok);
    const exported = parseTask(task.id, read.files);
    assert.deepEqual(
      [...exported.files.keys()].filter((path) => path.startsWith('solution/')),
      [
        'solution/files/app/notes/with blank.txt',
        'solution/files/app/solution.py',
        'solution/gold.json',
        'solution/gold.patch',
        'solution/solve.sh',
      ],
    );
    assert.equal(exported.gold.kind, 'script');
    assert.equal(exported.files.get('solution/solve.sh')?.mode, 0o755);
    const found = goldFixInTask(exported, 'there');
    assert.ok(found);
    assert.deepEqual(inspect(found, exported), []);
    assert.equal(goldFixInTask(task, 'there'), undefined);
  });

  it('keeps its own files, whatever else lies in the gold fix', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const fix = forged(goldFixFor(task, fixOf(task)), 'tests/test.sh', () => 'echo 1\n');
    const files = filesWithGold(task, fix);
    assert.equal(files.get('tests/test.sh'), task.files.get('tests/test.sh'));
    assert.deepEqual(
      [...files.keys()].filter((path) => !path.startsWith('solution/')),
      [...task.files.keys()].filter((path) => !path.startsWith('solution/')).sort(),
    );
  });

  it('is refused for a task that it was not saved for', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const fix = goldFixFor(task, fixOf(task));
    const other = await sampleTask('bugsinpy-0014');
    assert.throws(
      () => filesWithGold(other, fix),
      (error: unknown) =>
        error instanceof GoldError &&
        error.code === 'other-task' &&
        error.message ===
          'The gold fix in /fixes/gold was saved for bugsinpy-0001 with other files than bugsinpy-0014 has.',
    );
  });
});
