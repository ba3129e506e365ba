import assert from 'node:assert/strict';
import { parseTask } from '../../../src/task/parseTask.ts';
import type { Task } from '../../../src/task/task.ts';
import { type GoldFix, solutionOf } from '../../../src/gold/goldFix.ts';
import { goldRecordText, parseGoldRecord } from '../../../src/gold/goldRecord.ts';
import { type GoldFinding, inspectGoldFix } from '../../../src/gold/inspect.ts';
import { solutionHash } from '../../../src/verifier/plan/solution.ts';
import { sampleTask } from '../../host/sampleTasks.ts';
import { bytesOf, edited, fixOf, forged, goldFixFor, textIn } from './helpers/goldFixes.ts';

const PYTHON = 'solution/files/app/solution.py';

function told(findings: readonly GoldFinding[]): string[] {
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
  const findings = (changed: GoldFix, of = task) => told(inspectGoldFix(changed, of));

  for (const id of ['bugsinpy-0001', 'manybugs-0007', 'manybugs-v1-0011', 'harbor-ledger-cli'])
    it(`finds nothing in that of ${id}, and its solution is the one that was saved`, async () => {
      const one = await sampleTask(id);
      const saved = goldFixFor(one, fixOf(one));
      assert.deepEqual(inspectGoldFix(saved, one), []);
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
