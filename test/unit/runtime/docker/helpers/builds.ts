// A build as a plan asks for it, and what its builder said.
import type { BuildRecipe } from '../../../../../src/runtime/docker/image/buildContext.ts';
import { BuildTranscript } from '../../../../../src/runtime/docker/image/buildTranscript.ts';
import { plannedDockerfile } from '../../../../host/plannedDockerfile.ts';

export const DOCKERFILE = 'FROM python:3.10-slim\n\nWORKDIR /app\nRUN pip install x \\\n  y\n';

export function told(...values: unknown[]): BuildTranscript {
  const transcript = new BuildTranscript(() => undefined);
  for (const value of values) transcript.read(value);
  return transcript;
}

export function recipe(files: readonly (readonly [string, string])[]): BuildRecipe {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return {
    kind: 'build',
    layout: { baseImage: 'x', workdir: '/', env: {}, files: [], skipped: [] },
    dockerfile: plannedDockerfile(DOCKERFILE),
    context: [['Dockerfile', DOCKERFILE] as const, ...files].map(([path, text]) => ({
      path,
      mode: 0o644,
      base64: base64(text),
    })),
    timeoutMs: 1000,
  };
}
