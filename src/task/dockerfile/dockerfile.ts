/** Reads the facts of a Dockerfile that need no engine: base image, WORKDIR, ENV, USER, COPY, and what only a build can do. */
import { type ContainerPath, resolveContainerPath } from '../containerPath.ts';
import { type DockerLine, dockerLines, type TextPlace } from './dockerLines.ts';
import { expandVariables, expandWord, listOrWords, namesAndValues } from './dockerWords.ts';
import { DOCKERFILE } from '../taskLayout.ts';
import type { TaskProblem } from '../taskProblem.ts';

/** One COPY or ADD of the final image. Variables are substituted. */
export interface DockerfileCopy {
  readonly instruction: 'COPY' | 'ADD';
  readonly sources: readonly string[];
  readonly destination: string;
  /** Here-documents among the sources, placed as files. */
  readonly inline: readonly { readonly name: string; readonly text: string }[];
  /** The WORKDIR in force at this line; `/` when only the base image knows. */
  readonly workdir: ContainerPath;
  /** Another stage or image: not expandable without an engine. */
  readonly from: string | undefined;
  readonly chmod: string | undefined;
  readonly chown: string | undefined;
  /** 1-based. */
  readonly line: number;
}

/** What a builder must know of a Dockerfile. Lines are 1-based. */
export interface DockerfileBuild {
  /** The line of each instruction. */
  readonly instructions: readonly number[];
  readonly stages: number;
  /** The images that FROM and `COPY --from` name, and where; no stages, and not `scratch`. */
  readonly images: readonly (TextPlace & { readonly name: string })[];
  /** What Docker's old builder does not know. */
  readonly needsBuildKit: readonly {
    readonly line: number;
    readonly what: 'flag' | 'here-document';
    /** Such as `RUN --mount`. */
    readonly text: string;
  }[];
}

export interface DockerfileFacts {
  /** The image outside this file that the final stage rests on. */
  readonly baseImage: string;
  /** Undefined: the base image's own. */
  readonly workdir: ContainerPath | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Undefined: the base image's own. */
  readonly user: string | undefined;
  readonly copies: readonly DockerfileCopy[];
  /** `RUN` and other lines that only a build can honour; `line` is 1-based. */
  readonly skipped: readonly { readonly line: number; readonly text: string }[];
  readonly build: DockerfileBuild;
}

/** Above this a Dockerfile is not read: the parser's time grows with the square of its length. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_LINES = 5000;
const MOST_COPIES = 500;

/**
 * Parses a Dockerfile; never throws. `facts` is undefined when it names no base image, or cannot be read at all.
 * Problems are `bad-dockerfile`, blocking: a build would fail at the same line.
 */
export function parseDockerfile(text: string): {
  readonly facts: DockerfileFacts | undefined;
  readonly problems: readonly TaskProblem[];
} {
  if (text.trim() === '')
    return refused('The Dockerfile is empty, so no image can be built. Give it a FROM line.');
  if (text.length > MOST_CHARACTERS || text.split('\n').length > MOST_LINES)
    return refused(
      `The Dockerfile has more than ${MOST_LINES} lines or ${MOST_CHARACTERS} characters and is not read. Move its data into files that it copies.`,
    );
  const { lines, escape } = dockerLines(text);
  const walk: Walk = { escape, stages: [], images: [], globals: new Map(), problems: [] };
  for (const line of lines) readLine(walk, line);
  const last = walk.stages.at(-1);
  if (last === undefined && walk.problems.length === 0)
    return refused(
      'The Dockerfile has no FROM line, so no image can be built. Start it with FROM and a base image.',
    );
  return {
    facts: last === undefined || last.root === '' ? undefined : factsOf(walk, last, lines),
    problems: walk.problems,
  };
}

/** Whether an ADD source is fetched or unpacked, which only a build does. */
function isFetchedOrUnpacked(source: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(source) ||
    /^git@/.test(source) ||
    /\.(tar|tgz|tbz2?|txz|tar\.(gz|bz2|xz|zst))$/i.test(source)
  );
}

interface Stage {
  readonly name: string | undefined;
  /** The image outside the file that this stage rests on. */
  readonly root: string;
  readonly env: Map<string, string>;
  readonly args: Map<string, string>;
  readonly copies: DockerfileCopy[];
  readonly skipped: { readonly line: number; readonly text: string }[];
  workdir: ContainerPath | undefined;
  user: string | undefined;
}

