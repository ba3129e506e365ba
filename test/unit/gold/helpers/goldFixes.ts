// Gold fixes of sample tasks as they would be saved, without a run, and edits of them as people make them by hand.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Task, TaskFile } from '../../../../src/task/task.ts';
import { draftOf } from '../../../../src/gold/draft.ts';
import { type GoldFix, goldFixOf, hashWithoutSolution, verifierHash } from '../../../../src/gold/goldFix.ts';
import {
  type GoldRecord,
  goldRecordText,
  parseGoldRecord,
  sha256Of,
} from '../../../../src/gold/goldRecord.ts';
import { type SolutionState, solutionHash, starterOf } from '../../../../src/verifier/plan/solution.ts';
import { goldRecord } from './goldRecords.ts';

export function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export function goldFixFor(task: Task, solution: SolutionState, part: Partial<GoldRecord> = {}): GoldFix {
  const draft = draftOf(task, solution);
  const { hash, id, family } = task;
  const text = goldRecordText(
    goldRecord({
      task: { id, family: family.name, hash, hashWithoutSolution: hashWithoutSolution(task) },
      solution: { hash: solutionHash(solution), files: [...draft.fixed] },
      notInPatch: [...draft.notInPatch],
      verifier: { hash: verifierHash(task) },
      files: Object.fromEntries([...draft.files.values()].map((file) => [file.path, sha256Of(file.bytes)])),
      ...part,
    }),
  );
  const record = { path: 'gold.json', bytes: bytesOf(text), mode: 0o644 };
  return goldFixOf('/fixes/gold', new Map([...draft.files, [record.path, record]]));
}

/** Writes it as the folder `place`, as it would be saved. */
export function keepGoldFix(place: string, goldFix: GoldFix): void {
  for (const { path, bytes, mode } of goldFix.files.values()) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), bytes, { mode });
  }
}

export function textIn(goldFix: GoldFix, path: string): string {
  return Buffer.from(goldFix.files.get(path)?.bytes ?? []).toString('latin1');
}

/** Edits one file by hand; `undefined` deletes it. */
export function edited(goldFix: GoldFix, path: string, edit: (text: string) => string | undefined): GoldFix {
  const before = textIn(goldFix, path);
  const after = edit(before);
  assert.notEqual(after, before, `nothing to edit in ${path}`);
  const files = new Map<string, TaskFile>(goldFix.files);
  if (after === undefined) files.delete(path);
  else files.set(path, { path, bytes: bytesOf(after), mode: 0o644 });
  return goldFixOf(goldFix.folder, files);
}

/** Edits one file as somebody does who knows of the hashes, and writes the new ones into `gold.json`. */
export function forged(goldFix: GoldFix, path: string, edit: (text: string) => string): GoldFix {
  const changed = edited(goldFix, path, edit);
  return edited(changed, 'gold.json', (text) => {
    const read = parseGoldRecord(text);
    assert.ok(read.ok);
    const { seals: _seals, ...record } = read.record;
    return goldRecordText({
      ...record,
      files: { ...record.files, [path]: sha256Of(bytesOf(textIn(changed, path))) },
    });
  });
}

/** Line 2 of the solution is changed, a file is added; where there are several, one is deleted. */
export function fixOf(task: Task): SolutionState {
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
