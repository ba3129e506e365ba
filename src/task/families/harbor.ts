/** Any other task of Harbor's layout: what the Dockerfile copies from `environment/` is what a person edits. */
import { containerBasename, type ContainerPath } from '../containerPath.ts';
import type { FamilyAnswer, FamilyInput } from './familyInput.ts';
import { hashPathsIn } from '../dockerfile/placedCopies.ts';
import type { PlacedFile } from '../task.ts';
import { DOCKERFILE, FIXED_FOLDER, inContainer } from '../taskLayout.ts';
import type { TaskProblem } from '../taskProblem.ts';

/** Facts of a plain Harbor task: the likeliest file to open first is at index 0 of `solution`. */
export function harborFacts(input: FamilyInput): FamilyAnswer {
  const editable = input.placed.filter(({ path }) => !OF_HARBOR.test(path));
  const baselines = new Set(placesOf(editable).flatMap(baselinesAmong));
  const instruction = input.instruction.slice(0, MOST_SEARCHED);
  const solution = editable
    .filter(({ path }) => !baselines.has(path))
    .map((placed) => ({ placed, rank: rankOf(placed, instruction) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ placed }) => ({ path: placed.path, starter: placed.file.bytes, mode: placed.mode }));
  return {
    facts: {
      name: 'harbor',
      shape: undefined,
      solution,
      baselinePaths: [...baselines],
      hashPaths: hashPathsIn(input.files),
      goldPaths: solution
        .map(({ path }) => inContainer(`${FIXED_FOLDER}/${containerBasename(path)}`))
        .filter((path) => input.files.has(path.slice(1))),
      refusesStarter: baselines.size > 0,
    },
    problems: solution.length === 0 ? [NO_FILE] : [],
  };
}

/** Folders that Harbor itself fills or empties. */
const OF_HARBOR = /^\/(tests|logs|solution)\//;

const NO_FILE: TaskProblem = {
  code: 'no-solution-file',
  severity: 'warning',
  file: DOCKERFILE,
  message:
    'No COPY line of a Dockerfile brings a file from environment/, so there is nothing to edit yet. Load the working tree from the image, or add the files that the instruction asks for.',
};

/** How much of an instruction is searched for names, in characters. */
const MOST_SEARCHED = 64 * 1024;

/** The places of each file of the build context that is in the image. */
function placesOf(placed: readonly PlacedFile[]): readonly (readonly PlacedFile[])[] {
  const places = new Map<string, PlacedFile[]>();
  for (const one of placed) places.set(one.file.path, [...(places.get(one.file.path) ?? []), one]);
  return [...places.values()];
}

/** All places of one file except the likeliest: the one with its own name, outside folders for backups, that sorts first. */
function baselinesAmong(places: readonly PlacedFile[]): readonly ContainerPath[] {
  const rank = ({ path, file }: PlacedFile) =>
    (containerBasename(path) === containerBasename(`/${file.path}`) ? 0 : 1) +
    (/\/\.|orig|backup|baseline|pristine/.test(path) ? 2 : 0);
  return [...places]
    .sort((left, right) => rank(left) - rank(right) || (left.path < right.path ? -1 : 1))
    .slice(1)
    .map(({ path }) => path);
}

const SOURCE =
  /\.(py|js|mjs|cjs|ts|tsx|jsx|c|h|cc|cpp|hpp|cs|go|rs|java|kt|scala|rb|php|pl|sh|bash|lua|swift|sql|r|jl|hs|ex|exs|clj|erl|zig|vue|svelte)$/i;
const CONFIGURATION = /\.(toml|ini|cfg|conf|ya?ml|json|xml|html|css|md|txt|rst|env)$/i;
const BUILD_CONTEXT = /^(Dockerfile|\.dockerignore|docker-compose\.ya?ml)$/;

/** Lower is likelier: named in the instruction, then other sources, then configuration and texts, then data. */
function rankOf({ path, file }: PlacedFile, instruction: string): number {
  const name = containerBasename(path);
  if (BUILD_CONTEXT.test(file.path)) return 9;
  const kind = SOURCE.test(name) ? 0 : CONFIGURATION.test(name) ? 1 : 2;
  const inFull = instruction.includes(path) || (file.path.includes('/') && instruction.includes(file.path));
  const byName = inFull || (name.length > 3 && namedAlone(name, instruction));
  // Data is usually the input of the broken code, not what is broken.
  if (kind === 2) return byName ? 5 : 6;
  if (byName) return kind / 10 + (inFull ? 0 : 1);
  const isEmpty = file.bytes.every((byte) => byte <= 0x20);
  return 2 + kind + (isEmpty ? 0.9 : 0);
}

/** Whether the name stands in the text by itself, not as the end of a longer one. */
function namedAlone(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + name.length] ?? ' ';
    if (!/[\w.-]/.test(before) && !/\w/.test(after)) return true;
  }
  return false;
}
