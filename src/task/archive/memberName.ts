/**
 * Names of archive members and files: bytes on disk, strings here. Bytes that are not UTF-8 become U+DC80…U+DCFF,
 * as Python's `surrogateescape` does (PEP 383), so that every name survives the way there and back.
 */
import { shortened } from '../../wording/shortened.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Decodes a name; each byte that is not part of valid UTF-8 becomes U+DC00 + byte. Never throws. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return decodeEscaping(bytes);
  }
}

/** The reverse of {@link decodeName}. Throws a RangeError for a lone surrogate that no byte stands behind. */
export function encodeName(name: string): Uint8Array {
  if (isPlainText(name)) return encoder.encode(name);
  const bytes: number[] = [];
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else if (code >= 0xd800 && code <= 0xdfff)
      throw new RangeError(`${printableName(name)} holds a lone surrogate and cannot be a file name.`);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/** A name for messages: quoted, control characters and undecodable bytes escaped, at most 120 characters. */
export function printableName(name: string): string {
  return JSON.stringify(shortened(name, 120));
}

/** Linux's PATH_MAX: no container could hold a longer path. */
const LONGEST_NAME = 4096;
/** Far above real trees; keeps work that goes folder by folder short. */
const DEEPEST_NAME = 100;

/** Whether a name holds bytes that are not text, or could not be written at all. */
export function isPlainText(name: string): boolean {
  return !LONE_SURROGATE.test(name);
}

/** Where a member goes, or why it must not go anywhere. `''` stands for the archive's root. */
export type MemberPath =
  | { readonly ok: true; readonly path: string }
  | {
      readonly ok: false;
      readonly code: 'path-traversal' | 'absolute-path' | 'bad-name';
      readonly because: string;
    };

/**
 * The relative POSIX path a member's name stands for: `./`, `//` and a trailing `/` dropped.
 * Refuses what could land outside the folder it is unpacked into, on any host.
 */
export function memberPath(name: string): MemberPath {
  if (name === '') return { ok: false, code: 'bad-name', because: 'its name is empty' };
  if (name.length > LONGEST_NAME)
    return { ok: false, code: 'bad-name', because: `its name is longer than ${LONGEST_NAME} characters` };
  if (name.includes('\0')) return { ok: false, code: 'bad-name', because: 'its name holds a NUL byte' };
  if (name.includes('\\'))
    return {
      ok: false,
      code: 'bad-name',
      because: 'its name holds a backslash, which separates folders on Windows',
    };
  if (name.startsWith('/'))
    return { ok: false, code: 'absolute-path', because: 'its name is an absolute path' };
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..'))
    return { ok: false, code: 'path-traversal', because: 'its name holds "..", which leaves the folder' };
  if (parts.length > DEEPEST_NAME)
    return { ok: false, code: 'bad-name', because: `it lies more than ${DEEPEST_NAME} folders deep` };
  return { ok: true, path: parts.join('/') };
}

function decodeEscaping(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at] ?? 0);
    const sequence = bytes.subarray(at, at + length);
    try {
      if (length === 0 || sequence.length < length) throw new TypeError('incomplete');
      text += strictUtf8.decode(sequence);
      at += length;
    } catch {
      text += String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
      at += 1;
    }
  }
  return text;
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 0;
}
