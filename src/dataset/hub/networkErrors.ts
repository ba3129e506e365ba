/** Why a request came to no answer, from the errors of Node's HTTP client. Pure. */
import { HubError } from './hubError.ts';

/** `proxy` is the name of a variable that asks for a proxy, if one does. */
export function networkError(error: unknown, host: string, proxy: string | undefined): HubError {
  const code = codeOf(error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)_|ERR_TLS/.test(code))
    return new HubError(
      'unreachable',
      `The connection to ${host} is not trusted: ${code}.`,
      'If a proxy of your company signs connections, set NODE_EXTRA_CA_CERTS to the file of its certificate.',
      { cause: error },
    );
  return new HubError('unreachable', `${whatHappened(code, host)}.`, remedyFor(proxy), { cause: error });
}

function whatHappened(code: string, host: string): string {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} cannot be found from this machine: there is no network, or no name server`;
    case 'ECONNREFUSED':
      return `Nothing answers at ${host}`;
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return `There is no way to ${host} from this machine`;
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
    case 'TimeoutError':
      return `${host} did not answer in time`;
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return `The connection to ${host} was cut`;
    default:
      return `${host} could not be asked: ${code}`;
  }
}

function remedyFor(proxy: string | undefined): string {
  const cached = 'What is in the cache already opens with HF_HUB_OFFLINE=1.';
  return proxy === undefined
    ? `Check the network, or set HF_ENDPOINT to a mirror. ${cached}`
    : `Check the network. ${proxy} is used only with NODE_USE_ENV_PROXY=1, from Node 24 on. ${cached}`;
}

/** The innermost code, else the innermost words: `fetch` wraps what happened, and several addresses in one error. */
function codeOf(error: unknown): string {
  let found = '';
  let words = String(error);
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    words = current.message;
    if ('code' in current && typeof current.code === 'string') found = current.code;
    else if (current.name === 'TimeoutError') found = current.name;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return found === '' ? words : found;
}
