/** Where a test stands in a Python file, found by its name in a report. Pure. */

/**
 * The 1-based line of the function that a case named `tests.test_solution.TestRange.test_empty[1.5]` runs.
 * Undefined when `text` does not define it in that class.
 */
export function lineOfTest(text: string, name: string): number | undefined {
  const segments = name.replace(/\[[^]*$/, '').split('.');
  const test = segments.at(-1) ?? '';
  const scope = segments.at(-2);
  let inClass: string | undefined;
  let other: number | undefined;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const opened = /^class\s+(\w+)/.exec(line)?.[1];
    if (opened !== undefined) inClass = opened;
    else if (/^\S/.test(line) && !/^[#)\]}@]/.test(line)) inClass = undefined;
    const defined = /^\s*(?:async\s+)?def\s+(\w+)\s*\(/.exec(line)?.[1];
    if (defined !== test) continue;
    // A function at the top has its module before its name; a method has its class.
    if (inClass === scope || (inClass === undefined && !/^\s/.test(line))) return index + 1;
    other ??= index + 1;
  }
  return other;
}
