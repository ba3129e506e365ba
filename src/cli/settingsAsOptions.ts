/** Messages are written for both the editor and the command line: what they call a setting is an option or a variable here. */
import type { RanVerdict, Verdict, Warning } from '../verifier/verdict.ts';

const OPTIONS: readonly (readonly [setting: string, option: string])[] = [
  ['the setting repairBench.images', '--image-map A=B'],
  ['the setting repairBench.hostVariables', '--host-var NAME'],
  ['the setting repairBench.dockerEndpoint', 'DOCKER_HOST'],
  ['the setting repairBench.timeoutSeconds', '--timeout SECONDS'],
  ['the setting repairBench.allowNetwork', '--network'],
  ['the setting repairBench.workspaceFolder', '--into DIR'],
];

export function settingsAsOptions(text: string): string {
  return (
    OPTIONS.reduce((said, [setting, option]) => said.replaceAll(setting, option), text)
      // "map it in the setting" becomes "map it with the option".
      .replaceAll(' in --', ' with --')
      .replaceAll(' in DOCKER_HOST', ' by DOCKER_HOST')
  );
}

/** A verdict whose next step and warnings can be followed on the command line. */
export function forCommandLine(verdict: Verdict): Verdict {
  switch (verdict.outcome) {
    case 'scored':
      return { ...verdict, warnings: warningsOf(verdict) };
    case 'unscored':
      return { ...verdict, warnings: warningsOf(verdict), nextStep: settingsAsOptions(verdict.nextStep) };
    case 'no-verifier':
    case 'engine-error':
      return { ...verdict, nextStep: settingsAsOptions(verdict.nextStep) };
    case 'cancelled':
      return verdict;
  }
}

function warningsOf({ warnings }: RanVerdict): Warning[] {
  return warnings.map(({ code, message }) => ({ code, message: settingsAsOptions(message) }));
}
