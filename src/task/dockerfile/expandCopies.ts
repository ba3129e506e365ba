/**
 * Which files the COPY lines of a Dockerfile put where, without an engine, after Docker's rules
 * (https://docs.docker.com/reference/dockerfile/#copy).
 */
import { MOST_WORK, withoutIgnored, type WorkLeft } from './buildContext.ts';
import { containerBasename, type ContainerPath, resolveContainerPath } from '../containerPath.ts';
import type { DockerfileCopy, DockerfileFacts } from './dockerfile.ts';
import { hasWildcard, pathMatcher } from './glob.ts';
import { printableName } from '../archive/memberName.ts';
import type { PlacedFile, TaskFile, TaskFiles } from '../task.ts';
import { DOCKERFILE, ENVIRONMENT_FOLDER, isIn } from '../taskLayout.ts';
import type { TaskProblem } from '../taskProblem.ts';

export interface ExpandedCopies {
  /** In the order of the lines that placed them. */
  readonly files: readonly PlacedFile[];
  readonly problems: readonly TaskProblem[];
}

/** The build context: the files of `environment/`, by their path relative to it. */
export function environmentFilesOf(files: TaskFiles): TaskFiles {
  const found = new Map<string, TaskFile>();
  for (const [path, file] of files) {
    if (!isIn(ENVIRONMENT_FOLDER, path)) continue;
    const relative = path.slice(ENVIRONMENT_FOLDER.length + 1);
    found.set(relative, { ...file, path: relative });
  }
  return found;
}

/**
 * Expands every COPY and ADD whose source is the build context; later lines override earlier ones. What the build
 * context does not have is a `copy-missing` problem. `COPY --from`, and what an ADD fetches or unpacks, is left out:
 * it stands in `facts.skipped`.
 */
export function expandCopies(facts: DockerfileFacts, environmentFiles: TaskFiles): ExpandedCopies {
  const work: WorkLeft = { left: MOST_WORK };
  const context = contextOf(environmentFiles, work);
  const image: Image = { files: new Map(), folders: new Set(USUAL_FOLDERS) };
  if (facts.workdir !== undefined) addFolder(image, facts.workdir);
  const problems: TaskProblem[] = [];
  for (const copy of facts.copies) {
    if (copy.from !== undefined) continue;
    addFolder(image, copy.workdir);
    const sources = copy.sources.map((source) => find(source, copy, context));
    problems.push(...sources.flatMap((source) => source.problems));
    place(image, copy, [...sources.flatMap((source) => source.found), ...inlineFiles(copy)]);
    work.left -= sources.reduce((sum, source) => sum + costOf(source), 0);
    if (work.left <= 0) return { files: [...image.files.values()], problems: [...problems, tooMuch(copy)] };
  }
  return { files: [...image.files.values()], problems };
}

/** The build context as COPY sees it. */
interface Context {
  /** Without what `.dockerignore` leaves out. */
  readonly files: TaskFiles;
  readonly all: TaskFiles;
  /** Files and the folders they lie in. */
  readonly names: ReadonlySet<string>;
  readonly work: WorkLeft;
}

function contextOf(all: TaskFiles, work: WorkLeft): Context {
  const files = withoutIgnored(all, work);
  const names = new Set<string>();
  for (const path of files.keys())
    for (
      let name = path;
      name !== '' && !names.has(name);
      name = name.slice(0, Math.max(0, name.lastIndexOf('/')))
    )
      names.add(name);
  return { files, all, names, work };
}

/** The cost of placing one file, in characters compared. */
const FILE_COST = 400;

function costOf({ found }: Search): number {
  return found.reduce((sum, one) => sum + (one.kind === 'file' ? 1 : one.files.length) * FILE_COST, 0);
}

function tooMuch(copy: DockerfileCopy): TaskProblem {
  return {
    code: 'bad-dockerfile',
    severity: 'warning',
    file: DOCKERFILE,
    line: copy.line,
    message: `Up to line ${copy.line} the Dockerfile copies more files than are followed without a build, so what it copies from there on cannot be edited. Copy fewer files.`,
  };
}

interface Image {
  readonly files: Map<ContainerPath, PlacedFile>;
  /** Folders that surely exist: a file copied to one of them goes into it. */
  readonly folders: Set<string>;
}

/** Folders that every usual base image has. */
const USUAL_FOLDERS = [
  ...[
    '/',
    '/bin',
    '/etc',
    '/home',
    '/lib',
    '/media',
    '/mnt',
    '/opt',
    '/root',
    '/run',
    '/sbin',
    '/srv',
    '/tmp',
  ],
  ...['/usr', '/usr/bin', '/usr/lib', '/usr/local', '/usr/local/bin', '/usr/local/lib', '/usr/src', '/var'],
];

