// Task files out of texts, for tests.
import type { TaskFile, TaskFiles } from '../../../../src/task/task.ts';

/** Texts are taken as Latin-1, one byte a character, so that `\xe9` is one bad UTF-8 byte. */
export function taskFiles(texts: Readonly<Record<string, string>>): TaskFiles {
  return new Map(
    Object.entries(texts).map(([path, text]): [string, TaskFile] => [
      path,
      { path, bytes: new Uint8Array(Buffer.from(text, 'latin1')), mode: 0o644 },
    ]),
  );
}
