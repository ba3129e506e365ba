/** Finds the gates of a script: leaves that guard the reward, their kind, and the status with which they pass. */
import { Recogniser } from './classify.ts';
import { type Constants, constantsOf, literalValue } from '../script/constants.ts';
import { consumers, type Frame, type PlacedLeaf } from '../script/contexts.ts';
import { type Dataflow, followData, type ScriptContext, type Tag } from './dataflow.ts';
import { effectsOf, type EffectsContext, rewardDirection, rewardTarget, rewardVariables } from './effects.ts';
import type { GatePaths } from './gatePaths.ts';
import { comparisonOf } from './recognised.ts';
import { type Leaf, leavesOf, type Script } from '../script/script.ts';
import type { GateKind } from '../verdict/verdict.ts';

/** A gate as found in the text, with its words as they ran where they did. */
export interface FoundGate {
  readonly placed: PlacedLeaf;
  readonly kind: GateKind;
  readonly passesOn: 'zero' | 'nonzero';
  readonly path: string | undefined;
  /** Only a part of the file is compared. */
  readonly partial?: true;
  /** Leaves that read this gate's output or status, and the status of theirs that leads to a reward. */
  readonly readings: readonly { readonly placed: PlacedLeaf; readonly passesOn: 'zero' | 'nonzero' }[];
}

export interface FoundGates {
  readonly gates: readonly FoundGate[];
  /** Leaves that write the reward, in source order. */
  readonly rewardWrites: readonly PlacedLeaf[];
  /** Runs of a test runner that only report on a reward that is already written. */
  readonly reports: readonly PlacedLeaf[];
  readonly placed: readonly PlacedLeaf[];
  readonly constants: Constants;
}

/** @param placed all leaves of `script` */
export function findGates(
  script: Script,
  placed: readonly PlacedLeaf[],
  paths: GatePaths,
  wordsAsRun: ScriptContext['wordsAsRun'],
): FoundGates {
  const leaves = placed.map(({ leaf }) => leaf);
  const constants = constantsOf(leaves);
  const context: EffectsContext = {
    script,
    constants,
    rewardVariables: rewardVariables(script, leaves, constants),
    calls: new Map(),
  };
  const known = { script, placed, constants, recogniser: new Recogniser(paths), wordsAsRun };
  const dataflow = followData(known);
  const rewardWrites = placed.filter(({ leaf }) => rewardTarget(leaf, constants) !== undefined);

  const readingsOf = new Map<number, { placed: PlacedLeaf; passesOn: 'zero' | 'nonzero' }[]>();
  const gates: Omit<FoundGate, 'readings'>[] = [];
  const reports: PlacedLeaf[] = [];
  for (const candidate of placed) {
    const { leaf } = candidate;
    const polarity = polarityOf(candidate.frames, context);
    const gate = dataflow.classified.get(leaf.id) ?? testGate(leaf, known, dataflow);
    if (gate?.kind === 'tests' && isReport(candidate, dataflow, polarity, rewardWrites, script))
      reports.push(candidate);
    else if (gate) gates.push({ placed: candidate, ...gate });
    else if (polarity !== undefined) {
      const results = resultsRead(leaf, dataflow);
      results.forEach((id) =>
        readingsOf.set(id, [...(readingsOf.get(id) ?? []), { placed: candidate, passesOn: polarity }]),
      );
      if (
        results.length === 0 &&
        !callsGate(leaf, script, dataflow) &&
        leaf.kind !== 'assign' &&
        !onlyPrints(leaf) &&
        !writesReward(leaf, constants) &&
        !isInTrap(candidate, script)
      )
        gates.push({ placed: candidate, kind: 'check', passesOn: polarity, path: undefined });
    }
  }
  const found = new Set(gates.map(({ placed: { leaf } }) => leaf.id));
  for (const candidate of placed)
    if (readingsOf.has(candidate.leaf.id) && !found.has(candidate.leaf.id) && !reports.includes(candidate))
      gates.push({ placed: candidate, kind: 'check', passesOn: 'zero', path: undefined });
  return {
    gates: gates
      .map((gate) => ({ ...gate, readings: readingsOf.get(gate.placed.leaf.id) ?? [] }))
      .sort((a, b) => a.placed.leaf.line - b.placed.leaf.line || a.placed.leaf.id - b.placed.leaf.id),
    rewardWrites,
    reports,
    placed,
    constants,
  };
}

