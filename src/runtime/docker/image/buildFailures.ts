/** Why a build failed, and at which line of the Dockerfile. */
import { inWords } from '../../../fault/remedy.ts';
import type { PlannedDockerfile } from '../../plan.ts';
import type { RuntimeFailure } from '../../runtime.ts';
import type { BuildContext } from './buildContext.ts';
import type { BuildTranscript } from './buildTranscript.ts';
import type { Engine } from '../engine/connection.ts';
import { bounded, diskFull, failureOf, imageMissing, isDiskFull } from '../engine/failures.ts';

const LAST_WORDS = 1000;
const NAMED_LINE = /(?:dockerfile parse error|syntax error)[^]*?\bline (\d+)/i;
const NEEDS_BUILDKIT = /requires buildkit|unknown instruction|unknown flag|parse error/i;
/** The step never ran. */
const ENGINE_AT_FAULT =
  /failed to create endpoint|could not find bridge|error creating overlay mount|failed to mount overlay|cgroups?: /i;
const PULL_FAILED =
  /pull access denied|manifest (for .* )?(unknown|not found)|repository .* not found|no such image|failed to resolve|error getting credentials|unauthorized|toomanyrequests|(dial|lookup|connection refused|i\/o timeout|TLS handshake|certificate|Client\.Timeout|proxyconnect|no route to host|network is unreachable)/i;

/** What can be told without asking the engine: the classic builder runs all steps before the one it cannot do. */
export function refusedBuild(engine: Engine, context: BuildContext): RuntimeFailure | undefined {
  const isClassic = !engine.name.startsWith('Podman');
  const flag = isClassic ? buildKitNeed(context, 'flag') : undefined;
  return flag && needsBuildKit(context, flag, undefined);
}

/** Why the builder stopped; `words` are its own. */
export function buildFailure(
  context: BuildContext,
  transcript: BuildTranscript,
  words: string,
): RuntimeFailure {
  const { path, instructions } = context.dockerfile;
  const named = NAMED_LINE.exec(words);
  const step = transcript.step;
  const line = named ? Number(named[1]) : step && instructions[step.number - 1];
  const at = line === undefined ? undefined : { file: path, line };
  // A step's own program may be the one that finds the disk full.
  if (isDiskFull(words) || isDiskFull(transcript.output.slice(-LAST_WORDS)))
    return { ...diskFull(words, 'building the image'), ...(at && { at }) };
  if (ENGINE_AT_FAULT.test(words)) {
    const failure = failureOf(new Error(words), 'building the image');
    return { ...failure, ...(at && { at }) };
  }
  const document = NEEDS_BUILDKIT.test(words) ? buildKitNeed(context, 'here-document') : undefined;
  if (document) return needsBuildKit(context, document, words);
  const instruction = step?.instruction ?? '';
  const image =
    /^from\s+(?:--\S+\s+)*(\S+)/i.exec(instruction) ?? /^copy\s+.*?--from=(\S+)/i.exec(instruction);
  if (image?.[1] && PULL_FAILED.test(words)) return imageMissing(image[1], words, at);
  const where = at ? `line ${at.line} of ${path}` : path;
  return {
    reason: 'build-failed',
    message: step
      ? `The image could not be built: ${where}: ${instruction}`
      : `The image could not be built: ${where}.`,
    detail: bounded(`${transcript.output}\n${words}`.trim()),
    remedies: [inWords("Read the step's output, then correct the Dockerfile or the files that it copies.")],
    ...(at && { at }),
  };
}

/** The Dockerfile that a recipe names is not among its files. */
export function noDockerfile(path: string): RuntimeFailure {
  return {
    reason: 'build-failed',
    message: `The build has no ${path}.`,
    remedies: [
      inWords(
        'Add a Dockerfile to the environment of the task, or name an image in task.toml (docker_image).',
      ),
    ],
  };
}

type BuildKitNeed = PlannedDockerfile['needsBuildKit'][number];

function buildKitNeed({ dockerfile }: BuildContext, what: BuildKitNeed['what']): BuildKitNeed | undefined {
  return dockerfile.needsBuildKit.find((need) => need.what === what);
}

function needsBuildKit(
  { dockerfile: { path } }: BuildContext,
  { line, text }: BuildKitNeed,
  words: string | undefined,
): RuntimeFailure {
  return {
    reason: 'unsupported-recipe',
    message: `Line ${line} of ${path} needs BuildKit (${text}), and images are built without it.`,
    ...(words && { detail: bounded(words) }),
    remedies: [
      inWords(
        'Write that line without it, or build the image yourself and name it in task.toml (docker_image).',
      ),
    ],
    at: { file: path, line },
  };
}
