// `.dockerignore`, which Docker's client applies before it sends a context: https://docs.docker.com/build/concepts/context/#dockerignore-files

/** Whether a file of the context is left out, by the last pattern that matches it or a folder it is in. */
export function ignoredBy(text: string): (path: string) => boolean {
  const rules = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(ruleOf);
  return (path) =>
    rules.reduce((ignored, rule) => (rule.pattern.test(path) ? rule.excludes : ignored), false);
}

function ruleOf(line: string): { pattern: RegExp; excludes: boolean } {
  const excludes = !line.startsWith('!');
  const glob = (excludes ? line : line.slice(1))
    .trim()
    .replace(/^(\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (glob === '' || glob === '.') return { pattern: glob === '.' ? /^/ : /(?!)/, excludes };
  const source = `^${sourceOf(glob)}(/|$)`;
  try {
    return { pattern: new RegExp(source, 's'), excludes };
  } catch {
    return { pattern: /(?!)/, excludes };
  }
}

/** Go's `filepath.Match` plus `**`. */
function sourceOf(glob: string): string {
  return glob.replace(/\*\*\/?|\*|\?|\[\^?[^\]]*\]|\\.|[.+^${}()|[\]\\]/g, (token) => {
    if (token === '**/') return '(.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    if (token.startsWith('[') && token.length > 1) return token;
    return token.startsWith('\\') && token.length > 1 ? token : `\\${token}`;
  });
}
