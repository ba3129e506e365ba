/** What the sandbox does differently from the plan, in whole sentences for a person. Pure. */
import type { Note } from '../notes.ts';
import type { ImageRecipe, RunPlan } from '../plan.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { shortenedLine } from '../../wording/shortened.ts';
import type { Interpreter } from './host/interpreter.ts';
import type { SandboxUser } from './host/sandboxUser.ts';

const MOST_LINES = 5;
const LONGEST_LINE = 100;

/** Notes that are known before anything runs. */
export function planNotes(plan: RunPlan, interpreter: Interpreter | undefined): Note[] {
  return [
    ...imageNotes(plan.image),
    interpreterNote(plan.image.layout.baseImage, interpreter),
    ...(plan.network === 'default'
      ? [note('sandbox-no-network', 'The task may use the network; the sandbox never has one.')]
      : []),
  ];
}

/** A step that is not root: in a container it would own nothing, here it owns every file. */
export function userNote(user: SandboxUser): Note | undefined {
  if (user.uid === 0) return undefined;
  const who = user.name ?? String(user.uid);
  return note(
    'sandbox-single-user',
    `The sandbox has one user at a time: running as ${who}, every file of the task belonged to ${who} too.`,
  );
}

export function skippedFileNote(path: string, because: string): Note {
  return note('sandbox-file-skipped', `${path} was not put in place: ${because}`);
}

export function memoryNote(memoryMb: number): Note {
  return note(
    'out-of-memory',
    `The run went over its memory limit of ${memoryMb} MiB, and its largest process was killed for it.`,
  );
}

function imageNotes(image: ImageRecipe): Note[] {
  if (image.kind === 'pull') {
    return [
      note(
        'sandbox-image-not-used',
        `The sandbox cannot use the image ${image.name}: what it holds beyond this machine's own programs is missing.`,
      ),
    ];
  }
  const { skipped } = image.layout;
  if (skipped.length === 0) return [];
  const lines = skipped.map(({ line, text }) => `line ${line} (${shortenedLine(text, LONGEST_LINE)})`);
  return [
    note(
      'sandbox-run-lines-skipped',
      `The sandbox builds no image, so these lines of the Dockerfile were not executed: ${joinWords(lines, { most: MOST_LINES })}.`,
    ),
  ];
}

function interpreterNote(baseImage: string, interpreter: Interpreter | undefined): Note {
  const asked = `The task asks for ${baseImage}`;
  if (interpreter === undefined) {
    return note(
      'sandbox-interpreter',
      `${asked}; the sandbox found no Python 3 on this machine that it can use.`,
    );
  }
  const { version, pytestVersion } = interpreter;
  const pytest = pytestVersion === undefined ? 'which has no pytest' : `with pytest ${pytestVersion}`;
  return note(
    'sandbox-interpreter',
    `${asked}; the sandbox used this machine's Python ${version}, ${pytest}.`,
  );
}

function note(code: string, message: string): Note {
  return { code, message };
}
