/**
 * Wildcards of COPY and .dockerignore, after Go's `path.Match` (https://pkg.go.dev/path#Match): `*`, `?`, `[a-z]`, `[^a]`,
 * `\` before a literal; none of them crosses a `/`. Matched without backtracking over more than one star, so that
 * no pattern of a hostile task takes long.
 */

/** Whether a pattern says more than one literal name. */
export function hasWildcard(pattern: string): boolean {
  return /[*?[\\]/.test(pattern);
}

/**
 * A test for whole paths. With `anyDepth`, a part `**` stands for any number of folders, also none.
 * A malformed part matches nothing.
 */
export function pathMatcher(pattern: string, anyDepth = false): (path: string) => boolean {
  const parts = pattern
    .split('/')
    .map((part): Part => (anyDepth && part === '**' ? 'any depth' : (tokenize(part) ?? 'malformed')));
  return (path) => starMatch(parts, path.split('/'), (part) => part === 'any depth', matchesName);
}

type Part = readonly Token[] | 'any depth' | 'malformed';

function matchesName(part: Part, name: string): boolean {
  if (typeof part === 'string') return part === 'any depth';
  return starMatch(part, [...name], (token) => token.kind === 'star', matchesCharacter);
}

type Token =
  | { readonly kind: 'star' | 'any' }
  | { readonly kind: 'literal'; readonly character: string }
  | {
      readonly kind: 'class';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** Greedy matching that only ever goes back to the last star: time is the product of both lengths at most. */
function starMatch<P>(
  pattern: readonly P[],
  items: readonly string[],
  isStar: (part: P) => boolean,
  matches: (part: P, item: string) => boolean,
): boolean {
  let at = 0;
  let item = 0;
  let star: { readonly after: number; item: number } | undefined;
  while (item < items.length) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      at += 1;
      star = { after: at, item };
    } else if (part !== undefined && matches(part, items[item] ?? '')) {
      at += 1;
      item += 1;
    } else if (star !== undefined) {
      star.item += 1;
      item = star.item;
      at = star.after;
    } else return false;
  }
  return pattern.slice(at).every(isStar);
}

function matchesCharacter(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'star':
    case 'any':
      return true;
    case 'literal':
      return token.character === character;
    case 'class':
      return token.ranges.some(([low, high]) => low <= character && character <= high) !== token.negated;
  }
}

function tokenize(pattern: string): readonly Token[] | undefined {
  const characters = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') tokens.push({ kind: 'any' });
    else if (character === '[') {
      const end = characters.indexOf(']', characters[at + 1] === '^' ? at + 3 : at + 2);
      if (end < 0) return undefined;
      tokens.push(characterClass(characters.slice(at + 1, end)));
      at = end;
    } else if (character === '\\') {
      at += 1;
      const literal = characters[at];
      if (literal === undefined) return undefined;
      tokens.push({ kind: 'literal', character: literal });
    } else tokens.push({ kind: 'literal', character });
  }
  return tokens;
}

function characterClass(body: readonly string[]): Token {
  const negated = body[0] === '^';
  const rest = negated ? body.slice(1) : body;
  const ranges: [string, string][] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const low = rest[at] ?? '';
    const isRange = rest[at + 1] === '-' && at + 2 < rest.length;
    ranges.push([low, isRange ? (rest[at + 2] ?? low) : low]);
    if (isRange) at += 2;
  }
  return { kind: 'class', negated, ranges };
}
