/**
 * Compares a gold fix with what was saved and with its task, from its files alone: what was edited by hand, where,
 * and whether its parts still say the same. Pure; nothing runs.
 */
import type { Task } from '../task/task.ts';
import { SOLVE_SCRIPT } from '../task/taskLayout.ts';
import { sameBytes, solutionHash, type SolutionState, starterOf } from '../verifier/plan/solution.ts';
import { applyPatch, type PatchResult } from './patch/applyPatch.ts';
import { type Draft, draftOf } from './draft.ts';
import { type GoldFix, isOfTask, solutionOf, verifierHash } from './goldFix.ts';
import { GOLD_PATCH, GOLD_RECORD } from './goldNames.ts';
import { linesOf, textOf } from './patch/goldPatch.ts';
import { brokenSeals, sha256Of } from './goldRecord.ts';

export interface GoldFinding {
  readonly code: 'missing' | 'added' | 'edited' | 'inconsistent' | 'other-task' | 'other-verifier';
  /** In the gold fix; `gold.json` for what is about the task. */
  readonly file: string;
  /** 1-based, where it can be told. */
  readonly line?: number;
  /** One sentence for a person. */
  readonly message: string;
}

/** All problems; none when the gold fix was not edited and belongs to this task. */
export function inspectGoldFix(goldFix: GoldFix, task: Task): GoldFinding[] {
  const parts = partsOf(goldFix, task);
  const edited = [...editedFiles(goldFix, parts), ...editedRecord(goldFix)];
  const other = otherTask(goldFix, task);
  // Whether the parts agree can only be said of parts that are there, over the right starter.
  return edited.length + other.length > 0 ? [...edited, ...other] : inconsistent(goldFix, parts);
}

/** Whether every file is the one that `gold.json` names, and no field of that was edited; no task is needed to tell. */
export function isAsSaved(goldFix: GoldFix): boolean {
  return differences(goldFix).length === 0 && brokenSeals(recordText(goldFix)).length === 0;
}

/** Results of applying a gold fix to its task's starter; expensive ones are computed on demand. */
interface Parts {
  readonly solution: SolutionState;
  /** What would be saved for this solution. */
  readonly draft: () => Draft;
  /** What `gold.patch` makes of the starter. */
  readonly patched: () => PatchResult;
}

