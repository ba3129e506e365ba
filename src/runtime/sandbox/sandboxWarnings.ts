/** Warnings about what the sandbox does differently from the plan. Pure. */
import type { RuntimeWarning } from '../runtimeWarnings.ts';
import type { ImageRecipe, RunPlan } from '../plan.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { shortenedLine } from '../../wording/shortened.ts';
import type { Interpreter } from './host/interpreter.ts';
import type { SandboxUser } from './host/sandboxUser.ts';

const MOST_LINES = 5;
const LONGEST_LINE = 100;

/** Warnings that are known before anything runs. */
export function planWarnings(plan: RunPlan, interpreter: Interpreter | undefined): RuntimeWarning[] {
  return [
    ...imageWarnings(plan.image),
    interpreterWarning(plan.image.layout.baseImage, interpreter),
    ...(plan.network === 'default'
      ? [warning('sandbox-no-network', 'The task may use the network, but the sandbox has none.')]
      : []),
  ];
}

/** Warns about a step that is not root: here it owns every file of the task. */
export function userWarning(user: SandboxUser): RuntimeWarning | undefined {
  if (user.uid === 0) return undefined;
  const who = user.name ?? String(user.uid);
  return warning(
    'sandbox-single-user',
    `The sandbox has one user at a time: running as ${who}, every file of the task belonged to ${who} too.`,
  );
}

export function skippedFileWarning(path: string, because: string): RuntimeWarning {
  return warning('sandbox-file-skipped', `${path} was not put in place: ${because}`);
}

export function memoryWarning(memoryMb: number): RuntimeWarning {
  return warning(
    'out-of-memory',
    `The run went over its memory limit of ${memoryMb} MiB, and its largest process was killed for it.`,
  );
}

function imageWarnings(image: ImageRecipe): RuntimeWarning[] {
  if (image.kind === 'pull') {
    return [
      warning(
        'sandbox-image-not-used',
        `The sandbox cannot use the image ${image.name}: what it holds beyond this machine's own programs is missing.`,
      ),
    ];
  }
  const { skipped } = image.layout;
  if (skipped.length === 0) return [];
  const lines = skipped.map(({ line, text }) => `line ${line} (${shortenedLine(text, LONGEST_LINE)})`);
  return [
    warning(
      'sandbox-run-lines-skipped',
      `The sandbox builds no image, so these lines of the Dockerfile were not executed: ${joinWords(lines, { most: MOST_LINES })}.`,
    ),
  ];
}

function interpreterWarning(baseImage: string, interpreter: Interpreter | undefined): RuntimeWarning {
  const asked = `The task asks for ${baseImage}`;
  if (interpreter === undefined) {
    return warning(
      'sandbox-interpreter',
      `${asked}; the sandbox found no Python 3 on this machine that it can use.`,
    );
  }
  const { version, pytestVersion } = interpreter;
  const pytest = pytestVersion === undefined ? 'which has no pytest' : `with pytest ${pytestVersion}`;
  return warning(
    'sandbox-interpreter',
    `${asked}; the sandbox used this machine's Python ${version}, ${pytest}.`,
  );
}

function warning(code: string, message: string): RuntimeWarning {
  return { code, message };
}
