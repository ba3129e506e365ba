/**
 * Which engine to talk to: a pure chain of strategies over the environment, the home folder and one file reader.
 */
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import * as z from 'zod';
import { byCommand, bySetting, inWords, type Remedy } from '../../../fault/remedy.ts';
import type { RuntimeFailure } from '../../runtime.ts';

/** What the strategies read; injected, so that tests can imitate any machine. */
export interface EndpointSources {
  /** The user's setting: a URL such as `unix:///run/docker.sock`, `tcp://host:2375` or `npipe:////./pipe/x`. */
  readonly setting?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The bytes of a host file; undefined when it cannot be read. */
  readonly readFile: (path: string) => Buffer | undefined;
}

export interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export type EndpointAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly tls?: TlsFiles };

/** One engine that may answer. */
export interface Endpoint {
  readonly address: EndpointAddress;
  /** For people: the socket's path, or the URL. */
  readonly where: string;
  /** For people: who named it, such as `DOCKER_HOST`. */
  readonly origin: string;
}

export type EndpointChoice =
  /** In the order in which to try them. An explicit choice is the only one. */
  | { readonly kind: 'candidates'; readonly endpoints: readonly Endpoint[] }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure };

export const NAME_ENGINE: Remedy = bySetting('dockerEndpoint', 'name an engine');

const DEFAULT_PORT = 2375;
const DEFAULT_TLS_PORT = 2376;
const DEFAULT_CONTEXT = 'default';

const configFile = z.object({ currentContext: z.string().optional() });
const contextMeta = z.object({
  Endpoints: z.object({ docker: z.object({ Host: z.string().optional() }).optional() }).optional(),
});

/**
 * Setting, `DOCKER_HOST`, `DOCKER_CONTEXT`, current context of the client's configuration, default sockets,
 * Podman's sockets: the precedence of Docker's own client
 * (https://docs.docker.com/engine/manage-resources/contexts/).
 */
export function chooseEndpoints(sources: EndpointSources): EndpointChoice {
  const { setting, env } = sources;
  if (setting) return singleEndpoint(sources, setting, 'the Docker Endpoint setting', undefined);
  if (env['DOCKER_HOST']) return singleEndpoint(sources, env['DOCKER_HOST'], 'DOCKER_HOST', envTls(sources));
  if (env['DOCKER_CONTEXT']) return fromContext(sources, env['DOCKER_CONTEXT'], 'DOCKER_CONTEXT');
  const current = currentContext(sources);
  if (current) return fromContext(sources, current, 'the current Docker context');
  return { kind: 'candidates', endpoints: [...defaultSockets(sources), ...podmanSockets(sources)] };
}

/** Parses a `unix:`, `npipe:`, `tcp:`, `http:` or `https:` URL, a bare `host:port` or a bare socket path. */
export function parseAddress(text: string, tls: TlsFiles | undefined): EndpointAddress | undefined {
  if (text.startsWith('/') && !text.startsWith('//')) return { kind: 'socket', path: text };
  if (text.startsWith('//./pipe/') || text.startsWith('\\\\.\\pipe\\')) return { kind: 'socket', path: text };
  if (text.startsWith('unix://')) return socketAt(text.slice('unix://'.length));
  if (text.startsWith('npipe://')) return socketAt(text.slice('npipe://'.length));
  const url = parseUrl(text.includes('://') ? text : `tcp://${text}`);
  if (!url?.hostname || !['tcp:', 'http:', 'https:'].includes(url.protocol)) return undefined;
  const secure = tls ?? (url.protocol === 'https:' ? {} : undefined);
  const defaultPort = url.protocol === 'https:' ? 443 : secure ? DEFAULT_TLS_PORT : DEFAULT_PORT;
  const port = url.port ? Number(url.port) : defaultPort;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { kind: 'tcp', host, port, ...(secure && { tls: secure }) };
}

function singleEndpoint(
  sources: EndpointSources,
  text: string,
  origin: string,
  tls: TlsFiles | undefined,
): EndpointChoice {
  if (text.startsWith('ssh://')) return failedChoice(sshFailure(text, origin));
  const address = parseAddress(text, tls);
  if (!address) {
    return failedChoice({
      reason: 'unsupported-endpoint',
      message: `${origin} names an engine that cannot be used: ${text}`,
      remedies: [
        inWords(
          `Use a URL such as ${sources.platform === 'win32' ? 'npipe:////./pipe/docker_engine' : 'unix:///var/run/docker.sock'} or tcp://localhost:2375.`,
        ),
        NAME_ENGINE,
      ],
    });
  }
  return { kind: 'candidates', endpoints: [{ address, where: addressText(address), origin }] };
}

