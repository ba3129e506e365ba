/** Fetches an image by name, without credentials. */
import type Docker from 'dockerode';
import { bySetting, inWords } from '../../../fault/remedy.ts';
import { BuildTranscript } from './buildTranscript.ts';
import {
  Cancelled,
  EngineFailure,
  imageMissing,
  isDiskFull,
  diskFull,
  statusOf,
  errorText,
} from '../engine/failures.ts';
import { withTag } from './imageMap.ts';
import { timerMs } from '../../timers.ts';
import { limitText } from '../../../wording/durationText.ts';

/**
 * Pulls an image.
 * @throws EngineFailure: image-missing with the engine's words, disk-full, build-timed-out; Cancelled.
 */
export async function pullImage(
  docker: Docker,
  name: string,
  timeoutMs: number,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const transcript = new BuildTranscript(log);
  const limit = AbortSignal.timeout(timerMs(timeoutMs));
  const abortSignal = AbortSignal.any([signal, limit]);
  try {
    const stream = await docker.createImage({ fromImage: withTag(name), abortSignal });
    await transcript.follow(stream, abortSignal);
  } catch (error) {
    if (signal.aborted) throw new Cancelled();
    if (limit.aborted) throw new EngineFailure(timedOut(name, timeoutMs));
    if (statusOf(error) === undefined) throw error;
    throw new EngineFailure(failed(name, errorText(error)));
  }
  if (transcript.error !== undefined) throw new EngineFailure(failed(name, transcript.error));
}

function failed(name: string, words: string): EngineFailure['failure'] {
  return isDiskFull(words) ? diskFull(words, `pulling ${name}`) : imageMissing(name, words);
}

function timedOut(name: string, timeoutMs: number): EngineFailure['failure'] {
  return {
    reason: 'build-timed-out',
    message: `Pulling ${name} took longer than ${limitText(timeoutMs)}.`,
    remedies: [
      inWords('Pull it yourself with `docker pull`.'),
      bySetting('images', 'map the image to a nearer mirror'),
    ],
  };
}
