/** Writes `solve.sh`: what Harbor's oracle runs to put a gold fix in place. It needs nothing but bash and coreutils. */
import { encodeName, printableName } from '../task/archive/memberName.ts';
import { SOLUTION_FOLDER } from '../task/taskLayout.ts';
import type { FixedFile } from './goldRecord.ts';

/**
 * The script for these files. `/solution` may be copied anywhere; a file that is replaced keeps its owner, its mode
 * and its links, since only its content is written.
 */
export function solveScript(task: string, files: readonly FixedFile[]): Uint8Array {
  const removed = files.filter(({ change }) => change === 'deleted');
  const placed = files.flatMap(({ path, file, mode }) =>
    file === undefined ? [] : [{ path, file: file.slice(SOLUTION_FOLDER.length + 1), mode }],
  );
  return new Uint8Array(
    encodeName(
      [
        '#!/bin/bash',
        // A name comes from a dataset; quoted as JSON it cannot leave the comment.
        `# Puts the gold fix of ${printableName(task)} in place. "repair-bench gold check" tells whether it was edited.`,
        'set -euo pipefail',
        'umask 022',
        'here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"',
        ...(placed.length === 0 ? [] : ['', ...PUT]),
        '',
        ...removed.map(({ path }) => `rm -f -- ${bashWord(path)}`),
        ...placed.map(
          ({ path, file, mode }) => `put ${bashWord(file)} ${bashWord(path)} ${mode.toString(8)}`,
        ),
        '',
      ].join('\n'),
    ),
  );
}

const PUT = [
  '# put FILE PLACE MODE: a file that is replaced keeps its owner and mode, a new one gets MODE.',
  'put() {',
  '  if [ -e "$2" ]; then',
  '    cat -- "$here/$1" > "$2"',
  '  else',
  '    rm -f -- "$2"',
  '    mkdir -p -- "$(dirname -- "$2")"',
  '    cat -- "$here/$1" > "$2"',
  '    chmod "$3" -- "$2"',
  '  fi',
  '}',
];

/** A container path as one word of bash, on one line and in ASCII whatever is in it. */
export function bashWord(text: string): string {
  const bytes = Buffer.from(encodeName(text)).toString('latin1');
  if (/^[\w@%+=:,./-]+$/.test(bytes)) return bytes;
  if (/^[\x20-\x7e]+$/.test(bytes)) return `'${bytes.replaceAll("'", "'\\''")}'`;
  const escaped = bytes.replace(/['\\]/g, '\\$&').replace(/[^\x20-\x7e]/g, octal);
  return `$'${escaped}'`;
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
