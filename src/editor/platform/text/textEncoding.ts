/** The encoding in which the editor must open a file, so that saving changes only the bytes that a person changed. Pure. */

/** Maps every byte to one character and back. (windows1252 leaves five bytes without a character.) */
const BYTE_FOR_BYTE = 'iso88591';

/** The encoding to open `bytes` in; undefined: the editor's own choice is right, as for UTF-8 and files with a mark. */
export function encodingToOpen(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return hasMark || isUtf8(bytes) ? undefined : BYTE_FOR_BYTE;
}

/** The text of a file for reading and comparing, whatever its encoding. */
export function readableText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** The lines of a file, without their endings. */
export function linesOf(bytes: Uint8Array): readonly string[] {
  return readableText(bytes).split(/\r\n|\r|\n/);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
