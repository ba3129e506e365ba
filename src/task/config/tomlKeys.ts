/** Finds where a key stands in a TOML text: the parser gives values without positions. */

/** 1-based, as editors count. */
export interface TomlPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Where `path` is set, or the nearest table above it that can be found. Items of `[[tables]]` are counted by number:
 * `['steps', 1, 'name']`. `undefined` when not even its first part is there.
 */
export function locateTomlKey(text: string, path: readonly (string | number)[]): TomlPosition | undefined {
  const wanted = path.map(String);
  let best: { readonly depth: number; readonly position: TomlPosition } | undefined;
  for (const { key, position } of tomlKeys(text)) {
    const isPrefix = key.length <= wanted.length && key.every((part, index) => part === wanted[index]);
    if (isPrefix && key.length > (best?.depth ?? 0)) best = { depth: key.length, position };
  }
  return best?.position;
}

const KEY_PART = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*/y;

/** Every table header and every key at the start of a line, with its full path. */
function* tomlKeys(
  text: string,
): Generator<{ readonly key: readonly string[]; readonly position: TomlPosition }> {
  const counts = new Map<string, number>();
  let table: readonly string[] = [];
  let quotes: string | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (quotes !== undefined) {
      if (line.includes(quotes)) quotes = undefined;
      continue;
    }
    const position = { line: index + 1, column: line.length - line.trimStart().length + 1 };
    const header = /^\s*(\[\[?)/.exec(line)?.[1];
    const key = keyAt(line, header === undefined ? 0 : line.indexOf(header) + header.length);
    if (header !== undefined && key?.next === ']') {
      table = header === '[[' ? nextItem(key.parts, counts) : itemsOf(key.parts, counts);
      yield { key: table, position };
    } else if (header === undefined && key?.next === '=') yield { key: [...table, ...key.parts], position };
    quotes = opened(line);
  }
}

function keyAt(line: string, start: number): { readonly parts: string[]; readonly next: string } | undefined {
  const parts: string[] = [];
  KEY_PART.lastIndex = start;
  for (;;) {
    const match = KEY_PART.exec(line);
    if (match === null) return undefined;
    parts.push(match[1] ?? match[2] ?? match[3] ?? '');
    const next = line[KEY_PART.lastIndex] ?? '';
    if (next !== '.') return { parts, next };
    KEY_PART.lastIndex += 1;
  }
}

/** The path of a further `[[table]]` item, its number included. */
function nextItem(parts: readonly string[], counts: Map<string, number>): readonly string[] {
  const own = [...itemsOf(parts.slice(0, -1), counts), parts.at(-1) ?? ''];
  const name = JSON.stringify(own);
  const number = (counts.get(name) ?? -1) + 1;
  counts.set(name, number);
  return [...own, String(number)];
}

/** A path with the number of the current item put in after each part that is a `[[table]]`. */
function itemsOf(parts: readonly string[], counts: ReadonlyMap<string, number>): readonly string[] {
  return parts.reduce<readonly string[]>((path, part) => {
    const longer = [...path, part];
    const number = counts.get(JSON.stringify(longer));
    return number === undefined ? longer : [...longer, String(number)];
  }, []);
}

/** The quotes of a multi-line string that begins on this line and does not end on it. */
function opened(line: string): string | undefined {
  const found = /"""|'''/.exec(line.replace(/^\s*#.*/, ''))?.[0];
  return found !== undefined && line.split(found).length % 2 === 0 ? found : undefined;
}
