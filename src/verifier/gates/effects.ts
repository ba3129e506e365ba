/** What a block of a verifier does to the reward, by its text alone. Shows which branch leads to a reward. */
import { isPython } from './commandWords.ts';
import { type Constants, literalValue } from '../script/constants.ts';
import { isRewardPath } from './gatePaths.ts';
import {
  children,
  isLeaf,
  type Leaf,
  leavesOf,
  type Script,
  type Statement,
  variablesOf,
  type Word,
} from '../script/script.ts';

export interface Effects {
  readonly exits: boolean;
  /** The last reward that this block writes; `unknown` when only the run can tell. */
  readonly writes: 'zero' | 'positive' | 'unknown' | undefined;
  /** Some path through the block exits, so that statements after it do not always run. */
  readonly mayExit?: boolean;
}

const NOTHING: Effects = { exits: false, writes: undefined };

export interface EffectsContext {
  readonly script: Script;
  readonly constants: Constants;
  /** Variables whose value is written to the reward. */
  readonly rewardVariables: ReadonlySet<string>;
  /** Effects of each function, by name; filled on demand. */
  readonly calls: Map<string, Effects>;
}

/** Finds the variables whose value reaches the reward, through any number of assignments and `case` choices. */
export function rewardVariables(
  script: Script,
  leaves: readonly Leaf[],
  constants: Constants,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const leaf of leaves) {
    if (rewardTarget(leaf, constants) !== undefined)
      contentWords(leaf)
        .flatMap(variablesOf)
        .forEach((name) => found.add(name));
  }
  const cases = casesOf([...script.statements, ...[...script.functions.values()].flat()]);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const leaf of leaves) {
      if (!found.has(assignedName(leaf) ?? '')) continue;
      contentWords(leaf)
        .flatMap(variablesOf)
        .forEach((name) => found.add(name));
    }
    for (const choice of cases) {
      const chooses = leavesOf(choice.items.flat()).some((leaf) => found.has(assignedName(leaf) ?? ''));
      if (chooses) variablesOf(choice.subject).forEach((name) => found.add(name));
    }
  }
  return found;
}

/** The variable that a leaf sets: `X=…` or `printf -v X …`. */
function assignedName(leaf: Leaf): string | undefined {
  if (leaf.kind === 'assign') return leaf.name;
  if (leaf.kind !== 'command' || leaf.words[0]?.text !== 'printf' || leaf.words[1]?.text !== '-v')
    return undefined;
  return leaf.words[2]?.text;
}

function casesOf(statements: readonly Statement[]): Extract<Statement, { kind: 'case' }>[] {
  return statements.flatMap((statement) => [
    ...(statement.kind === 'case' ? [statement] : []),
    ...casesOf(children(statement)),
  ]);
}