/** `[ -f SOL ]`, and comparisons of what was taken from two files. */
function testGate(leaf: Leaf, { constants, recogniser, wordsAsRun }: ScriptContext, dataflow: Dataflow) {
  if (leaf.kind !== 'test') return undefined;
  const words =
    wordsAsRun(leaf)?.slice(1, -1) ?? leaf.words.map((word) => literalValue(word, constants) ?? '');
  const exists = recogniser.recogniseTest(words);
  if (exists) return exists;
  const equals = leaf.words.some(({ text }) => text === '=' || text === '==');
  const differs = leaf.words.some(({ text }) => text === '!=');
  const files = (dataflow.reads.get(leaf.id) ?? []).filter(
    (tag): tag is Extract<Tag, { kind: 'file' }> => tag.kind === 'file',
  );
  const solution = files.find(({ role }) => role === 'solution');
  if (solution === undefined || equals === differs) return undefined;
  const others = files.map(({ role }) => role).filter((role) => role !== 'solution');
  // A hash written into the script itself is the starter's: nothing else is worth refusing.
  const comparison = comparisonOf(
    solution.path,
    others.length > 0 ? others : ['baseline'],
    equals ? 'zero' : 'nonzero',
  );
  return comparison && !solution.whole ? { ...comparison, partial: true as const } : comparison;
}

function resultsRead(leaf: Leaf, dataflow: Dataflow): number[] {
  return (dataflow.reads.get(leaf.id) ?? []).flatMap((tag) => (tag.kind === 'result' ? [tag.leaf] : []));
}

/** Whether the leaf's own redirection writes the reward; one of a block around it belongs to the block's branches. */
function writesReward(leaf: Leaf, constants: Constants): boolean {
  const own = { ...leaf, redirects: leaf.redirects.filter(({ inherited }) => !inherited) };
  return rewardTarget(own, constants) !== undefined;
}

/** `echo` and the like: nobody asks for their status. */
function onlyPrints(leaf: Leaf): boolean {
  return leaf.kind === 'command' && /^(echo|printf|:|true|false)$/.test(leaf.words[0]?.text ?? '');
}

/** Whether the EXIT trap calls the leaf's function; the checks of a trap are no gates. */
function isInTrap({ inFunction }: PlacedLeaf, script: Script): boolean {
  const called = script.exitTrap ? leavesOf(script.exitTrap.statements) : [];
  return (
    inFunction !== undefined &&
    called.some((leaf) => leaf.kind === 'command' && leaf.words[0]?.text === inFunction)
  );
}

/** Whether the leaf calls a function that holds gates of its own. */
function callsGate(leaf: Leaf, script: Script, dataflow: Dataflow): boolean {
  if (leaf.kind !== 'command') return false;
  const body = script.functions.get(leaf.words[0]?.text ?? '');
  return body !== undefined && leavesOf(body).some(({ id }) => dataflow.classified.has(id));
}

/** Whether a runner only reports: it starts after the reward was written and nothing reads its result, as `test_state.py`. */
function isReport(
  { leaf, inFunction }: PlacedLeaf,
  dataflow: Dataflow,
  polarity: 'zero' | 'nonzero' | undefined,
  rewardWrites: readonly PlacedLeaf[],
  script: Script,
): boolean {
  if (/\btest_state\.py\b/.test(leaf.text)) return true;
  if (polarity !== undefined || script.exitTrap || script.stopsOnError || inFunction !== undefined)
    return false;
  const isRead = [...dataflow.reads.values()].some((tags) =>
    tags.some((tag) => tag.kind === 'result' && tag.leaf === leaf.id),
  );
  return (
    !isRead && rewardWrites.length > 0 && rewardWrites.every(({ leaf: write }) => write.line < leaf.line)
  );
}

/** The status of a leaf that leads to a reward; undefined when both branches do the same. */
function polarityOf(frames: readonly Frame[], context: EffectsContext): 'zero' | 'nonzero' | undefined {
  let negated = false;
  for (const frame of consumers(frames)) {
    switch (frame.kind) {
      case 'not':
        negated = !negated;
        break;
      case 'left': {
        const right = rewardDirection(effectsOf([frame.right], context));
        if (right !== 0) return ((frame.op === '&&') === right > 0) !== negated ? 'zero' : 'nonzero';
        break;
      }
      case 'condition': {
        const difference =
          rewardDirection(effectsOf(frame.then, context)) -
          rewardDirection(effectsOf(frame.otherwise, context));
        return difference === 0 ? undefined : difference > 0 !== negated ? 'zero' : 'nonzero';
      }
      case 'member':
        if (frame.index < frame.members.length - 1) return undefined;
        break;
      case 'loop-condition':
      case 'background':
        return undefined;
      case 'right':
      case 'block':
      case 'substitution':
        break;
    }
  }
  return undefined;
}
