import assert from 'node:assert/strict';
import { networkWarnings } from '../../../../src/verifier/judge/networkWarnings.ts';
import { planRun } from '../../../../src/verifier/plan/plan.ts';
import { starterOf } from '../../../../src/verifier/plan/solution.ts';
import { remedyText } from '../../../host/remedyText.ts';
import { tinyTask } from '../../../host/tinyTask.ts';
import { evidenceOf } from '../helpers/scriptedEvidence.ts';

const SCRIPT = '#!/bin/bash\npip install pytest\n';
const FAILED =
  "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(': Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/pytest/\n";

describe('notes on a run', () => {
  const missing = (allowNetwork: boolean, output: string, toml?: string): readonly string[] => {
    const task = tinyTask({ testScript: SCRIPT, ...(toml === undefined ? {} : { toml }) });
    const options = { trace: true, allowNetwork, allowedHostNames: new Set<string>(), hostEnv: {} };
    const planned = planRun(task, starterOf(task), options);
    assert.ok(planned.kind === 'planned');
    return networkWarnings(task, planned.plan, evidenceOf({ trace: '', output })).map(
      ({ message, remedies = [] }) => `${message} ${remedyText(remedies)}`.trimEnd(),
    );
  };

  it('say how to allow a network that test.sh looked for', () => {
    assert.match(
      missing(false, FAILED)[0] ?? '',
      /^The run had no network, but test\.sh tried to use one: “WARNING: Retrying .*…”\. Allow the network \(setting allowNetwork\)\.$/,
    );
    for (const line of [
      "Err:1 http://mirror.example/debian stable InRelease  Temporary failure resolving 'mirror.example'",
      'curl: (6) Could not resolve host: host.example',
      'npm error network request to https://registry.example/x failed, reason: getaddrinfo EAI_AGAIN registry.example',
    ])
      assert.equal(missing(false, line).length, 1, line);
  });

  it('say nothing when there was one, when none was wanted, and that a task may forbid it', () => {
    assert.deepEqual(missing(true, FAILED), []);
    assert.deepEqual(missing(false, '2 passed in 0.1s\n'), []);
    assert.match(
      missing(true, FAILED, '[environment]\nnetwork_mode = "no-network"\n')[0] ?? '',
      /task\.toml itself sets no-network, so the verifier must work without it\.$/,
    );
  });
});
