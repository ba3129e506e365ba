// An assertion that shows the text in which something was looked for.
import assert from 'node:assert/strict';

export function assertIncludes(text: string, part: string): void {
  assert.ok(text.includes(part), `Expected ${JSON.stringify(part)} in:\n${text}`);
}
