/**
 * Errors for answers by which the hub refuses a request. The headers `X-Error-Code` and `X-Error-Message` say why; of a
 * private repository the hub says that there is none to people who may not know of it. Pure.
 */
import { counted } from '../../wording/counted.ts';
import { shortened } from '../../wording/shortened.ts';
import { pageOf } from './hubAddress.ts';
import { HubError } from './hubError.ts';
import type { HubSettings } from './hubSettings.ts';

/** The subject of the request, for messages. */
export interface Wanted {
  readonly repo: string;
  readonly revision: string;
  readonly path?: string | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

const TOKENS_PAGE = '/settings/tokens';

export function refusalError({ status, headers }: Refusal, wanted: Wanted, settings: HubSettings): HubError {
  const code = headers.get('x-error-code');
  const says = headers.get('x-error-message') ?? '';
  if (status === 429) return rateLimited(headers, settings);
  if (status === 401 && settings.token && code !== 'GatedRepo' && !/not found/i.test(says))
    return new HubError(
      'token-refused',
      `${hostOf(settings)} does not accept the token of ${settings.token.from}${quoted(says)}.`,
      `It is mistyped, expired or revoked: make a new one with read access at ${settings.endpoint}${TOKENS_PAGE}.`,
    );
  if (code === 'GatedRepo') return gated(wanted, settings);
  if (code === 'RevisionNotFound')
    return new HubError(
      'revision-not-found',
      `${wanted.repo} has no revision ${wanted.revision}.`,
      `Give a branch, a tag or a commit; ${pageOf(settings.endpoint, wanted.repo)} lists them.`,
    );
  if (code === 'EntryNotFound') return fileNotFound(wanted);
  if (code === 'RepoNotFound' || status === 401 || status === 404) return repoNotFound(wanted, settings);
  if (status === 403)
    return new HubError(
      'forbidden',
      `${hostOf(settings)} refuses access to ${wanted.repo}${quoted(says)}.`,
      settings.token
        ? `Give the token of ${settings.token.from} the permission to read this dataset, at ${settings.endpoint}${TOKENS_PAGE}.`
        : 'Set HF_TOKEN to a token that may read it.',
    );
  return serverError(status, says, settings);
}

export function fileNotFound({ repo, revision, path }: Wanted): HubError {
  return new HubError(
    'file-not-found',
    `${repo} has no ${path ?? 'such file'} at revision ${revision}.`,
    `Check the name, or give "${repo}" alone to see what it has.`,
  );
}

function serverError(status: number, says: string, settings: HubSettings): HubError {
  return status >= 500
    ? new HubError(
        'server-error',
        `${hostOf(settings)} failed with status ${status}${quoted(says)}.`,
        'Try again in a few minutes; what has arrived is kept.',
      )
    : new HubError(
        'bad-answer',
        `${hostOf(settings)} answered with status ${status}${quoted(says)}.`,
        'Check HF_ENDPOINT, and whether a proxy answers in place of the hub.',
      );
}

function gated({ repo }: Wanted, settings: HubSettings): HubError {
  const page = pageOf(settings.endpoint, repo);
  return settings.token
    ? new HubError(
        'gated',
        `${repo} is gated, and the account of the token of ${settings.token.from} has no access to it.`,
        `Ask for access or accept its terms at ${page}, then try again.`,
      )
    : new HubError(
        'gated',
        `${repo} is gated: only people who have accepted its terms may download it.`,
        `Accept them at ${page}, and set HF_TOKEN to a token of your account.`,
      );
}

function repoNotFound({ repo }: Wanted, settings: HubSettings): HubError {
  const host = hostOf(settings);
  return settings.token
    ? new HubError(
        'repo-not-found',
        `There is no dataset ${repo} at ${host}, or the token of ${settings.token.from} may not read it.`,
        'Check the name, and that the token has read access to this dataset.',
      )
    : new HubError(
        'repo-not-found',
        `There is no dataset ${repo} at ${host}, or it is private.`,
        'Check the name. If it is private, set HF_TOKEN to a token that may read it.',
      );
}

/** `RateLimit: "api";r=0;t=55` (https://huggingface.co/docs/hub/rate-limits), or `Retry-After` in seconds. */
function rateLimited(headers: Refusal['headers'], settings: HubSettings): HubError {
  const reset = /;\s*t\s*=\s*(\d{1,6})/.exec(headers.get('ratelimit') ?? '')?.[1];
  const seconds = reset ?? /^\d{1,6}$/.exec(headers.get('retry-after')?.trim() ?? '')?.[0];
  const wait = seconds === undefined ? 'a few minutes' : counted(Number(seconds), 'second');
  return new HubError(
    'rate-limited',
    `${hostOf(settings)} has had too many requests from ${settings.token ? 'this account' : 'this address'}.`,
    `Try again in ${wait}; what has arrived is kept.${settings.token ? '' : ' With a token in HF_TOKEN the limit is higher.'}`,
  );
}

function hostOf({ endpoint }: HubSettings): string {
  return new URL(endpoint).host;
}

/** The hub's own words for a message: shortened, on one line, without control characters. */
function quoted(says: string): string {
  const text = shortened(says.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), 200);
  return text === '' ? '' : ` (it says: ${text.replace(/\.$/, '')})`;
}
