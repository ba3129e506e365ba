// Errors as the client of an engine throws them.
import type { noEngine } from '../../../../../src/runtime/docker/engine/failures.ts';

export function answered(statusCode: number, message: string): Error {
  return Object.assign(new Error(`(HTTP code ${statusCode}) reason - ${message} `), {
    statusCode,
    json: { message },
  });
}

export function coded(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

export function tried(path: string, code: string): Parameters<typeof noEngine>[0][number] {
  return {
    endpoint: { address: { kind: 'socket', path }, where: path, origin: 'the default socket' },
    error: coded(code),
  };
}
