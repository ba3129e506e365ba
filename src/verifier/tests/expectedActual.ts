/** Reads what a failed assertion compared: pytest's `assert left == right`, unittest's `left != right`. Pure. */

/** By convention the computed value is on the left of an assertion, the expected one on the right. */
export interface Comparison {
  readonly actual: string;
  readonly expected: string;
}

const MOST = 4000;

/** @param detail the failure's text as the runner printed it */
export function parseComparison(detail: string): Comparison | undefined {
  const lines = detail.split(/\r?\n/);
  return parseFullDiff(lines) ?? parseAssertion(lines);
}

/** Reads pytest's full diff, which has the long values that the assertion shortens: `-` expected, `+` actual. */
function parseFullDiff(lines: readonly string[]): Comparison | undefined {
  const start = lines.findIndex((line) => /^E\s+Full diff:$/.test(line));
  const indent = /^E\s+/.exec(lines[start] ?? '')?.[0];
  if (indent === undefined) return undefined;
  const actual: string[] = [];
  const expected: string[] = [];
  for (const line of lines.slice(start + 1)) {
    if (!line.startsWith(indent)) break;
    const text = line.slice(indent.length);
    // pytest left lines out.
    if (text.startsWith('...')) return undefined;
    if (/^[- ] /.test(text)) expected.push(text.slice(2));
    if (/^[+ ] /.test(text)) actual.push(text.slice(2));
  }
  if (actual.length === 0 && expected.length === 0) return undefined;
  return { actual: actual.join('\n'), expected: expected.join('\n') };
}

function parseAssertion(lines: readonly string[]): Comparison | undefined {
  for (const line of lines) {
    const match = /^(?:E\s+)?(?:AssertionError: )?(assert )?(.*)$/.exec(line);
    const isPytest = match?.[1] !== undefined;
    if (!match || !(isPytest || /^(?:E\s+)?AssertionError: /.test(line)) || line.length > MOST) continue;
    const sides = splitAt(match[2] ?? '', isPytest ? ' == ' : ' != ');
    // Shortened values would show a false difference.
    if (!sides || sides.some((side) => side.includes('...'))) continue;
    return { actual: valueText(sides[0]), expected: valueText(sides[1]) };
  }
  return undefined;
}

/** Splits at the operator outside quotes and brackets; undefined when there is not exactly one. */
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
  // unittest appends the test's own message after a colon.
  return [text.slice(0, found), operator === ' != ' ? right.replace(/ : .*$/, '') : right];
}

/** Removes the quotes of a text with newlines, so that it can be compared line by line. */
function valueText(side: string): string {
  const plain = side.trim();
  const inside = /^'((?:[^'\\]|\\.)*)'$/.exec(plain)?.[1] ?? /^"((?:[^"\\]|\\.)*)"$/.exec(plain)?.[1];
  if (inside === undefined || !inside.includes('\\n')) return plain;
  return inside.replace(/\\([nt'"\\])/g, (_, escaped: string) =>
    escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped,
  );
}
