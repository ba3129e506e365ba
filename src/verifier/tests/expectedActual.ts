/** What a failed assertion compared, when the runner's text tells: pytest's `assert left == right`, unittest's `left != right`. Pure. */

/** By convention what was computed stands on the left of an assertion, and what it should be on the right. */
export interface Compared {
  readonly actual: string;
  readonly expected: string;
}

const MOST = 4000;

/** @param detail the failure's text as the runner printed it */
export function comparedIn(detail: string): Compared | undefined {
  const lines = detail.split(/\r?\n/);
  return fullDiffIn(lines) ?? sidesIn(lines);
}

/** pytest shortens long values in the assertion, and prints them whole as a difference: `-` should be, `+` is. */
function fullDiffIn(lines: readonly string[]): Compared | undefined {
  const start = lines.findIndex((line) => /^E\s+Full diff:$/.test(line));
  const indent = /^E\s+/.exec(lines[start] ?? '')?.[0];
  if (indent === undefined) return undefined;
  const actual: string[] = [];
  const expected: string[] = [];
  for (const line of lines.slice(start + 1)) {
    if (!line.startsWith(indent)) break;
    const text = line.slice(indent.length);
    // Only where they were shortened does pytest leave lines out.
    if (text.startsWith('...')) return undefined;
    if (/^[- ] /.test(text)) expected.push(text.slice(2));
    if (/^[+ ] /.test(text)) actual.push(text.slice(2));
  }
  if (actual.length === 0 && expected.length === 0) return undefined;
  return { actual: actual.join('\n'), expected: expected.join('\n') };
}

function sidesIn(lines: readonly string[]): Compared | undefined {
  for (const line of lines) {
    const said = /^(?:E\s+)?(?:AssertionError: )?(assert )?(.*)$/.exec(line);
    const isPytest = said?.[1] !== undefined;
    if (!said || !(isPytest || /^(?:E\s+)?AssertionError: /.test(line)) || line.length > MOST) continue;
    const sides = splitAt(said[2] ?? '', isPytest ? ' == ' : ' != ');
    // Shortened values would show a difference that is none.
    if (!sides || sides.some((side) => side.includes('...'))) continue;
    return { actual: valueText(sides[0]), expected: valueText(sides[1]) };
  }
  return undefined;
}

/** Splits at the only operator that stands outside of quotes and brackets. */
function splitAt(text: string, operator: string): readonly [string, string] | undefined {
  let quote: string | undefined;
  let depth = 0;
  let found: number | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== undefined) {
      if (character === '\\') at += 1;
      else if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") quote = character;
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (depth === 0 && text.startsWith(operator, at)) {
      if (found !== undefined) return undefined;
      found = at;
    }
  }
  if (found === undefined || quote !== undefined) return undefined;
  const right = text.slice(found + operator.length);
  // unittest adds the person's own message behind a colon.
  return [text.slice(0, found), operator === ' != ' ? right.replace(/ : .*$/, '') : right];
}

/** Text in quotes is shown as the text it is, so that lines compare with lines. */
function valueText(side: string): string {
  const plain = side.trim();
  const inside = /^'((?:[^'\\]|\\.)*)'$/.exec(plain)?.[1] ?? /^"((?:[^"\\]|\\.)*)"$/.exec(plain)?.[1];
  if (inside === undefined || !inside.includes('\\n')) return plain;
  return inside.replace(/\\([nt'"\\])/g, (_, escaped: string) =>
    escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped,
  );
}