/** A source: one file under its own name, or a folder whose contents are copied. */
type Found =
  | { readonly kind: 'file'; readonly file: TaskFile }
  | {
      readonly kind: 'folder';
      readonly files: readonly { readonly inside: string; readonly file: TaskFile }[];
    };

interface Search {
  readonly found: readonly Found[];
  readonly problems: readonly TaskProblem[];
}

function find(source: string, copy: DockerfileCopy, context: Context): Search {
  const path = inContext(source);
  if (path === undefined)
    return missing(copy, source, 'which lies outside environment/', 'Copy the file into environment/');
  if (!hasWildcard(path)) {
    const one = lookUp(path, context.files);
    if (one !== undefined) return { found: [one], problems: [] };
    return lookUp(path, context.all) === undefined
      ? missing(copy, source, 'which is not in environment/', 'Add the file, or take the line out')
      : missing(copy, source, 'which .dockerignore leaves out', 'Change one of the two');
  }
  const matches = pathMatcher(path);
  const matched = [...context.names].filter((name) => {
    context.work.left -= name.length;
    return context.work.left > 0 && matches(name);
  });
  const found = matched
    .sort()
    .map((name) => lookUp(name, context.files, context.work))
    .filter((one) => one !== undefined);
  if (found.length > 0) return { found, problems: [] };
  return missing(
    copy,
    source,
    'which matches no file in environment/',
    'Add the files, or take the line out',
    'warning',
  );
}

function missing(
  copy: DockerfileCopy,
  source: string,
  because: string,
  advice: string,
  severity: TaskProblem['severity'] = 'blocking',
): Search {
  const effect = severity === 'blocking' ? 'so the image cannot be built' : 'which some builders refuse';
  return {
    found: [],
    problems: [
      {
        code: 'copy-missing',
        severity,
        file: DOCKERFILE,
        line: copy.line,
        message: `Line ${copy.line} of the Dockerfile copies ${printableName(source)}, ${because}, ${effect}. ${advice}.`,
      },
    ],
  };
}

/** The path in the build context, `''` for all of it; `undefined` when it leaves the context. A leading `/` is its root. */
function inContext(source: string): string | undefined {
  const parts: string[] = [];
  for (const part of source.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

function lookUp(path: string, context: TaskFiles, work?: WorkLeft): Found | undefined {
  const file = context.get(path);
  if (file !== undefined) return { kind: 'file', file };
  if (work !== undefined && (work.left -= context.size * 10) <= 0) return undefined;
  const prefix = path === '' ? '' : `${path}/`;
  const files = [...context.values()]
    .filter((inside) => inside.path.startsWith(prefix))
    .map((inside) => ({ inside: inside.path.slice(prefix.length), file: inside }));
  return files.length === 0 && path !== '' ? undefined : { kind: 'folder', files };
}

function inlineFiles(copy: DockerfileCopy): readonly Found[] {
  return copy.inline.map(({ name, text }) => ({
    kind: 'file',
    file: { path: name, bytes: new TextEncoder().encode(text), mode: 0o644 },
  }));
}

function place(image: Image, copy: DockerfileCopy, sources: readonly Found[]): void {
  const target = resolveContainerPath(copy.workdir, copy.destination);
  const intoFolder =
    /(^|\/)\.{0,2}$/.test(copy.destination) || sources.length > 1 || image.folders.has(target);
  for (const source of sources) {
    if (source.kind === 'folder') {
      addFolder(image, target);
      for (const { inside, file } of source.files)
        put(image, copy, resolveContainerPath(target, inside), file);
    } else {
      const name = containerBasename(`/${source.file.path}`);
      put(image, copy, intoFolder ? resolveContainerPath(target, name) : target, source.file);
    }
  }
}

function put(image: Image, copy: DockerfileCopy, path: ContainerPath, file: TaskFile): void {
  const octal = /^[0-7]{3,4}$/.test(copy.chmod ?? '')
    ? Number.parseInt(copy.chmod ?? '', 8) & 0o777
    : undefined;
  image.files.delete(path);
  image.files.set(path, { path, file, mode: octal ?? file.mode, chown: copy.chown, line: copy.line });
  addFolder(image, resolveContainerPath(path, '..'));
}

function addFolder(image: Image, folder: ContainerPath): void {
  for (let at = folder; !image.folders.has(at); at = resolveContainerPath(at, '..')) image.folders.add(at);
}
