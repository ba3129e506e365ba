/** What a person types or pastes for a dataset of the hub, as repository, revision and path. Pure. */
import { hasWildcard } from '../../task/dockerfile/glob.ts';
import { memberPath } from '../../task/archive/memberName.ts';
import { HubError } from './hubError.ts';

export interface HubAddress {
  /** `owner/name`. */
  readonly repo: string;
  /** Branch, tag or commit; undefined: `main`. */
  readonly revision: string | undefined;
  /** A file, a folder, or a pattern with `*`; undefined: all task files. */
  readonly path: string | undefined;
}

const NAME = '[A-Za-z0-9](?:[\\w.-]{0,95})';
const REPO = new RegExp(`^${NAME}/${NAME}$`);
const PLAIN = new RegExp(`^(?:datasets/)?(${NAME}/${NAME})(?:@([^:]*))?(?::(.*))?$`);
const PROTOCOL = new RegExp(`^hf://datasets/(${NAME}/${NAME})(?:@([^/]+))?(?:/(.*))?$`);
const HUB_HOSTS: ReadonlySet<string> = new Set(['huggingface.co', 'www.huggingface.co', 'hf.co']);
/** Revisions with a slash that the hub itself makes: `refs/pr/1`, `refs/convert/parquet`. */
const OWN_REFS = /^refs\/(?:pr|convert)\/[^/]+/;

/**
 * Reads `owner/name`, `owner/name:file`, `owner/name@revision:file`, `hf://datasets/owner/name/file`, or an address of
 * a page of the hub at `endpoint`. @throws HubError
 */
export function parseHubAddress(text: string, endpoint: string): HubAddress {
  const given = text.trim();
  if (/^https?:\/\//i.test(given)) return addressOfPage(given, endpoint);
  const [, repo, revision, path] = PLAIN.exec(given) ?? PROTOCOL.exec(given) ?? [];
  if (repo === undefined) throw notAnAddress(`${JSON.stringify(given)} does not name a dataset of the hub.`);
  return address(repo, revision, path);
}

/** The address of the same repository's page, for people. */
export function pageOf(endpoint: string, repo: string): string {
  return `${endpoint}/datasets/${repo}`;
}

function addressOfPage(text: string, endpoint: string): HubAddress {
  if (!URL.canParse(text)) throw notAnAddress(`${JSON.stringify(text)} is not an address.`);
  const url = new URL(text);
  const hub = new URL(endpoint);
  const atEndpoint = url.host === hub.host;
  if (!atEndpoint && !HUB_HOSTS.has(url.host))
    throw new HubError(
      'not-an-address',
      `${url.host} is not the hub that is used, which is ${hub.host}.`,
      `Set HF_ENDPOINT to ${url.origin} if it is a hub.`,
    );
  const prefix = atEndpoint && url.pathname.startsWith(hub.pathname) ? hub.pathname : '/';
  const parts = decoded(url.pathname.slice(prefix.length).replace(/^\/+|\/+$/g, ''), text).split('/');
  const [kind, owner = '', name = '', view, ...rest] = parts;
  const repo = `${owner}/${name}`;
  if (kind !== 'datasets' || !REPO.test(repo))
    throw notAnAddress(`${text} is not the page of a dataset: those have "/datasets/owner/name" in them.`);
  if (view === undefined) return address(repo, undefined, undefined);
  if (!['blob', 'resolve', 'raw', 'tree'].includes(view))
    throw notAnAddress(`${text} is neither a dataset's page nor one of its files.`);
  const tail = rest.join('/');
  const revision = OWN_REFS.exec(tail)?.[0] ?? rest[0] ?? '';
  return address(repo, revision, tail.slice(revision.length + 1));
}

function decoded(path: string, text: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw notAnAddress(`${text} holds a "%" that stands for nothing.`);
  }
}

function address(repo: string, revision: string | undefined, path: string | undefined): HubAddress {
  return {
    repo,
    revision: revision === undefined || revision === '' ? undefined : checkRevision(revision),
    path: path === undefined || path === '' ? undefined : checkPath(path),
  };
}

/** Both become names of files in the cache. */
export function checkRevision(revision: string): string {
  const place = memberPath(revision);
  if (place.ok && place.path === revision && !hasWildcard(revision) && !/[\p{Cc}\s~^:]/u.test(revision))
    return revision;
  throw new HubError(
    'not-an-address',
    `${JSON.stringify(revision)} is not a revision.`,
    'Give a branch, a tag or a commit.',
  );
}

function checkPath(path: string): string {
  const place = hubPath(path);
  if (place !== undefined) return place;
  throw new HubError(
    'unsafe-name',
    `${JSON.stringify(path)} is not the name of a file in a repository.`,
    'Give the path below the top of the repository, without ".." and without a leading slash.',
  );
}

/** A file's path in a repository, if it is safe to use below a folder of this machine, whichever system it has. */
export function hubPath(path: string): string | undefined {
  const place = memberPath(path);
  if (!place.ok || place.path === '' || /\p{Cc}/u.test(path)) return undefined;
  return place.path.split('/').some((part) => /^[A-Za-z]:/.test(part)) ? undefined : place.path;
}

/** A path as a part of an address of the hub. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function notAnAddress(message: string): HubError {
  return new HubError(
    'not-an-address',
    message,
    'Write it as owner/name, owner/name:file or owner/name@revision:file, or paste the address of its page.',
  );
}
