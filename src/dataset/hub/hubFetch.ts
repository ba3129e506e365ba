/**
 * Requests to the hub. The token goes to the hub's own origin and to no other, wherever the hub sends us: neither
 * after a redirect nor by the link to the next page of a list. Answers are read up to a limit.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Wanted } from './answerErrors.ts';
import { refusalError } from './answerErrors.ts';
import { HubError } from './hubError.ts';
import type { HubSettings } from './hubSettings.ts';
import { networkError } from './networkErrors.ts';

const MOST_REDIRECTS = 10;
/** A page of a list has 1000 entries at most. */
const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
const ANSWER_MS = 60_000;

/** For the client library: refuses as `HubError`, and reads no more of an answer than is sane. */
export function apiFetch(settings: HubSettings, wanted: Wanted, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const url = input instanceof Request ? input.url : String(input);
    try {
      const response = await request(url, init ?? {}, settings, limited);
      if (!response.ok) throw await refused(response, wanted, settings);
      const { status, headers } = response;
      return new Response(await boundedBody(response, settings), { status, headers });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof HubError ? error : networkError(error, hostOf(url), settings.proxy);
    }
  };
}

/**
 * The bytes of `url` from `offset` on, status 206, or all of them, 200; 416 when it has none from there on.
 * @throws HubError, or the reason of `signal`
 */
export async function openBytes(
  url: string,
  offset: number,
  settings: HubSettings,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Response> {
  const headers = {
    // What is compressed on the way has no length and cannot be continued.
    'Accept-Encoding': 'identity',
    ...(offset > 0 ? { Range: `bytes=${offset}-` } : {}),
  };
  const response = await request(url, { headers }, settings, signal);
  if (response.ok || response.status === 416) return response;
  throw await refused(response, wanted, settings);
}

async function refused(response: Response, wanted: Wanted, settings: HubSettings): Promise<HubError> {
  await response.body?.cancel().catch(() => undefined);
  return refusalError(response, wanted, settings);
}

/** Follows redirects by hand: what goes to another origin goes without the token. */
async function request(
  first: string,
  init: RequestInit,
  settings: HubSettings,
  signal: AbortSignal,
): Promise<Response> {
  const home = new URL(settings.endpoint).origin;
  let url = new URL(first);
  let method = init.method ?? 'GET';
  let body = init.body ?? null;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const headers = new Headers(init.headers);
    headers.delete('authorization');
    if (settings.token && url.origin === home) headers.set('authorization', `Bearer ${settings.token.value}`);
    const response = await send(url, { method, body, headers, signal, redirect: 'manual' }, settings, signal);
    const target = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || target === null) return response;
    await response.body?.cancel().catch(() => undefined);
    url = nextUrl(target, url);
    if (response.status === 303) {
      method = 'GET';
      body = null;
    }
  }
  throw new HubError(
    'bad-answer',
    `${new URL(first).host} sent us from one address to the next, ${MOST_REDIRECTS} times.`,
    'Check HF_ENDPOINT, and whether a proxy answers in place of the hub.',
  );
}

async function send(
  url: URL,
  init: RequestInit,
  settings: HubSettings,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    signal.throwIfAborted();
    throw networkError(error, url.host, settings.proxy);
  }
}

function nextUrl(target: string, from: URL): URL {
  const url = URL.canParse(target, from.href) ? new URL(target, from) : undefined;
  // Never from an encrypted connection to a plain one.
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && from.protocol === 'http:');
  if (url && allowed) return url;
  throw new HubError(
    'bad-answer',
    `${from.host} sent us to an address that is not safe to follow.`,
    'Check HF_ENDPOINT, and whether a proxy answers in place of the hub.',
  );
}

async function boundedBody(response: Response, settings: HubSettings): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_ANSWER_BYTES) throw notAHub(settings, 'its answer has no end');
    parts.push(part);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Something else than a hub answers: a log-in page of a network, a proxy, a wrong address. */
export function notAHub(settings: HubSettings, because: string, cause?: unknown): HubError {
  return new HubError(
    'bad-answer',
    `${new URL(settings.endpoint).host} does not answer as a hub does: ${because}.`,
    'Check HF_ENDPOINT, and whether a proxy or a log-in page answers in place of the hub.',
    { cause },
  );
}

/** A pause that ends with `signal`. Milliseconds. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
