// The few requests that setting up a Docker engine takes, over its socket and without a client program.
import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** An answer of the engine, read whole. */
export interface EngineAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends one request to the engine at `host` (`unix:///path` or `tcp://name:port`). */
export async function askEngine(
  host: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: Readable,
  contentType?: string,
): Promise<EngineAnswer> {
  const headers = contentType === undefined ? {} : { 'Content-Type': contentType };
  return new Promise((resolve, reject) => {
    const call = request({ ...addressOf(host), method, path, headers }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
    });
    call.on('error', reject);
    if (!body) call.end();
    else {
      body.on('error', reject);
      body.pipe(call);
    }
  });
}

/** Whether an engine answers at `host`. */
export async function engineAnswers(host: string): Promise<boolean> {
  const ping = askEngine(host, 'GET', '/_ping').then(
    ({ status }) => status === 200,
    () => false,
  );
  return Promise.race([ping, new Promise<boolean>((resolve) => setTimeout(resolve, 3000, false).unref())]);
}

function addressOf(host: string): { socketPath: string; host: string } | { host: string; port: string } {
  const url = new URL(host);
  if (url.protocol === 'unix:') return { socketPath: url.pathname, host: 'localhost' };
  return { host: url.hostname, port: url.port || '2375' };
}
