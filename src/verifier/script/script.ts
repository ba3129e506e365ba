/** A shell script as statements, and the leaves that bash runs. */

/** A part of a word: literal text, a plain variable, or something only the shell can expand. */
export type WordPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'opaque'; readonly text: string; readonly variables: readonly string[] };

export interface Word {
  /** As written. */
  readonly text: string;
  readonly pieces: readonly WordPiece[];
}

export interface Redirect {
  /** Such as `>`, `>>`, `&>`, `<`. */
  readonly operator: string;
  /** Undefined for a duplication such as `2>&1`. */
  readonly target: Word | undefined;
  /** Whether it belongs to a group, loop or `if` around the command. */
  readonly inherited?: true;
}

interface LeafFacts {
  /** Unique within its script, in source order. */
  readonly id: number;
  /** 1-based, inclusive. */
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
  readonly redirects: readonly Redirect[];
  /** Commands inside `$(…)`, backquotes and `<(…)` of this leaf: they run before it. */
  readonly substitutions: readonly Statement[];
  /** Text of here-documents, with the variables they expand. */
  readonly heredocs: readonly Word[];
}

/** A command with its words; the first word is the program. */
export interface CommandLeaf extends LeafFacts {
  readonly kind: 'command';
  readonly words: readonly Word[];
  /** Names set for this command alone, as in `X=1 command`: bash traces each as an entry of its own, before it. */
  readonly prefixes: readonly string[];
}

/** `[ … ]`, `[[ … ]]` or `(( … ))`: operators and operands in order, brackets left out. */
export interface TestLeaf extends LeafFacts {
  readonly kind: 'test';
  readonly open: '[' | '[[' | '((';
  readonly words: readonly Word[];
}

export interface AssignLeaf extends LeafFacts {
  readonly kind: 'assign';
  readonly name: string;
  readonly value: Word;
}

/** One entry in bash's trace. */
export type Leaf = CommandLeaf | TestLeaf | AssignLeaf;

export type Statement =
  | Leaf
  | { readonly kind: 'list'; readonly op: '&&' | '||'; readonly left: Statement; readonly right: Statement }
  | { readonly kind: 'not'; readonly body: Statement }
  | { readonly kind: 'pipeline'; readonly members: readonly Statement[] }
  /** `{ … }`, a body, or `( … )`, which is a subshell. */
  | { readonly kind: 'group'; readonly body: readonly Statement[]; readonly subshell?: true }
  /** Started with `&`. */
  | { readonly kind: 'background'; readonly body: readonly Statement[] }
  | {
      readonly kind: 'if';
      readonly condition: readonly Statement[];
      readonly then: readonly Statement[];
      /** An `elif` is an `if` alone in here. */
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: 'loop';
      /** Empty for `for`. */
      readonly condition: readonly Statement[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'case'; readonly subject: Word; readonly items: readonly (readonly Statement[])[] }
  | { readonly kind: 'function'; readonly name: string; readonly body: readonly Statement[] };

export interface Script {
  readonly statements: readonly Statement[];
  readonly functions: ReadonlyMap<string, readonly Statement[]>;
  /** Text of `trap … EXIT`, parsed; its lines count from 1 within the text, as bash counts them. */
  readonly exitTrap: Script | undefined;
  /** The same for `trap … ERR`. */
  readonly errorTrap: Script | undefined;
  /** Whether it contains `set -e` in any spelling. */
  readonly stopsOnError: boolean;
  /** 1-based lines where the grammar found an error; the rest is still used. */
  readonly errorLines: readonly number[];
}

/** The statements directly inside `statement`, in source order, without substitutions. */
export function children(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'command':
    case 'test':
    case 'assign':
      return [];
    case 'list':
      return [statement.left, statement.right];
    case 'not':
      return [statement.body];
    case 'pipeline':
      return statement.members;
    case 'group':
    case 'background':
    case 'function':
      return statement.body;
    case 'if':
      return [...statement.condition, ...statement.then, ...statement.otherwise];
    case 'loop':
      return [...statement.condition, ...statement.body];
    case 'case':
      return statement.items.flat();
  }
}

export function isLeaf(statement: Statement): statement is Leaf {
  return statement.kind === 'command' || statement.kind === 'test' || statement.kind === 'assign';
}

/** Every leaf of the statements; those of substitutions come before the leaf around them. */
export function leavesOf(statements: readonly Statement[]): Leaf[] {
  return statements.flatMap((statement) =>
    isLeaf(statement) ? [...leavesOf(statement.substitutions), statement] : leavesOf(children(statement)),
  );
}

/** Names of the variables that a word expands. */
export function variablesOf(word: Word): string[] {
  return word.pieces.flatMap((piece) =>
    piece.kind === 'variable' ? [piece.name] : piece.kind === 'opaque' ? [...piece.variables] : [],
  );
}
