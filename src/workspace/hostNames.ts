/**
 * Names in a container and the names they have on disk. A container's file can have a name that some system cannot
 * hold; such characters are written as `%XX`, the same on every system, so that a workspace can be moved between them.
 * Ordinary names stay as they are.
 */
import { decodeName, encodeName } from '../task/archive/memberName.ts';

/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file: also with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)/i;
/** What Windows refuses in a name, bytes that are not text, and what would read as one of our own escapes. */
const ESCAPED = /[\u0000-\u001f\u007f<>:"|?*\\/]|\p{Surrogate}|%(?=[0-9a-f]{2})/giu;
const TRAILING = /[. ]$/;
const ESCAPE = /%([0-9A-F]{2})/g;

export function isReservedName(name: string): boolean {
  return RESERVED.test(name);
}

/** One segment of a container path as a name on disk. Never empty, `.` or `..` for a segment that is not. */
export function toHostName(segment: string): string {
  const escaped = segment.replace(ESCAPED, escape).replace(TRAILING, escape);
  return isReservedName(escaped) ? escape(escaped.slice(0, 1)) + escaped.slice(1) : escaped;
}

/** The segment that a name on disk stands for; undefined for a name that {@link toHostName} never gives. */
export function fromHostName(name: string): string | undefined {
  const segment = unescape(name);
  return segment !== '' && toHostName(segment) === name ? segment : undefined;
}

function escape(character: string): string {
  return [...bytesOf(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

function bytesOf(character: string): Uint8Array {
  try {
    return encodeName(character);
  } catch {
    // A lone surrogate that no byte stands behind: nothing that comes from a container has one.
    return Buffer.from(character);
  }
}

function unescape(name: string): string {
  if (!name.includes('%')) return name;
  const bytes = Buffer.from(name)
    .toString('latin1')
    .replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeName(Buffer.from(bytes, 'latin1'));
}