interface Walk {
  readonly escape: string;
  readonly stages: Stage[];
  readonly images: (TextPlace & { readonly name: string })[];
  /** ARGs before the first FROM. */
  readonly globals: Map<string, string>;
  readonly problems: TaskProblem[];
}

function refused(message: string): { readonly facts: undefined; readonly problems: readonly TaskProblem[] } {
  return {
    facts: undefined,
    problems: [{ code: 'bad-dockerfile', severity: 'blocking', file: DOCKERFILE, message }],
  };
}

function fail(walk: Walk, line: DockerLine, what: string): void {
  walk.problems.push({
    code: 'bad-dockerfile',
    severity: 'blocking',
    file: DOCKERFILE,
    line: line.line,
    message: `Line ${line.line} of the Dockerfile ${what}, so the image cannot be built. Correct the line.`,
  });
}

function factsOf(walk: Walk, last: Stage, lines: readonly DockerLine[]): DockerfileFacts {
  return {
    baseImage: last.root,
    workdir: last.workdir,
    env: Object.fromEntries(last.env),
    user: last.user,
    copies: last.copies,
    skipped: last.skipped,
    build: {
      instructions: lines.map(({ line }) => line),
      stages: walk.stages.length,
      images: walk.images,
      needsBuildKit: lines.flatMap(buildKitNeed),
    },
  };
}

/** Without effect on the files, the environment or the user of the image. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  ...['CMD', 'ENTRYPOINT', 'EXPOSE', 'HEALTHCHECK', 'LABEL', 'MAINTAINER', 'ONBUILD', 'SHELL'],
  ...['STOPSIGNAL', 'VOLUME'],
]);

function readLine(walk: Walk, line: DockerLine): void {
  const stage = walk.stages.at(-1);
  if (line.text === '') return fail(walk, line, `has ${line.keyword} with nothing behind it`);
  if (line.keyword === 'FROM') return readFrom(walk, line);
  if (stage === undefined) {
    if (line.keyword === 'ARG') return readArg(walk, line, walk.globals, undefined);
    return fail(walk, line, `has ${line.keyword.slice(0, 40)} before any FROM`);
  }
  const words = (text: string) => expandWord(text, lookupIn(stage), walk.escape);
  switch (line.keyword) {
    case 'ARG':
      return readArg(walk, line, stage.args, stage);
    case 'ENV':
      return readEnv(walk, line, stage);
    case 'WORKDIR':
      stage.workdir = resolveContainerPath(stage.workdir ?? '/', words(line.text));
      return;
    case 'USER':
      stage.user = words(line.text);
      return;
    case 'COPY':
    case 'ADD':
      return readCopy(walk, line, line.keyword, stage);
    case 'RUN':
      stage.skipped.push({ line: line.line, text: line.source });
      return;
    default:
      if (!WITHOUT_EFFECT.has(line.keyword))
        fail(walk, line, `starts with ${JSON.stringify(line.keyword.slice(0, 40))}, which is no instruction`);
  }
}

function lookupIn(stage: Stage): (name: string) => string | undefined {
  return (name) => stage.env.get(name) ?? stage.args.get(name);
}

function readFrom(walk: Walk, line: DockerLine): void {
  const [image = '', as, name] = line.text.split(/\s+/);
  const expanded = expandWord(image, (variable) => walk.globals.get(variable), walk.escape);
  if (expanded === '') fail(walk, line, `has FROM ${image}, a variable without a default`);
  if (as !== undefined && (as.toUpperCase() !== 'AS' || name === undefined))
    fail(walk, line, 'has more behind FROM than an image and "AS name"');
  const from = stageNamed(walk, expanded);
  noteImage(walk, line, expanded);
  walk.stages.push({
    name,
    root: from?.root ?? expanded,
    env: new Map(from?.env),
    args: new Map(),
    copies: [...(from?.copies ?? [])],
    skipped: [...(from?.skipped ?? [])],
    workdir: from?.workdir,
    user: from?.user,
  });
}

function stageNamed(walk: Walk, name: string): Stage | undefined {
  return walk.stages.find((stage) => stage.name?.toLowerCase() === name.toLowerCase());
}

function noteImage(walk: Walk, { origin }: DockerLine, name: string): void {
  const isStage = /^\d*$/.test(name) || stageNamed(walk, name) !== undefined;
  if (origin !== undefined && !isStage && name !== 'scratch') walk.images.push({ ...origin, name });
}

function readArg(walk: Walk, line: DockerLine, args: Map<string, string>, stage: Stage | undefined): void {
  const lookup = stage === undefined ? (name: string) => args.get(name) : lookupIn(stage);
  for (const { name, value } of namesAndValues(line.text, walk.escape)) {
    const known = value === undefined ? walk.globals.get(name) : expandWord(value, lookup, walk.escape);
    if (known !== undefined) args.set(name, known);
  }
}

/** All values of one ENV line see the environment before that line. */
function readEnv(walk: Walk, line: DockerLine, stage: Stage): void {
  const values = namesAndValues(line.text, walk.escape).map(({ name, value }) => ({
    name: expandWord(name, lookupIn(stage), walk.escape),
    value: value === undefined ? undefined : expandWord(value, lookupIn(stage), walk.escape),
  }));
  for (const { name, value } of values) {
    if (name === '' || value === undefined) fail(walk, line, 'has ENV without a name and a value');
    else stage.env.set(name, value);
  }
}

