/** Names of files as they stand in a patch: without the leading `/`, quoted as git quotes them. Pure. */
import type { ContainerPath } from '../../task/containerPath.ts';
import { encodeName } from '../../task/archive/memberName.ts';

/** What `git apply` and GNU patch read as it stands; a blank would end a name for one of them. */
const PLAIN = /^[\w@%+=:,./~^()[\]{}$&*;!?#'<>|-]+$/;
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '"': '\\"', '\\': '\\\\' };

/** `a/app/solution.py`; with quotes and C escapes where the name needs them. `side` is `a` or `b`. */
export function gitName(side: 'a' | 'b', path: ContainerPath): string {
  const name = Buffer.from(encodeName(side + path)).toString('latin1');
  if (PLAIN.test(name)) return name;
  return `"${name.replace(/["\\\u0000-\u001f\u007f-\u00ff]/g, escape)}"`;
}

function escape(character: string): string {
  return ESCAPES[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

/** The first line of a file's part of a patch. */
export function sectionLine(path: ContainerPath): string {
  return `diff --git ${gitName('a', path)} ${gitName('b', path)}`;
}
