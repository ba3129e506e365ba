/** Finds what consumes the exit status of each leaf of a script, from the inside out. */
import { leavesOf, type Leaf, type Script, type Statement } from './script.ts';

/** One construct around a leaf. A leaf's frames are listed from the innermost to the outermost. */
export type Frame =
  | { readonly kind: 'not' }
  | { readonly kind: 'left'; readonly op: '&&' | '||'; readonly right: Statement }
  | { readonly kind: 'right'; readonly op: '&&' | '||' }
  | {
      readonly kind: 'condition';
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'loop-condition'; readonly body: readonly Statement[] }
  | { readonly kind: 'member'; readonly members: readonly Statement[]; readonly index: number }
  /** A statement of a block: only `$?` of the next command or `set -e` reads its status. */
  | { readonly kind: 'block' }
  /** Started with `&`. */
  | { readonly kind: 'background' }
  /** Inside `$(…)` of another leaf. */
  | { readonly kind: 'substitution'; readonly of: Leaf };

/** A shell of its own: `( … )`, a member of a pipeline or a background job. */
export interface Subshell {
  readonly outer: Subshell | undefined;
  /** Id of the leaf that runs first in it. */
  readonly first: number | undefined;
}

export interface PlacedLeaf {
  readonly leaf: Leaf;
  readonly frames: readonly Frame[];
  /** 1, and one more for each substitution around it, as bash shows by `+`. */
  readonly depth: number;
  /** The function whose body contains it. */
  readonly inFunction: string | undefined;
  /** The innermost subshell around it, within its function. */
  readonly subshell: Subshell | undefined;
}

/** Places every leaf of a script except those of the exit trap's own text. */
export function placeLeaves(script: Script): PlacedLeaf[] {
  const placed: PlacedLeaf[] = [];
  let inFunction: string | undefined;
  let subshell: Subshell | undefined;

  const inSubshell = (body: readonly Statement[], place: () => void): void => {
    const outer = subshell;
    subshell = { outer, first: leavesOf(body)[0]?.id };
    place();
    subshell = outer;
  };
  const block = (statements: readonly Statement[], frames: readonly Frame[], depth: number): void => {
    for (const statement of statements) visit(statement, [{ kind: 'block' }, ...frames], depth);
  };
  /** All but the last statement of a condition are plain statements. */
  const condition = (
    statements: readonly Statement[],
    frame: Frame,
    frames: readonly Frame[],
    depth: number,
  ): void => {
    block(statements.slice(0, -1), frames, depth);
    const last = statements.at(-1);
    if (last) visit(last, [frame, ...frames], depth);
  };

  const visit = (statement: Statement, frames: readonly Frame[], depth: number): void => {
    switch (statement.kind) {
      case 'command':
      case 'test':
      case 'assign':
        block(statement.substitutions, [{ kind: 'substitution', of: statement }, ...frames], depth + 1);
        placed.push({ leaf: statement, frames, depth, inFunction, subshell });
        return;
      case 'not':
        visit(statement.body, [{ kind: 'not' }, ...frames], depth);
        return;
      case 'list':
        visit(statement.left, [{ kind: 'left', op: statement.op, right: statement.right }, ...frames], depth);
        visit(statement.right, [{ kind: 'right', op: statement.op }, ...frames], depth);
        return;
      case 'pipeline':
        statement.members.forEach((member, index) => {
          inSubshell([member], () => {
            visit(member, [{ kind: 'member', members: statement.members, index }, ...frames], depth);
          });
        });
        return;
      case 'background':
        inSubshell(statement.body, () => {
          block(statement.body, [{ kind: 'background' }, ...frames], depth);
        });
        return;
      case 'group': {
        // The last statement of a group gives the group its status.
        const place = (): void => {
          block(statement.body.slice(0, -1), frames, depth);
          const last = statement.body.at(-1);
          if (last) visit(last, frames, depth);
        };
        if (statement.subshell) inSubshell(statement.body, place);
        else place();
        return;
      }
      case 'if':
        condition(
          statement.condition,
          { kind: 'condition', then: statement.then, otherwise: statement.otherwise },
          frames,
          depth,
        );
        block(statement.then, frames, depth);
        block(statement.otherwise, frames, depth);
        return;
      case 'loop':
        condition(statement.condition, { kind: 'loop-condition', body: statement.body }, frames, depth);
        block(statement.body, frames, depth);
        return;
      case 'case':
        statement.items.forEach((item) => {
          block(item, frames, depth);
        });
        return;
      case 'function': {
        const outer = { inFunction, subshell };
        inFunction = statement.name;
        subshell = undefined;
        block(statement.body, [], depth);
        ({ inFunction, subshell } = outer);
        return;
      }
    }
  };
  block(script.statements, [], 1);
  return placed;
}

/** The frames of the leaf's own statement: up to the block or substitution around it. */
export function consumers(frames: readonly Frame[]): readonly Frame[] {
  const end = frames.findIndex((frame) => frame.kind === 'block' || frame.kind === 'substitution');
  return end === -1 ? frames : frames.slice(0, end);
}