function readCopy(walk: Walk, line: DockerLine, instruction: 'COPY' | 'ADD', stage: Stage): void {
  const expand = (word: string) => expandWord(word, lookupIn(stage), walk.escape);
  noteImage(walk, line, line.flags.get('from') ?? '');
  const paths = listOrWords(line.text);
  const destination = expand(paths.at(-1) ?? '');
  const sources = paths
    .slice(0, -1)
    .filter((path) => !path.startsWith('<<'))
    .map(expand);
  if (paths.length < 2 || destination === '')
    return fail(walk, line, `has ${instruction} without a source and a destination`);
  if (paths.length > 2 && !/(^|\/)\.{0,2}$/.test(destination))
    return fail(walk, line, `copies several sources to ${destination}, which must then end with "/"`);
  const needsBuild =
    line.flags.has('from') ||
    line.flags.has('parents') ||
    line.flags.has('exclude') ||
    (instruction === 'ADD' && (sources.some(isFetchedOrUnpacked) || sources.length < paths.length - 1));
  if (needsBuild) stage.skipped.push({ line: line.line, text: line.source });
  if (needsBuild && !line.flags.has('from')) return;
  if (stage.copies.length >= MOST_COPIES)
    return fail(walk, line, `is past the ${MOST_COPIES} COPY lines that are read`);
  stage.copies.push({
    instruction,
    sources,
    destination,
    inline: line.heredocs.map(({ name, text, expands }) => ({
      name,
      text: expands ? expandVariables(text, lookupIn(stage), walk.escape) : text,
    })),
    workdir: stage.workdir ?? '/',
    from: line.flags.get('from'),
    chmod: line.flags.get('chmod'),
    chown: line.flags.get('chown'),
    line: line.line,
  });
}

/** Flags that only BuildKit knows (https://docs.docker.com/reference/dockerfile/). */
const BUILDKIT_FLAGS: Readonly<Record<string, readonly string[]>> = {
  RUN: ['mount', 'network', 'security', 'device'],
  COPY: ['link', 'chmod', 'parents', 'exclude'],
  ADD: ['link', 'chmod', 'checksum', 'keep-git-dir', 'exclude'],
};

function buildKitNeed({
  keyword,
  flags,
  text,
  heredocs,
  line,
}: DockerLine): DockerfileBuild['needsBuildKit'] {
  const known = BUILDKIT_FLAGS[keyword] ?? [];
  const flag = [...flags.keys()].find((name) => known.includes(name));
  // The parser tells no here-documents of ADD.
  const opens = heredocs.length > 0 || (keyword === 'ADD' && /(^|\s)<</.test(text));
  return [
    ...(flag === undefined ? [] : [{ line, what: 'flag', text: `${keyword} --${flag}` } as const]),
    ...(opens ? [{ line, what: 'here-document', text: `a here-document in ${keyword}` } as const] : []),
  ];
}
