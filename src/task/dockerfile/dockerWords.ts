/**
 * Words and variables of a Dockerfile, after the rules of its reference
 * (https://docs.docker.com/reference/dockerfile/#environment-replacement and the word parser of BuildKit).
 */

export type Lookup = (name: string) => string | undefined;

/** Replaces variables and takes quotes and escapes away. An unset variable is empty. */
export function expandWord(word: string, lookup: Lookup, escape: string): string {
  let text = '';
  let quote: string | undefined;
  for (let at = 0; at < word.length;) {
    const character = word[at] ?? '';
    const next = word[at + 1];
    if (quote === "'") {
      if (character === "'") quote = undefined;
      else text += character;
      at += 1;
    } else if (character === quote) {
      quote = undefined;
      at += 1;
    } else if (quote === undefined && (character === "'" || character === '"')) {
      quote = character;
      at += 1;
    } else if (character === escape && next !== undefined) {
      const keeps = quote === '"' && next !== '"' && next !== '$' && next !== escape;
      text += keeps ? character + next : next;
      at += 2;
    } else if (character === '$') {
      const variable = variableAt(word, at, lookup, escape);
      text += variable.value;
      at = variable.end;
      // Values made of values could double with each line.
      if (text.length > MOST_EXPANDED) return text.slice(0, MOST_EXPANDED);
    } else {
      text += character;
      at += 1;
    }
  }
  return text;
}

/** Replaces variables in a here-document, whose quotes are plain text. */
export function expandVariables(text: string, lookup: Lookup, escape: string): string {
  let expanded = '';
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? '';
    const next = text[at + 1];
    if (character === escape && (next === '$' || next === escape)) {
      expanded += next;
      at += 2;
    } else if (character === '$') {
      const variable = variableAt(text, at, lookup, escape);
      if (expanded.length + variable.value.length > MOST_HEREDOC) return expanded;
      expanded += variable.value;
      at = variable.end;
    } else {
      expanded += character;
      at += 1;
    }
  }
  return expanded;
}

/** Splits at blanks outside quotes, quotes left in place: the words of ENV, ARG and LABEL. */
function splitWords(text: string, escape: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === escape && quote !== "'" && at + 1 < text.length) {
      word += character + (text[at + 1] ?? '');
      at += 1;
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== '') words.push(word);
      word = '';
    } else {
      if (character === quote) quote = undefined;
      else if (quote === undefined && (character === '"' || character === "'")) quote = character;
      word += character;
    }
  }
  if (word !== '') words.push(word);
  return words;
}

/** The words of COPY and ADD: a JSON list of texts, else whatever stands between blanks, quotes or not. */
export function listOrWords(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  } catch {
    // No JSON: the plain form.
  }
  return text.split(/\s+/).filter((word) => word !== '');
}

/** `NAME=value …`, or the old `NAME value with blanks`; a name alone has no value. */
export function namesAndValues(
  text: string,
  escape: string,
): readonly { readonly name: string; readonly value: string | undefined }[] {
  const words = splitWords(text, escape);
  const old = /^(\S+)\s+(.+)$/s.exec(text);
  if (words[0]?.includes('=') === false && old !== null) return [{ name: old[1] ?? '', value: old[2] ?? '' }];
  return words.map((word) => {
    const equals = word.indexOf('=');
    return equals < 0
      ? { name: word, value: undefined }
      : { name: word.slice(0, equals), value: word.slice(equals + 1) };
  });
}

/** In characters: what a word or a here-document may grow to, and how far away a closing brace may be. */
const MOST_EXPANDED = 4096;
const MOST_HEREDOC = 1024 * 1024;
const MOST_BRACED = 2048;

interface Expanded {
  readonly value: string;
  readonly end: number;
}

function variableAt(word: string, at: number, lookup: Lookup, escape: string): Expanded {
  const plain = /^\$([A-Za-z_][A-Za-z0-9_]*)/.exec(word.slice(at, at + 256));
  if (plain !== null) return { value: lookup(plain[1] ?? '') ?? '', end: at + plain[0].length };
  const braced = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(:?[-+?])?/.exec(word.slice(at, at + 256));
  const close = braced === null ? undefined : closingBrace(word, at);
  if (braced === null || close === undefined) return { value: '$', end: at + 1 };
  const value = lookup(braced[1] ?? '');
  const [, , modifier] = braced;
  const inner = word.slice(at + braced[0].length, close);
  const isSet = value !== undefined && (modifier?.startsWith(':') !== true || value !== '');
  const end = close + 1;
  if (modifier === undefined) return { value: inner === '' ? (value ?? '') : word.slice(at, end), end };
  if (modifier.endsWith('+')) return { value: isSet ? expandWord(inner, lookup, escape) : '', end };
  if (isSet) return { value: value ?? '', end };
  return { value: modifier.endsWith('-') ? expandWord(inner, lookup, escape) : '', end };
}

function closingBrace(word: string, start: number): number | undefined {
  let depth = 0;
  const end = Math.min(word.length, start + MOST_BRACED);
  for (let at = start; at < end; at += 1) {
    if (word[at] === '{') depth += 1;
    else if (word[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
