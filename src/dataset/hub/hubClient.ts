/** Asks the official client for the contents of a repository, and checks its answers with a schema. */
import * as z from 'zod';
import type { Wanted } from './answerErrors.ts';
import { fileNotFound } from './answerErrors.ts';
import { apiFetch, notAHub } from './hubFetch.ts';
import { encodedPath, hubPath } from './hubAddress.ts';
import { HubError } from './hubError.ts';
import type { HubSettings } from './hubSettings.ts';
import { folderToList, type HubFile, isTaskFile } from './taskFiles.ts';
import { hasWildcard } from '../../task/dockerfile/glob.ts';

/** The most files that are listed; a person can name a folder instead. */
const MOST_ENTRIES = 200_000;

const commitSchema = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });
const entrySchema = z.object({
  type: z.string(),
  path: z.string(),
  size: z.number().int().nonnegative(),
  oid: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional(),
  /** Of large files: `oid` is then the name of a pointer in Git, and this the SHA-256 of the bytes. */
  lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().nonnegative() }).nullish(),
});
type Entry = z.infer<typeof entrySchema>;

/** The commit that a revision stands for now: 40 hex digits. @throws HubError */
export async function commitOf(settings: HubSettings, wanted: Wanted, signal: AbortSignal): Promise<string> {
  const { datasetInfo } = await import('@huggingface/hub');
  const info = await asked(settings, signal, () =>
    datasetInfo({
      name: wanted.repo,
      revision: wanted.revision,
      additionalFields: ['sha'],
      hubUrl: settings.endpoint,
      fetch: apiFetch(settings, wanted, signal),
    }),
  );
  const parsed = commitSchema.safeParse(info);
  if (!parsed.success) throw notAHub(settings, 'it names no commit', parsed.error);
  return parsed.data.sha;
}

/** The task files that `wanted.path` can name, at a commit. @throws HubError */
export async function filesOf(
  settings: HubSettings,
  wanted: Wanted,
  commit: string,
  signal: AbortSignal,
): Promise<HubFile[]> {
  const { path } = wanted;
  const exact =
    path !== undefined && !hasWildcard(path) ? await entryOf(settings, wanted, commit, signal) : undefined;
  if (exact?.type === 'file') return [checkedFile(settings, exact)];
  const files: HubFile[] = [];
  let entries = 0;
  const { listFiles } = await import('@huggingface/hub');
  await asked(settings, signal, async () => {
    const folder = encodedPath(folderToList(path));
    const listing = listFiles({
      repo: { type: 'dataset', name: wanted.repo },
      revision: commit,
      recursive: true,
      ...(folder === '' ? {} : { path: folder }),
      hubUrl: settings.endpoint,
      fetch: apiFetch(settings, wanted, signal),
    });
    for await (const entry of listing) {
      entries += 1;
      if (entries > MOST_ENTRIES) throw tooMany(wanted);
      const checked = checkedEntry(settings, entry);
      // A name that is not safe to use here belongs to nothing that we could open.
      const safe = hubPath(checked.path) === checked.path;
      if (checked.type === 'file' && isTaskFile(checked.path) && safe)
        files.push(checkedFile(settings, checked));
    }
  });
  return files;
}

async function entryOf(
  settings: HubSettings,
  wanted: Wanted,
  commit: string,
  signal: AbortSignal,
): Promise<Entry> {
  const { pathsInfo } = await import('@huggingface/hub');
  const found = await asked(settings, signal, () =>
    pathsInfo({
      repo: { type: 'dataset', name: wanted.repo },
      paths: [wanted.path ?? ''],
      revision: commit,
      hubUrl: settings.endpoint,
      fetch: apiFetch(settings, wanted, signal),
    }),
  );
  const entry = found.map((each) => checkedEntry(settings, each)).find(({ path }) => path === wanted.path);
  if (entry === undefined) throw fileNotFound(wanted);
  return entry;
}

/** The library's own errors mean that it cannot read an answer. */
async function asked<T>(settings: HubSettings, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof HubError ? error : notAHub(settings, 'it is not what was asked for', error);
  }
}

function checkedEntry(settings: HubSettings, entry: unknown): Entry {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) throw notAHub(settings, 'its list of files has another form', parsed.error);
  return parsed.data;
}

function checkedFile(settings: HubSettings, { path, size, oid, lfs }: Entry): HubFile {
  if (lfs) return { path, bytes: lfs.size, at: { kind: 'hub', hash: { kind: 'sha256', hex: lfs.oid } } };
  if (oid !== undefined)
    return { path, bytes: size, at: { kind: 'hub', hash: { kind: 'git-blob', hex: oid } } };
  throw notAHub(settings, `it gives no hash for ${path}`);
}

function tooMany({ repo }: Wanted): HubError {
  return new HubError(
    'too-many-files',
    `${repo} has more than ${MOST_ENTRIES} files.`,
    `Name a folder of it, as ${repo}:folder.`,
  );
}
