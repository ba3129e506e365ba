/** What a language model may ask the tools for, and errors that tell it what to pass instead. Pure. */
import * as z from 'zod';

const MOST_TEXT = 4096;
const text = (description: string) => z.string().min(1).max(MOST_TEXT).describe(description);

const workspace = text(
  "Absolute path of a task's workspace, or of a file in it. Leave it out to mean the task that the person works on.",
).optional();

export const getTaskInput = z.strictObject({
  workspace,
  dataset: text(
    'Absolute path of a dataset. With it, "row" is needed and "workspace" is not allowed.',
  ).optional(),
  row: text('A row of the dataset: its path, or #INDEX counted from 0.').optional(),
});

export const runVerifierInput = z.strictObject({ workspace });

export type GetTaskInput =
  | { readonly kind: 'workspace'; readonly workspace: string | undefined }
  | { readonly kind: 'row'; readonly dataset: string; readonly row: string };

export type Checked<T> =
  { readonly ok: true; readonly input: T } | { readonly ok: false; readonly error: string };

export function checkGetTask(given: unknown): Checked<GetTaskInput> {
  const parsed = getTaskInput.safeParse(given ?? {});
  if (!parsed.success)
    return wrong(
      parsed.error,
      'repair_bench_get_task',
      '{} or {"workspace": "/abs/path"} or {"dataset": "/abs/path.parquet", "row": "path or #INDEX"}',
    );
  const { workspace: folder, dataset, row } = parsed.data;
  if (dataset === undefined && row === undefined)
    return { ok: true, input: { kind: 'workspace', workspace: folder } };
  if (dataset === undefined || row === undefined)
    return { ok: false, error: '"dataset" and "row" belong together: pass both, or neither of them.' };
  if (folder !== undefined)
    return { ok: false, error: 'Pass either "workspace", or "dataset" and "row", not all of them.' };
  return { ok: true, input: { kind: 'row', dataset, row } };
}

export function checkRunVerifier(given: unknown): Checked<{ readonly workspace: string | undefined }> {
  const parsed = runVerifierInput.safeParse(given ?? {});
  return parsed.success
    ? { ok: true, input: { workspace: parsed.data.workspace } }
    : wrong(parsed.error, 'repair_bench_run_verifier', '{} or {"workspace": "/abs/path"}');
}

function wrong(error: z.ZodError, tool: string, right: string): { ok: false; error: string } {
  const issues = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `"${path.join('.')}": ${message}`,
  );
  return { ok: false, error: `The input of ${tool} is wrong. ${issues.join('; ')}. Pass ${right}.` };
}