function partsOf(goldFix: GoldFix, task: Task): Parts {
  const { record, files } = goldFix;
  const solution = solutionOf(task, goldFix);
  return {
    solution,
    draft: once(() => draftOf(task, solution)),
    patched: once(() => {
      const starter = starterOf(task).files;
      const paths = record.solution.files.map(({ path }) => path);
      return applyPatch(files.get(GOLD_PATCH)?.bytes ?? new Uint8Array(), paths, (path) => starter.get(path));
    }),
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

type Difference =
  | { readonly code: 'missing' | 'added'; readonly path: string }
  | { readonly code: 'edited'; readonly path: string; readonly now: Uint8Array };

/** Files that are not as `gold.json` says. */
function differences({ record, files }: GoldFix): Difference[] {
  const found: Difference[] = [];
  for (const [path, hash] of Object.entries(record.files)) {
    const file = files.get(path);
    if (!file) found.push({ code: 'missing', path });
    else if (sha256Of(file.bytes) !== hash) found.push({ code: 'edited', path, now: file.bytes });
  }
  for (const path of files.keys())
    if (path !== GOLD_RECORD && !Object.hasOwn(record.files, path)) found.push({ code: 'added', path });
  return found;
}

function editedFiles(goldFix: GoldFix, parts: Parts): GoldFinding[] {
  return differences(goldFix).map((difference) => {
    const { code, path: file } = difference;
    switch (code) {
      case 'missing':
        return { code, file, message: `${file} is missing.` };
      case 'added':
        return { code, file, message: `${file} was added after the gold fix was saved.` };
      case 'edited':
        return edited(goldFix, parts, file, difference.now);
    }
  });
}

function edited(goldFix: GoldFix, parts: Parts, path: string, now: Uint8Array): GoldFinding {
  const saved = savedBytes(goldFix, parts, path);
  if (saved === undefined)
    return { code: 'edited', file: path, message: `${path} was edited after the gold fix was saved.` };
  const line = firstDifference(saved, now);
  return {
    code: 'edited',
    file: path,
    line,
    message: `${path} was edited after the gold fix was saved: line ${line} is the first that differs.`,
  };
}

/** What a file was when it was saved, made from the other parts; undefined when they do not tell. */
function savedBytes({ record }: GoldFix, parts: Parts, path: string): Uint8Array | undefined {
  const wasSaved = (bytes: Uint8Array | undefined): Uint8Array | undefined =>
    bytes !== undefined && sha256Of(bytes) === record.files[path] ? bytes : undefined;
  const fixed = record.solution.files.find(({ file }) => file === path);
  if (!fixed) return wasSaved(parts.draft().files.get(path)?.bytes);
  const patched = parts.patched();
  return patched.ok ? wasSaved(patched.files.get(fixed.path)) : undefined;
}

function recordText({ files }: GoldFix): string {
  return Buffer.from(files.get(GOLD_RECORD)?.bytes ?? []).toString('utf8');
}

function editedRecord(goldFix: GoldFix): GoldFinding[] {
  const text = recordText(goldFix);
  return brokenSeals(text).map((field) => {
    const at = text.split('\n').findIndex((line) => line.startsWith(`  ${JSON.stringify(field)}:`)) + 1;
    return {
      code: 'edited',
      file: GOLD_RECORD,
      ...(at === 0 ? {} : { line: at }),
      message: `The field ${JSON.stringify(field)} of ${GOLD_RECORD} was edited after the gold fix was saved.`,
    };
  });
}

function otherTask(goldFix: GoldFix, task: Task): GoldFinding[] {
  if (isOfTask(goldFix, task)) return [];
  const finding = { file: GOLD_RECORD } as const;
  return goldFix.record.verifier.hash === verifierHash(task)
    ? [
        {
          ...finding,
          code: 'other-task',
          message: `${task.id} is not the task that this gold fix was saved for: its files changed since, or it is another one. Its verifier is the same.`,
        },
      ]
    : [
        {
          ...finding,
          code: 'other-verifier',
          message: `${task.id} has another verifier than when this gold fix was saved: the files in tests/ changed since, or it is another task.`,
        },
      ];
}

/** Finds contradictions between parts, in case the hashes in `gold.json` were edited too. */
function inconsistent({ record, files }: GoldFix, parts: Parts): GoldFinding[] {
  const findings: GoldFinding[] = [];
  const add = (file: string, message: string, line?: number): void => {
    findings.push({ code: 'inconsistent', file, message, ...(line === undefined ? {} : { line }) });
  };
  const { solution } = parts;
  if (solutionHash(solution) !== record.solution.hash)
    add(
      GOLD_RECORD,
      `The field "solution" of ${GOLD_RECORD} has another hash than the files of this gold fix.`,
    );
  const draft = parts.draft();
  if (JSON.stringify(draft.fixed) !== JSON.stringify(record.solution.files))
    add(
      GOLD_RECORD,
      `The field "solution" of ${GOLD_RECORD} lists other files than differ from the starter.`,
    );
  if (record.reward < 1)
    add(
      GOLD_RECORD,
      `The field "reward" of ${GOLD_RECORD} is ${record.reward}, and a gold fix has 1 or more.`,
    );
  const script = files.get(SOLVE_SCRIPT)?.bytes ?? new Uint8Array();
  const wanted = draft.files.get(SOLVE_SCRIPT)?.bytes ?? new Uint8Array();
  if (!sameBytes(script, wanted)) {
    const line = firstDifference(wanted, script);
    add(
      SOLVE_SCRIPT,
      `${SOLVE_SCRIPT} does not put these files in place as it should: see line ${line}.`,
      line,
    );
  }
  const patched = parts.patched();
  if (!patched.ok)
    add(
      GOLD_PATCH,
      `${GOLD_PATCH} does not apply to the starter at line ${patched.line}: ${patched.because}.`,
      patched.line,
    );
  else
    for (const { path } of record.solution.files) {
      if (record.notInPatch.includes(path)) continue;
      const given = patched.files.get(path);
      const own = solution.files.get(path);
      if (patched.files.has(path) && sameFile(given, own)) continue;
      const line = given && own ? `; line ${firstDifference(given, own)} is the first that differs` : '';
      add(GOLD_PATCH, `${GOLD_PATCH} gives another ${path} than the gold fix holds${line}.`);
    }
  for (const path of files.keys())
    if (path !== GOLD_RECORD && !draft.files.has(path)) add(path, `${path} is no part of this gold fix.`);
  return findings;
}

function sameFile(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  return left === undefined || right === undefined ? left === right : sameBytes(left, right);
}

/** 1-based line of the first difference. */
function firstDifference(left: Uint8Array, right: Uint8Array): number {
  const lines = linesOf(textOf(left));
  const others = linesOf(textOf(right));
  const at = lines.findIndex((line, index) => line !== others[index]);
  return (at === -1 ? lines.length : at) + 1;
}
