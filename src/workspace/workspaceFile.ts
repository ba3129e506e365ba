/** `workspace.json`: what a task workspace is about. Read with a schema, since people edit and move these folders. */
import { z } from 'zod';

export const WORKSPACE_VERSION = 1;
export const WORKSPACE_FILE = 'workspace.json';

export const workspaceSchema = z.looseObject({
  version: z.literal(WORKSPACE_VERSION),
  /** The task's id: the row's `path`. */
  task: z.string(),
  family: z.enum(['bugsinpy', 'manybugs', 'harbor']),
  /** `Task.hash`: a workspace belongs to exactly these task files. */
  taskHash: z.string(),
  origin: z.object({
    /** Where the dataset was when the workspace was made; it may have moved since. */
    dataset: z.string(),
    format: z.string(),
    row: z.number().int().nonnegative(),
  }),
  /** The files that are edited, by container path; the one to open first at index 0. */
  files: z.array(z.templateLiteral(['/', z.string()])),
  /** What was shown to the person that a solver should not see, with the time it was shown first. */
  revealed: z.partialRecord(z.enum(['tests', 'gold', 'expected-diff']), z.string()),
  createdAt: z.string(),
});

export type WorkspaceFacts = z.infer<typeof workspaceSchema>;
