/** Warns when a run had no network and its output shows that `test.sh` tried to use one. */
import { bySetting } from '../../fault/remedy.ts';
import type { Evidence } from '../../runtime/evidence.ts';
import type { RunPlan } from '../../runtime/plan.ts';
import type { Task } from '../../task/task.ts';
import { shortened } from '../../wording/shortened.ts';
import { allOutput } from './printed.ts';
import type { Warning } from '../verdict/verdict.ts';

const WANTS_NETWORK =
  /Temporary failure (?:in name resolution|resolving)|Could not resolve (?:host|proxy|'|")|Name or service not known|No address associated with hostname|Network is unreachable|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|dial tcp: lookup |Failed to establish a new connection|dns error: failed to lookup/;
const MOST_LINE = 160;

export function networkWarnings(task: Task, plan: RunPlan, evidence: Evidence): Warning[] {
  const inSandbox = evidence.runtime.kind === 'sandbox';
  if (plan.network !== 'none' && !inSandbox) return [];
  const line = allOutput(evidence)
    .split('\n')
    .find((text) => text.length < 10_000 && WANTS_NETWORK.test(text))
    ?.trim();
  if (line === undefined) return [];
  const excerpt = shortened(line, MOST_LINE);
  const { verifier, environment } = task.config;
  const forbidden = (verifier.networkMode ?? environment.networkMode) === 'no-network';
  const because = forbidden
    ? ' task.toml itself sets no-network, so the verifier must work without it.'
    : inSandbox
      ? ' The sandbox never has a network.'
      : '';
  const allow = bySetting('allowNetwork', inSandbox ? 'run it in a container' : 'allow the network');
  return [
    {
      code: 'no-network',
      message: `The run had no network, but test.sh tried to use one: “${excerpt}”.${because}`,
      remedies: forbidden ? [] : [allow],
    },
  ];
}
