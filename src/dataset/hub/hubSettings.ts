/**
 * Where the hub is, where its files are kept and who asks: from the variables that the official clients read
 * (https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables).
 */
import { open } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { shortened } from '../../wording/shortened.ts';
import { HubError } from './hubError.ts';

export interface HubSettings {
  /** Address of the hub, without a slash at its end. */
  readonly endpoint: string;
  /** The folder that all official clients share. */
  readonly cache: string;
  readonly token: HubToken | undefined;
  /** Whether the network must not be used. */
  readonly offline: boolean;
  /** A proxy that the environment asks for. */
  readonly proxy: string | undefined;
}

export interface HubToken {
  readonly value: string;
  /** For messages: the variable or the file that it came from. */
  readonly from: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_ENDPOINT = 'https://huggingface.co';
const MOST_TOKEN_BYTES = 16 * 1024;

/** Reads the settings. @throws HubError when a variable makes no sense or the token file cannot be read */
export async function readHubSettings(env: Environment, home: string): Promise<HubSettings> {
  const fromEnvironment = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'].flatMap((name): HubToken[] => {
    const token = value(env, name);
    return token === undefined ? [] : [{ value: token, from: name }];
  });
  const tokenFile = pathIn(env, 'HF_TOKEN_PATH', home) ?? join(hfHome(env, home), 'token');
  const token = fromEnvironment[0] ?? (await tokenOfFile(tokenFile));
  return {
    endpoint: endpointOf(value(env, 'HF_ENDPOINT') ?? DEFAULT_ENDPOINT),
    cache: hubCacheFolder(env, home),
    token: token && checked(token),
    offline: isTrue(value(env, 'HF_HUB_OFFLINE') ?? value(env, 'TRANSFORMERS_OFFLINE')),
    proxy: ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => value(env, name)),
  };
}

/** Host path of the folder that all official clients share. */
export function hubCacheFolder(env: Environment, home: string): string {
  return (
    pathIn(env, 'HF_HUB_CACHE', home) ??
    pathIn(env, 'HUGGINGFACE_HUB_CACHE', home) ??
    join(hfHome(env, home), 'hub')
  );
}

function hfHome(env: Environment, home: string): string {
  return (
    pathIn(env, 'HF_HOME', home) ??
    join(pathIn(env, 'XDG_CACHE_HOME', home) ?? join(home, '.cache'), 'huggingface')
  );
}

/** A variable without blanks around it; empty is as good as not set. */
function value(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim() ?? '';
  return text === '' ? undefined : text;
}

function isTrue(text: string | undefined): boolean {
  return ['1', 'ON', 'YES', 'TRUE'].includes(text?.toUpperCase() ?? '');
}

/** `~` and `$NAME` are resolved, as Python's client does; a shell may not have. */
function pathIn(env: Environment, name: string, home: string): string | undefined {
  const text = value(env, name);
  if (text === undefined) return undefined;
  const expanded = text
    .replace(/^~(?=$|[/\\])/, () => home)
    .replace(
      /\$(?:\{(\w+)\}|(\w+))/g,
      (whole, braced: string | undefined, bare: string | undefined) => env[braced ?? bare ?? ''] ?? whole,
    );
  return isAbsolute(expanded) ? expanded : resolve(expanded);
}

function endpointOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usable =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (usable && url.search === '' && url.hash === '') return text.replace(/\/+$/, '');
  throw new HubError(
    'bad-settings',
    `HF_ENDPOINT is ${JSON.stringify(shortened(text, 100))}, which is not the address of a hub.`,
    `Set it to an address such as ${DEFAULT_ENDPOINT}, or unset it.`,
  );
}

async function tokenOfFile(file: string): Promise<HubToken | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_TOKEN_BYTES), 0, MOST_TOKEN_BYTES, 0);
      const text = buffer.toString('utf8', 0, bytesRead).trim();
      return text === '' ? undefined : { value: text, from: file };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new HubError(
      'bad-settings',
      `The token file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      'Make it readable for you, or set HF_TOKEN.',
      { cause: error },
    );
  }
}

/** Whether a text can be a token: no blanks, and only plain letters, digits and signs. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** What is no token would end as an odd error of the HTTP client, with the token in it. */
function checked(token: HubToken): HubToken {
  if (isToken(token.value)) return token;
  throw new HubError(
    'bad-settings',
    `What ${token.from} holds is not a token: it has blanks or other characters that no token has.`,
    'Copy the token again from the settings of your account; it begins with "hf_".',
  );
}
