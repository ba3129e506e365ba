/** The sandbox and the Python that tests run with in it. Pure. */
import { byCommand } from '../fault/remedy.ts';
import type { NamespaceSettings } from '../runtime/sandbox/host/sandboxFailures.ts';
import { joinWords } from '../wording/joinWords.ts';
import { finding, type Finding, FOR_DEBIAN } from './finding.ts';
import { type SetupFacts, usedRuntime } from './setupFacts.ts';

export function sandboxFinding(facts: SetupFacts): Finding {
  const { probe, namespaces } = facts.sandbox;
  const settings = namespaceWords(namespaces);
  if (probe.available)
    return finding('sandbox', 'fine', `${probe.name} at ${probe.where} ran a command in a sandbox.`, {
      details: settings,
    });
  const { failure } = probe;
  const words = (failure.detail ?? '').split('\n').filter((line) => line !== '');
  if (usedRuntime(facts) === 'docker')
    return finding('sandbox', 'not-needed', `${failure.message} Runs go to the engine.`, {
      details: [...words, ...settings],
    });
  return finding('sandbox', 'needs-care', failure.message, {
    details: [...words, ...settings],
    remedies: failure.remedies,
  });
}

export function pythonFinding(facts: SetupFacts): Finding {
  const { interpreter } = facts.sandbox;
  const needed = usedRuntime(facts) === 'sandbox' ? 'needs-care' : 'not-needed';
  const remedies = [
    byCommand('sudo apt-get install python3-pytest', 'install Python with pytest', FOR_DEBIAN),
  ];
  if (interpreter === undefined)
    return finding('python', needed, 'The sandbox finds no Python 3 on PATH that a run could reach.', {
      remedies,
    });
  const { executable, version, pytestVersion } = interpreter;
  if (pytestVersion === undefined)
    return finding('python', needed, `Python ${version} at ${executable} has no pytest.`, { remedies });
  return finding(
    'python',
    'fine',
    `In the sandbox tests run with Python ${version} at ${executable} and pytest ${pytestVersion}.`,
  );
}

/** Where a kernel says nothing about user namespaces, they are allowed. */
function namespaceWords(settings: NamespaceSettings): string[] {
  const forbidden = [
    ...(settings.unprivilegedClone === '0' ? ['kernel.unprivileged_userns_clone is 0'] : []),
    ...(settings.maxUserNamespaces === '0' ? ['user.max_user_namespaces is 0'] : []),
    ...(settings.apparmorRestricts === '1' ? ['kernel.apparmor_restrict_unprivileged_userns is 1'] : []),
  ];
  return forbidden.length === 0
    ? []
    : [`The kernel restricts user namespaces of ordinary users: ${joinWords(forbidden)}.`];
}
