// A hub of our own, over real sockets: the part of the Hugging Face hub's API that downloads of datasets use, and its faults.
// Large files are served by a second origin, to which the hub redirects, as the real one does.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { commitOf, entryOf, isLarge, pathsInfo, type RepoFiles } from './hubContent.ts';

export interface HubRepo {
  /** Files by path, per branch or tag. */
  readonly revisions: Readonly<Record<string, RepoFiles>>;
  readonly private?: boolean;
  readonly gated?: boolean;
  /** Tokens that may read it when it is private or gated. */
  readonly readers?: readonly string[];
}

/** Faults of the next answers; each is used up by one answer unless it says otherwise. */
export interface HubFaults {
  /** Bytes of a large file after which the connection is cut, one entry per request. */
  cutAfter: number[];
  /** Bytes after which sending waits until `release` is called. */
  holdAfter: number | undefined;
  /** The first byte of files is another. For good. */
  wrongBytes: boolean;
  /** Files end after so many bytes, and there is no error. For good. */
  endAfter: number | undefined;
  /** Ranges are ignored. For good. */
  ignoreRange: boolean;
  /** Answers to requests whose address holds `at`. For good. */
  answer:
    | {
        readonly at: string;
        readonly status: number;
        readonly headers?: Record<string, string>;
        readonly body?: string;
      }
    | undefined;
  /** Where the link to the next page and the redirect to large files lead, in place of where they should. */
  elsewhere: string | undefined;
  /** Names that are listed besides those of files. */
  extraNames: string[];
}

export interface HubRequest {
  readonly origin: 'hub' | 'store';
  readonly method: string;
  readonly url: string;
  readonly token: string | undefined;
  readonly range: string | undefined;
}

export interface HubServer {
  /** What HF_ENDPOINT is set to. */
  readonly endpoint: string;
  readonly storeOrigin: string;
  readonly repos: Map<string, HubRepo>;
  readonly requests: HubRequest[];
  readonly faults: HubFaults;
  /** Entries in a page of a list. */
  pageSize: number;
  /** Lets what `holdAfter` stopped go on. */
  release(): void;
  /** Resolves when sending has stopped at `holdAfter`. */
  readonly held: Promise<void>;
  stop(): Promise<void>;
}

/** Tokens that the hub knows; all others are refused. */
export const KNOWN_TOKENS: readonly string[] = ['hf_reader', 'hf_stranger', 'token-of-a-mirror'];

