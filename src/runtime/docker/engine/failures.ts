/** Turns errors of an engine, its socket or its streams into failures with remedies. */
import { byCommand, bySetting, inWords, type Remedy } from '../../../fault/remedy.ts';
import { RepairBenchError } from '../../../fault/repairBenchError.ts';
import type { FailureReason, RuntimeFailure } from '../../runtime.ts';
import { joinWords } from '../../../wording/joinWords.ts';
import { type Endpoint, NAME_ENGINE } from './endpoint.ts';

const LONGEST_DETAIL = 4000;

export const CHECK_ENGINE: Remedy = inWords('Check that the engine runs (`docker version`), then run again.');

/** A runtime failure, thrown to the caller of the runtime. */
export class EngineFailure extends RepairBenchError<FailureReason> {
  override readonly name = 'EngineFailure';
  readonly failure: RuntimeFailure;

  constructor(failure: RuntimeFailure) {
    super(failure.reason, failure.message, failure.remedies);
    this.failure = failure;
  }
}

/** The user stopped it. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
    this.name = 'Cancelled';
  }
}

/** The HTTP status that an engine answered an error with; undefined when it is no answer of an engine. */
export function statusOf(error: unknown): number | undefined {
  const status: unknown = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** The engine's own message in an error, without the client's additions. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const json: unknown = 'json' in error ? error.json : undefined;
  if (typeof json === 'object' && json && 'message' in json && typeof json.message === 'string') {
    return json.message.trim();
  }
  return error.message.replace(/^\(HTTP code \d+\) [^-]*- /, '').trim();
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether nothing answered at all: the request never reached an engine. */
function isUnreachable(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'ENOTSOCK'].includes(
    codeOf(error) ?? '',
  );
}

/** Whether an engine that had answered before is gone. */
export function isConnectionLost(error: unknown): boolean {
  if (statusOf(error) !== undefined) return false;
  if (isUnreachable(error)) return true;
  if (['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error) ?? '')) return true;
  return /socket hang up|aborted|unexpected EOF|premature close/i.test(errorText(error));
}

/** No engine answered; `tried` is in order. */
export function noEngine(tried: readonly { endpoint: Endpoint; error: unknown }[]): RuntimeFailure {
  const denied = tried.find(({ error }) => ['EACCES', 'EPERM'].includes(codeOf(error) ?? ''));
  const detail = tried
    .map(({ endpoint, error }) => `${endpoint.where} (${endpoint.origin}): ${errorText(error)}`)
    .join('\n');
  if (denied) {
    return {
      reason: 'no-permission',
      message: `This user may not use the Docker engine at ${denied.endpoint.where}.`,
      detail,
      remedies: [
        byCommand('sudo usermod -aG docker $USER', 'add yourself to the docker group', 'Then log in again.'),
        inWords('Or use a rootless engine.'),
      ],
    };
  }
  const places = joinWords(tried.map(({ endpoint }) => endpoint.where));
  return {
    reason: 'no-engine',
    message: `No Docker engine answers. Tried: ${places}.`,
    detail,
    remedies: [inWords('Start Docker or Podman.'), NAME_ENGINE],
  };
}

/** Any other error of a request, seen while doing `what`, such as `creating the container`. */
export function failureOf(error: unknown, what: string): RuntimeFailure {
  if (error instanceof EngineFailure) return error.failure;
  const words = errorText(error);
  const detail = bounded(words);
  if (isDiskFull(words)) return diskFull(words, what);
  if (isConnectionLost(error)) {
    return {
      reason: 'engine-died',
      message: `The Docker engine stopped answering while ${what}.`,
      detail,
      remedies: [CHECK_ENGINE],
    };
  }
  return {
    reason: 'unexpected',
    message: `The Docker engine failed while ${what}: ${firstLine(words)}`,
    detail,
    remedies: [
      inWords("Read the engine's message; if it does not help, look at the engine's log and run again."),
    ],
  };
}

export function isDiskFull(words: string): boolean {
  return /no space left on device|disk quota exceeded/i.test(words);
}

export function diskFull(words: string, what: string): RuntimeFailure {
  return {
    reason: 'disk-full',
    message: `The Docker engine's disk is full; it failed while ${what}.`,
    detail: bounded(words),
    remedies: [inWords('Free space, such as with `docker system prune`, then run again.')],
  };
}

/** An image that is not here and cannot be fetched. */
export function imageMissing(
  image: string,
  words: string,
  at?: { readonly file: string; readonly line: number },
): RuntimeFailure {
  return {
    reason: 'image-missing',
    message: `The image ${image} is not on the engine and could not be pulled.`,
    detail: bounded(words),
    remedies: [inWords('Check the name.'), bySetting('images', 'map the image to a mirror')],
    ...(at && { at }),
  };
}

export function bounded(text: string): string {
  return text.length <= LONGEST_DETAIL ? text : `[…]\n${text.slice(-LONGEST_DETAIL)}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