function fromContext(sources: EndpointSources, name: string, origin: string): EndpointChoice {
  if (name === DEFAULT_CONTEXT) return { kind: 'candidates', endpoints: defaultSockets(sources) };
  // The client names a context's folder by the hash of the context's name.
  const id = createHash('sha256').update(name).digest('hex');
  const folder = contextFolder(sources);
  const meta = parseJson(sources.readFile(joinPath(sources, folder, 'meta', id, 'meta.json')), contextMeta);
  const host = meta?.Endpoints?.docker?.Host;
  if (!host) {
    return failedChoice({
      reason: 'unsupported-endpoint',
      message: `${origin} is "${name}", and that context has no readable Docker endpoint.`,
      remedies: [byCommand('docker context ls', 'see which contexts there are'), NAME_ENGINE],
    });
  }
  const tls = tlsIn(sources, joinPath(sources, folder, 'tls', id, 'docker'));
  return singleEndpoint(sources, host, `${origin} (${name})`, tls);
}

function currentContext(sources: EndpointSources): string | undefined {
  const folder = sources.env['DOCKER_CONFIG'] ?? joinPath(sources, sources.home, '.docker');
  const name = parseJson(
    sources.readFile(joinPath(sources, folder, 'config.json')),
    configFile,
  )?.currentContext;
  return name === DEFAULT_CONTEXT ? undefined : name;
}

function contextFolder(sources: EndpointSources): string {
  return joinPath(
    sources,
    sources.env['DOCKER_CONFIG'] ?? joinPath(sources, sources.home, '.docker'),
    'contexts',
  );
}

function defaultSockets(sources: EndpointSources): Endpoint[] {
  if (sources.platform === 'win32') {
    return sockets('the default pipe', ['//./pipe/docker_engine', '//./pipe/dockerDesktopLinuxEngine']);
  }
  const runtimeFolder = sources.env['XDG_RUNTIME_DIR'];
  return [
    ...sockets('the default socket', ['/var/run/docker.sock', `${sources.home}/.docker/run/docker.sock`]),
    ...sockets('the rootless socket', runtimeFolder ? [`${runtimeFolder}/docker.sock`] : []),
  ];
}

function podmanSockets(sources: EndpointSources): Endpoint[] {
  if (sources.platform === 'win32') return sockets("Podman's pipe", ['//./pipe/podman-machine-default']);
  const runtimeFolder = sources.env['XDG_RUNTIME_DIR'];
  const own = runtimeFolder ? [`${runtimeFolder}/podman/podman.sock`] : [];
  return sockets("Podman's socket", [...own, '/run/podman/podman.sock']);
}

function sockets(origin: string, paths: readonly string[]): Endpoint[] {
  return paths.map((path) => ({ address: { kind: 'socket', path }, where: path, origin }));
}

/** `DOCKER_TLS_VERIFY` or port 2376 ask for TLS; its files are in `DOCKER_CERT_PATH`, else in `~/.docker`. */
function envTls(sources: EndpointSources): TlsFiles | undefined {
  const { DOCKER_TLS_VERIFY, DOCKER_CERT_PATH, DOCKER_HOST } = sources.env;
  if (!DOCKER_TLS_VERIFY && !DOCKER_HOST?.endsWith(`:${DEFAULT_TLS_PORT}`)) return undefined;
  return tlsIn(sources, DOCKER_CERT_PATH ?? joinPath(sources, sources.home, '.docker')) ?? {};
}

function tlsIn(sources: EndpointSources, folder: string): TlsFiles | undefined {
  const ca = sources.readFile(joinPath(sources, folder, 'ca.pem'));
  const cert = sources.readFile(joinPath(sources, folder, 'cert.pem'));
  const key = sources.readFile(joinPath(sources, folder, 'key.pem'));
  return ca || cert || key ? { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } : undefined;
}

function sshFailure(url: string, origin: string): RuntimeFailure {
  return {
    reason: 'unsupported-endpoint',
    message: `${origin} names an engine over SSH (${url}), which is not supported.`,
    remedies: [
      inWords(
        'Open the folder on that machine with Remote - SSH, or forward its socket: `ssh -NL /tmp/docker.sock:/var/run/docker.sock <host>` and use unix:///tmp/docker.sock.',
      ),
      NAME_ENGINE,
    ],
  };
}

function failedChoice(failure: RuntimeFailure): EndpointChoice {
  return { kind: 'failed', failure };
}

function addressText(address: EndpointAddress): string {
  if (address.kind === 'socket') return address.path;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${address.tls ? 'https' : 'tcp'}://${host}:${address.port}`;
}

function socketAt(path: string): EndpointAddress | undefined {
  return path ? { kind: 'socket', path } : undefined;
}

function joinPath(sources: EndpointSources, ...parts: string[]): string {
  return (sources.platform === 'win32' ? win32 : posix).join(...parts);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function parseJson<T>(bytes: Buffer | undefined, schema: z.ZodType<T>): T | undefined {
  if (!bytes) return undefined;
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}
