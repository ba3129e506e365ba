// Remedies as text for expectations and golden files, in no front end's words: what each would word is named by its kind.
import { joinRemedies, type Remedy } from '../../src/fault/remedy.ts';

export function remedyText(remedies: readonly Remedy[]): string {
  return joinRemedies(remedies, (remedy) =>
    remedy.kind === 'command'
      ? `${remedy.to} (${remedy.line}).`
      : `${remedy.to} (${remedy.kind} ${remedy.name}).`,
  );
}
