// A verdict as text that a person can read and a golden file can hold: all that must stay the same, nothing that varies.
import type { GateState, Place, Verdict } from '../../src/verifier/verdict/verdict.ts';
import { remedyText } from './remedyText.ts';

const MARKS: Readonly<Record<GateState, string>> = {
  passed: '✓',
  failed: '✗',
  errored: '!',
  'not-reached': '○',
};

/** Warnings about the machine that a run took place on. */
const ABOUT_THE_MACHINE = /^sandbox-/;

export function verdictText(verdict: Verdict): string {
  const lines: string[] = [];
  switch (verdict.outcome) {
    case 'cancelled':
      return 'cancelled\n';
    case 'no-verifier':
      return `no-verifier: ${verdict.message}\nnext: ${remedyText(verdict.remedies)}\n`;
    case 'engine-error':
      return `engine-error ${verdict.reason}: ${verdict.message}\n${remedyText(verdict.remedies)}\n`;
    case 'scored':
      lines.push(`scored ${verdict.reward}${keys(verdict.rewards)}`);
      break;
    case 'unscored':
      lines.push(`unscored ${verdict.reason}: ${verdict.message}`, `next: ${remedyText(verdict.remedies)}`);
      break;
  }
  if (verdict.rewardLine !== undefined) lines.push(`reward written at line ${verdict.rewardLine}`);
  if (verdict.passRatio !== undefined) lines.push(`pass ratio ${verdict.passRatio}`);
  for (const gate of verdict.gates) {
    const status = gate.status === undefined ? '' : ` [status ${gate.status}]`;
    const runs = gate.runs > 1 ? ` [${gate.runs} times]` : '';
    lines.push(
      `${MARKS[gate.state]}${gate.decisive ? '*' : ' '} ${gate.line} ${gate.kind}: ${gate.title}${status}${runs}`,
      `     ${gate.message}${at(gate.at)}`,
    );
  }
  for (const one of verdict.cases) {
    const related = one.related ? ` related${at(one.related)}` : '';
    lines.push(
      `   ${one.state} ${one.name}${one.message === undefined ? '' : `: ${one.message}`}${at(one.at)}${related}`,
    );
  }
  for (const { code, message, remedies = [] } of verdict.warnings)
    if (!ABOUT_THE_MACHINE.test(code)) lines.push(`~ ${code}: ${message} ${remedyText(remedies)}`.trimEnd());
  return `${lines.join('\n')}\n`;
}

function keys(rewards: Readonly<Record<string, number>>): string {
  const names = Object.keys(rewards);
  return names.length > 1 ? ` (${names.map((name) => `${name} ${rewards[name]}`).join(', ')})` : '';
}

function at(place: Place | undefined): string {
  if (!place) return '';
  return ` @ ${place.path}:${place.line}${place.column === undefined ? '' : `:${place.column}`}`;
}
