/** What a person should know of a run because of how the task is configured: steps left out, a network that was missing. */
import type { Evidence } from '../runtime/evidence.ts';
import type { RunPlan } from '../runtime/plan.ts';
import type { Task } from '../task/task.ts';
import { counted } from '../wording/counted.ts';
import { joinWords } from '../wording/joinWords.ts';
import { shortened } from '../wording/shortened.ts';
import { everythingPrinted } from './printed.ts';
import type { Warning } from './verdict.ts';

/** Parts of `task.toml` that Harbor would run and this run does not. */
export function notRunHere({ config }: Task): Warning[] {
  const { steps, verifier } = config;
  const separate = verifier.environmentMode === 'separate' || verifier.environment !== null;
  const parts = [
    ...(steps.length > 0
      ? [
          `its ${counted(steps.length, 'step')} (${joinWords(
            steps.map(({ name }) => name),
            { most: 4 },
          )}), each with tests of its own`,
        ]
      : []),
    ...(separate ? ['the separate environment for its verifier'] : []),
  ];
  return parts.length === 0
    ? []
    : [
        {
          code: 'not-run-here',
          message: `task.toml asks for ${parts.join(' and for ')}: that is not run here. The verdict is about tests/test.sh in the task's own image, and Harbor may score differently.`,
        },
      ];
}

const WANTS_NETWORK =
  /Temporary failure (?:in name resolution|resolving)|Could not resolve (?:host|proxy|'|")|Name or service not known|No address associated with hostname|Network is unreachable|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|dial tcp: lookup |Failed to establish a new connection|dns error: failed to lookup/;
const MOST_LINE = 160;

/** A run without a network whose output shows that `test.sh` looked for one. */
export function missingNetwork(task: Task, plan: RunPlan, evidence: Evidence): Warning[] {
  const inSandbox = evidence.runtime.kind === 'sandbox';
  if (plan.network !== 'none' && !inSandbox) return [];
  const line = everythingPrinted(evidence)
    .split('\n')
    .find((text) => text.length < 10_000 && WANTS_NETWORK.test(text))
    ?.trim();
  if (line === undefined) return [];
  const said = shortened(line, MOST_LINE);
  const { verifier, environment } = task.config;
  const forbidden = (verifier.networkMode ?? environment.networkMode) === 'no-network';
  const advice = forbidden
    ? 'task.toml itself sets no-network, so the verifier must do without.'
    : inSandbox
      ? 'The sandbox never has one: run it in a container, with the setting repairBench.allowNetwork.'
      : 'Allow it with the setting repairBench.allowNetwork.';
  return [
    {
      code: 'no-network',
      message: `The run had no network, and test.sh looked for one: “${said}”. ${advice}`,
    },
  ];
}