/** The reward file that a leaf writes by redirection, `tee`, `cp` or `mv`. */
export function rewardTarget(leaf: Leaf, constants: Constants): string | undefined {
  const targets = leaf.redirects
    .filter(({ operator }) => operator.includes('>'))
    .flatMap(({ target }) => (target ? [target] : []));
  const program = leaf.kind === 'command' ? leaf.words[0]?.text : undefined;
  if (
    leaf.kind === 'command' &&
    (program === 'tee' || program === 'cp' || program === 'mv' || program === 'install')
  ) {
    const last = leaf.words.at(-1);
    if (last) targets.push(last);
  }
  return (
    targets
      .map((word) => literalValue(word, constants) ?? word.text.replace(/["']/g, ''))
      .find(isRewardPath) ?? (isPython(program ?? '') ? rewardInCode(leaf) : undefined)
  );
}

/** Characters that are searched of one piece of code and of one word, since a verifier's text may be huge. */
const MOST_CODE = 64 * 1024;
const MOST_WORD = 1000;

/** The reward file that Python code names; such code writes it. */
function rewardInCode(leaf: Leaf): string | undefined {
  return contentWords(leaf)
    .map(({ text }) => /[\w/.-]{0,200}\brewards?\.(?:txt|json)\b/.exec(text.slice(0, MOST_CODE))?.[0])
    .find((path) => path !== undefined);
}

function contentWords(leaf: Leaf): readonly Word[] {
  return leaf.kind === 'assign' ? [leaf.value] : [...leaf.words, ...leaf.heredocs];
}

/** The effects of a sequence of statements. */
export function effectsOf(statements: readonly Statement[], context: EffectsContext): Effects {
  let { exits, writes }: Effects = NOTHING;
  let mayExit = false;
  for (const statement of statements) {
    const effects = isLeaf(statement) ? leafEffects(statement, context) : blockEffects(statement, context);
    writes = mayExit && effects.writes !== undefined ? 'unknown' : (effects.writes ?? writes);
    mayExit ||= effects.mayExit === true;
    if (effects.exits) {
      exits = true;
      break;
    }
  }
  return { exits, writes, mayExit };
}

function blockEffects(statement: Statement, context: EffectsContext): Effects {
  switch (statement.kind) {
    case 'group':
    case 'pipeline':
      return effectsOf(children(statement), context);
    case 'if': {
      const then = effectsOf(statement.then, context);
      const otherwise = effectsOf(statement.otherwise, context);
      const same = then.writes === otherwise.writes;
      const mayExit = then.exits !== otherwise.exits || then.mayExit === true || otherwise.mayExit === true;
      return { exits: then.exits && otherwise.exits, writes: same ? then.writes : 'unknown', mayExit };
    }
    case 'list': {
      const right = effectsOf([statement.right], context);
      return { exits: false, writes: right.writes === undefined ? undefined : 'unknown' };
    }
    case 'case': {
      const writes = statement.items.map((item) => effectsOf(item, context).writes);
      return { exits: false, writes: writes.some((write) => write !== undefined) ? 'unknown' : undefined };
    }
    case 'loop':
    case 'not':
    case 'background':
    case 'function':
    case 'command':
    case 'test':
    case 'assign':
      return NOTHING;
  }
}

function leafEffects(leaf: Leaf, context: EffectsContext): Effects {
  if (leaf.kind === 'assign')
    return context.rewardVariables.has(leaf.name)
      ? { exits: false, writes: signOf(leaf.value, context) }
      : NOTHING;
  if (rewardTarget(leaf, context.constants) !== undefined)
    return { exits: false, writes: writtenSign(leaf, context) };
  if (leaf.kind !== 'command') return arithmeticEffects(leaf, context);
  const program = leaf.words[0]?.text ?? '';
  if (program === 'exit' || program === 'return')
    return { exits: true, writes: exitSign(leaf.words[1], context) };
  return callEffects(program, context);
}

function callEffects(name: string, context: EffectsContext): Effects {
  const known = context.calls.get(name);
  if (known) return known;
  const body = context.script.functions.get(name);
  if (!body) return NOTHING;
  // A recursive call has no effects beyond those of the body.
  context.calls.set(name, NOTHING);
  const effects = effectsOf(body, context);
  context.calls.set(name, effects);
  return effects;
}

function arithmeticEffects(leaf: Leaf, context: EffectsContext): Effects {
  if (leaf.kind !== 'test' || leaf.open !== '((') return NOTHING;
  const raised = /\b(\w{1,200})\s{0,20}(\+\+|\+=)/.exec(leaf.text.slice(0, MOST_CODE))?.[1];
  return raised !== undefined && context.rewardVariables.has(raised)
    ? { exits: false, writes: 'positive' }
    : NOTHING;
}

/** With an EXIT trap that writes the reward, the exit status is the verdict. */
function exitSign(word: Word | undefined, context: EffectsContext): Effects['writes'] {
  const trap = context.script.exitTrap;
  if (!trap) return undefined;
  const bodies = leavesOf(trap.statements).flatMap((leaf) =>
    leaf.kind === 'command' ? leavesOf(context.script.functions.get(leaf.words[0]?.text ?? '') ?? []) : [],
  );
  const readsStatus = [...leavesOf(trap.statements), ...bodies].some((leaf) => leaf.text.includes('$?'));
  if (!readsStatus) return undefined;
  const code = word ? literalValue(word, context.constants) : '0';
  return code === undefined ? 'unknown' : code === '0' ? 'positive' : 'zero';
}

function writtenSign(leaf: Leaf, context: EffectsContext): Effects['writes'] {
  if (leaf.kind !== 'command') return 'unknown';
  const program = leaf.words[0]?.text ?? '';
  if (program !== 'echo' && program !== 'printf') return 'unknown';
  const value = leaf.words
    .slice(1)
    .filter((word) => !/^-[neE]+$/.test(word.text))
    .at(-1);
  return value ? signOf(value, context) : 'unknown';
}

function signOf(word: Word, context: EffectsContext): Effects['writes'] {
  const text = literalValue(word, context.constants);
  if (text === undefined)
    return /\$\(\(.*(\+\s*\d+|\+\+)/.test(word.text.slice(0, MOST_WORD)) ? 'positive' : 'unknown';
  const number = /^-?\d/.test(text.trim())
    ? Number.parseFloat(text)
    : Number.parseFloat(/"reward"\s*:\s*(-?[\d.]+)/.exec(text)?.[1] ?? '');
  return Number.isNaN(number) ? 'unknown' : number > 0 ? 'positive' : 'zero';
}

/** 1: the block leads to a reward. -1: it leads away from one. 0: it does neither. */
export function rewardDirection(effects: Effects): -1 | 0 | 1 {
  if (effects.writes === 'positive') return 1;
  if (effects.writes === 'zero') return -1;
  if (effects.writes === 'unknown') return 0;
  return effects.exits ? -1 : 0;
}