export async function startHub(repos: Readonly<Record<string, HubRepo>>): Promise<HubServer> {
  const held = withResolvers();
  const released = withResolvers();
  const hub = createServer((request, response) => void answerHub(request, response));
  const store = createServer((request, response) => void answerStore(request, response));
  await Promise.all([hub, store].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  const state: HubServer = {
    endpoint: originOf(hub),
    storeOrigin: originOf(store),
    repos: new Map(Object.entries(repos)),
    requests: [],
    faults: {
      cutAfter: [],
      holdAfter: undefined,
      wrongBytes: false,
      endAfter: undefined,
      ignoreRange: false,
      answer: undefined,
      elsewhere: undefined,
      extraNames: [],
    },
    pageSize: 1000,
    held: held.promise,
    release: released.resolve,
    stop: async () => {
      released.resolve();
      for (const server of [hub, store]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };

  async function answerHub(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = note(state, 'hub', request);
    const url = new URL(request.url ?? '/', state.endpoint);
    const fault = state.faults.answer;
    if (fault && url.href.includes(fault.at)) {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
      return;
    }
    const [, api, name = '', verb, rest = ''] =
      /^(\/api)?\/datasets\/([^/]+\/[^/]+)\/(revision|tree|paths-info|resolve)\/(.*)$/.exec(url.pathname) ??
      [];
    const repo = state.repos.get(name);
    const body = await textOf(request);
    if (token !== undefined && !KNOWN_TOKENS.includes(token))
      return refuse(response, 401, undefined, 'Invalid credentials in Authorization header');
    const mayRead = token !== undefined && (repo?.readers ?? []).includes(token);
    // Whoever may not know of a private repository is told that there is none.
    if (!repo || verb === undefined || (repo.private && !mayRead))
      return refuse(response, token === undefined ? 401 : 404, 'RepoNotFound', 'Repository not found');
    const [encoded = '', ...path] = rest.split('/');
    const revision = decodeURIComponent(encoded);
    const found = Object.entries(repo.revisions).find(([each, files]) =>
      [each, commitOf(files)].includes(revision),
    );
    if (!found) return refuse(response, 404, 'RevisionNotFound', `Invalid rev id: ${revision}`);
    const [, files] = found;
    response.setHeader('X-Repo-Commit', commitOf(files));
    const at = path.map(decodeURIComponent).join('/');
    if (api && verb === 'revision')
      return json(response, { _id: '1', id: name, private: false, gated: false, sha: commitOf(files) });
    if (api && verb === 'tree') return answerTree(response, url, files, at);
    if (api && verb === 'paths-info') return json(response, pathsInfo(files, body));
    if (repo.gated && !mayRead)
      return refuse(
        response,
        token === undefined ? 401 : 403,
        'GatedRepo',
        `Access to dataset ${name} is restricted.`,
      );
    const content = files[at];
    if (content === undefined) return refuse(response, 404, 'EntryNotFound', 'Entry not found');
    if (!isLarge(at)) {
      response.setHeader('ETag', `"${entryOf(at, content).oid}"`);
      return sendBytes(request, response, Buffer.from(content));
    }
    const etag = entryOf(at, content).lfs?.oid ?? '';
    const location = `${state.faults.elsewhere ?? state.storeOrigin}/${encodeURIComponent(name)}/${etag}`;
    response.writeHead(302, {
      location,
      'X-Linked-ETag': `"${etag}"`,
      'X-Linked-Size': String(Buffer.from(content).length),
    });
    response.end(`Found. Redirecting to ${location}`);
  }

  function answerTree(response: ServerResponse, url: URL, files: RepoFiles, folder: string): void {
    const below = Object.entries(files).filter(([path]) => folder === '' || path.startsWith(`${folder}/`));
    if (folder !== '' && below.length === 0) return refuse(response, 404, 'EntryNotFound', 'Entry not found');
    const extra = state.faults.extraNames.map((path) => [path, 'extra'] as const);
    const entries = [...below, ...extra].map(([path, content]) => entryOf(path, content));
    const start = Number(url.searchParams.get('cursor') ?? 0);
    const end = start + state.pageSize;
    if (end < entries.length) {
      const next = new URL(url.href.replace(state.endpoint, state.faults.elsewhere ?? state.endpoint));
      next.searchParams.set('cursor', String(end));
      response.setHeader('Link', `<${next.href}>; rel="next"`);
    }
    json(response, entries.slice(start, end));
  }

  async function answerStore(request: IncomingMessage, response: ServerResponse): Promise<void> {
    note(state, 'store', request);
    const [, name = '', etag] = (request.url ?? '').split('/');
    const contents = Object.values(state.repos.get(decodeURIComponent(name))?.revisions ?? {}).flatMap(
      (files) => Object.entries(files),
    );
    const found = contents.find(([path, content]) => entryOf(path, content).lfs?.oid === etag);
    if (!found) return void response.writeHead(404).end();
    response.setHeader('ETag', '"store"');
    await sendBytes(request, response, Buffer.from(found[1]));
  }

  async function sendBytes(request: IncomingMessage, response: ServerResponse, whole: Buffer): Promise<void> {
    const bytes = whole.subarray(0, state.faults.endAfter);
    if (state.faults.wrongBytes) bytes[0] = (bytes[0] ?? 0) ^ 0xff;
    const [, from, to] =
      /^bytes=(\d+)-(\d*)$/.exec(state.faults.ignoreRange ? '' : (request.headers.range ?? '')) ?? [];
    const start = Number(from ?? 0);
    const end = to ? Math.min(Number(to) + 1, bytes.length) : bytes.length;
    if (start > 0 && start >= bytes.length)
      return void response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
    if (from === undefined) response.writeHead(200, { 'Accept-Ranges': 'bytes' });
    else
      response.writeHead(206, {
        'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}`,
      });
    const rest = bytes.subarray(start, end);
    const cut = state.faults.cutAfter.shift();
    const hold = state.faults.holdAfter;
    state.faults.holdAfter = undefined;
    if (cut !== undefined) {
      response.write(rest.subarray(0, cut), () => request.socket.destroy());
    } else if (hold !== undefined) {
      response.write(rest.subarray(0, hold), () => held.resolve());
      await released.promise;
      response.end(rest.subarray(hold));
    } else response.end(rest);
  }

  return state;
}

function note(
  state: HubServer,
  origin: HubRequest['origin'],
  { method = '', url = '', headers }: IncomingMessage,
): string | undefined {
  const token = headers.authorization?.replace(/^Bearer /, '');
  state.requests.push({ origin, method, url, token, range: headers.range });
  return token;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

function json(response: ServerResponse, document: unknown): void {
  response
    .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(document));
}

function refuse(response: ServerResponse, status: number, code: string | undefined, message: string): void {
  response
    .writeHead(status, {
      ...(code === undefined ? {} : { 'X-Error-Code': code }),
      'X-Error-Message': message,
    })
    .end(JSON.stringify({ error: message }));
}

function originOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
