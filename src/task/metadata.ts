/** `metadata.json` as the bug sets write it: only what names files and families is read. */
import * as z from 'zod';
import type { TaskFiles } from './task.ts';
import { METADATA } from './taskLayout.ts';
import type { TaskProblem } from './taskProblem.ts';
import { decodeText } from './taskText.ts';

const metadataSchema = z.looseObject({
  source: z.string().optional().catch(undefined),
  project: z.string().optional().catch(undefined),
  bug_name: z.string().optional().catch(undefined),
  buggy_file: z.string().optional().catch(undefined),
  flat_filename: z.string().optional().catch(undefined),
});

export type TaskMetadata = z.infer<typeof metadataSchema>;

/** Reads `metadata.json`; a task without one, or with one that cannot be read, has empty metadata. */
export function readMetadata(files: TaskFiles): {
  readonly metadata: TaskMetadata;
  readonly problems: readonly TaskProblem[];
} {
  const file = files.get(METADATA);
  if (file === undefined) return { metadata: {}, problems: [] };
  const text = decodeText(file.bytes);
  try {
    const parsed = metadataSchema.safeParse(JSON.parse(text));
    if (parsed.success) return { metadata: parsed.data, problems: [] };
    return { metadata: {}, problems: [badMetadata('it holds no object with names and values')] };
  } catch (error) {
    return { metadata: {}, problems: [badMetadata(error instanceof Error ? error.message : String(error))] };
  }
}

export function badMetadata(because: string): TaskProblem {
  return {
    code: 'bad-metadata',
    severity: 'warning',
    file: METADATA,
    message: `metadata.json cannot be used: ${because}. The task's files are found by their usual places instead; correct the file if they are wrong.`,
  };
}
