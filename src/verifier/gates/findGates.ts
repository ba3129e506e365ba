/** Finds the gates of a script: which leaves guard the reward, of which kind, and which status lets them pass. */
import { Recogniser } from './classify.ts';
import { type Constants, constantsOf, literalValue } from '../script/constants.ts';
import { consumers, type Frame, type PlacedLeaf } from '../script/contexts.ts';
import { type Dataflow, followData, type KnownScript, type Tag } from './dataflow.ts';
import { effectsOf, type EffectsContext, leadsOn, rewardTarget, rewardVariables } from './effects.ts';
import type { GatePaths } from './gatePaths.ts';
import { comparisonOf } from './recognised.ts';
import { type Leaf, leavesOf, type Script } from '../script/script.ts';
import type { GateKind } from '../verdict/verdict.ts';

/** A gate before anything ran, or as its executions showed its words. */
export interface FoundGate {
  readonly placed: PlacedLeaf;
  readonly kind: GateKind;
  readonly passesOn: 'zero' | 'nonzero';
  readonly path: string | undefined;
  /** Only a part of the file is compared. */
  readonly partial?: true;
  /** Leaves in which the script reads this gate's output or status, and the status that leads on there. */
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
  expanded: KnownScript['expanded'],
): FoundGates {
  const leaves = placed.map(({ leaf }) => leaf);
  const constants = constantsOf(leaves);
  const context: EffectsContext = {
    script,
    constants,
    rewardVariables: rewardVariables(script, leaves, constants),
    calls: new Map(),
  };
  const known = { script, placed, constants, recogniser: new Recogniser(paths), expanded };
  const flow = followData(known);
  const rewardWrites = placed.filter(({ leaf }) => rewardTarget(leaf, constants) !== undefined);

  const readingsOf = new Map<number, { placed: PlacedLeaf; passesOn: 'zero' | 'nonzero' }[]>();
  const gates: Omit<FoundGate, 'readings'>[] = [];
  const reports: PlacedLeaf[] = [];
  for (const candidate of placed) {
    const { leaf } = candidate;
    const polarity = polarityOf(candidate.frames, context);
    const gate = flow.classified.get(leaf.id) ?? testGate(leaf, known, flow);
    if (gate?.kind === 'tests' && isReport(candidate, flow, polarity, rewardWrites, script))
      reports.push(candidate);
    else if (gate) gates.push({ placed: candidate, ...gate });
    else if (polarity !== undefined) {
      const results = resultsRead(leaf, flow);
      results.forEach((id) =>
        readingsOf.set(id, [...(readingsOf.get(id) ?? []), { placed: candidate, passesOn: polarity }]),
      );
      if (
        results.length === 0 &&
        !callsGate(leaf, script, flow) &&
        leaf.kind !== 'assign' &&
        !onlyPrints(leaf) &&
        !writesReward(leaf, constants) &&
        !inTrap(candidate, script)
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
function testGate(leaf: Leaf, { constants, recogniser, expanded }: KnownScript, flow: Dataflow) {
  if (leaf.kind !== 'test') return undefined;
  const words = expanded(leaf)?.slice(1, -1) ?? leaf.words.map((word) => literalValue(word, constants) ?? '');
  const exists = recogniser.test(words);
  if (exists) return exists;
  const equals = leaf.words.some(({ text }) => text === '=' || text === '==');
  const differs = leaf.words.some(({ text }) => text === '!=');
  const files = (flow.reads.get(leaf.id) ?? []).filter(
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

function resultsRead(leaf: Leaf, flow: Dataflow): number[] {
  return (flow.reads.get(leaf.id) ?? []).flatMap((tag) => (tag.kind === 'result' ? [tag.leaf] : []));
}

/** By a redirection of its own: one around it is that of the branches it decides between. */
function writesReward(leaf: Leaf, constants: Constants): boolean {
  const own = { ...leaf, redirects: leaf.redirects.filter(({ inherited }) => !inherited) };
  return rewardTarget(own, constants) !== undefined;
}

/** `echo` and the like stand in a chain for what they say: their status is no question. */
function onlyPrints(leaf: Leaf): boolean {
  return leaf.kind === 'command' && /^(echo|printf|:|true|false)$/.test(leaf.words[0]?.text ?? '');
}

/** What an EXIT trap asks is how the script ended: that is no gate of its own. */
function inTrap({ inFunction }: PlacedLeaf, script: Script): boolean {
  const called = script.exitTrap ? leavesOf(script.exitTrap.statements) : [];
  return (
    inFunction !== undefined &&
    called.some((leaf) => leaf.kind === 'command' && leaf.words[0]?.text === inFunction)
  );
}

/** Whether the leaf calls a function that holds gates of its own. */
function callsGate(leaf: Leaf, script: Script, flow: Dataflow): boolean {
  if (leaf.kind !== 'command') return false;
  const body = script.functions.get(leaf.words[0]?.text ?? '');
  return body !== undefined && leavesOf(body).some(({ id }) => flow.classified.has(id));
}

/** A runner whose outcome nothing reads, started when the reward is already written, such as `test_state.py`. */
function isReport(
  { leaf, inFunction }: PlacedLeaf,
  flow: Dataflow,
  polarity: 'zero' | 'nonzero' | undefined,
  rewardWrites: readonly PlacedLeaf[],
  script: Script,
): boolean {
  if (/\btest_state\.py\b/.test(leaf.text)) return true;
  if (polarity !== undefined || script.exitTrap || script.stopsOnError || inFunction !== undefined)
    return false;
  const isRead = [...flow.reads.values()].some((tags) =>
    tags.some((tag) => tag.kind === 'result' && tag.leaf === leaf.id),
  );
  return (
    !isRead && rewardWrites.length > 0 && rewardWrites.every(({ leaf: write }) => write.line < leaf.line)
  );
}

/** Which status of a leaf leads on towards a reward; undefined when both ways do the same. */
function polarityOf(frames: readonly Frame[], context: EffectsContext): 'zero' | 'nonzero' | undefined {
  let negated = false;
  for (const frame of consumers(frames)) {
    switch (frame.kind) {
      case 'not':
        negated = !negated;
        break;
      case 'left': {
        const right = leadsOn(effectsOf([frame.right], context));
        if (right !== 0) return ((frame.op === '&&') === right > 0) !== negated ? 'zero' : 'nonzero';
        break;
      }
      case 'condition': {
        const difference =
          leadsOn(effectsOf(frame.then, context)) - leadsOn(effectsOf(frame.otherwise, context));
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
