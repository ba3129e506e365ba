/** What in a `task.toml` contradicts itself, or is not followed here, though each value alone is right. */
import { type EnvironmentConfig, megabytes, type TaskConfig, type VerifierConfig } from './taskConfig.ts';

/** Something to say about a key; `says` completes the sentence "<key> …". */
export interface ConfigFinding {
  readonly path: readonly (string | number)[];
  readonly says: string;
}

type Path = ConfigFinding['path'];

export function contradictionsOf(config: TaskConfig): readonly ConfigFinding[] {
  return [
    ...ofVersion(config),
    ...ofEnvironment(['environment'], config.environment),
    ...ofVerifier(['verifier'], config.verifier),
    ...ofHosts(['agent'], config.agent),
    ...config.steps.flatMap(({ agent, verifier }, index) => [
      ...ofHosts(['steps', index, 'agent'], agent),
      ...ofVerifier(['steps', index, 'verifier'], verifier),
    ]),
  ];
}

/** The newest schema whose source these rules were taken from. */
const NEWEST_KNOWN = [1, 3] as const;

function ofVersion({ schemaVersion, version }: TaskConfig): readonly ConfigFinding[] {
  const said = schemaVersion ?? version ?? '';
  const [major = 0, minor = 0] = said.split('.').map(Number);
  return findingIf(
    major > NEWEST_KNOWN[0] || (major === NEWEST_KNOWN[0] && minor > NEWEST_KNOWN[1]),
    [schemaVersion === null ? 'version' : 'schema_version'],
    `is ${said}, newer than the 1.3 that is known here; keys that it adds have no effect`,
  );
}

function ofEnvironment(path: Path, environment: EnvironmentConfig): readonly ConfigFinding[] {
  const { cpus, memory, memoryMb, storage, storageMb } = environment;
  const together = (name: string, old: string | null, used: number | null): readonly ConfigFinding[] =>
    findingIf(
      megabytes(old) !== used && old !== null,
      [...path, name],
      `is ${old}, but ${name}_mb is ${used}, which is used; Harbor refuses both together, so leave ${name} out`,
    );
  return [
    ...findingIf(
      cpus !== null && !Number.isInteger(cpus),
      [...path, 'cpus'],
      `is ${cpus}, which is used here, but Harbor takes whole numbers only; use 1 or more`,
    ),
    ...ofHosts(path, environment),
    ...together('memory', memory, memoryMb),
    ...together('storage', storage, storageMb),
  ];
}

function ofVerifier(path: Path, verifier: VerifierConfig): readonly ConfigFinding[] {
  const { environment, environmentMode } = verifier;
  return [
    ...ofHosts(path, verifier),
    ...(environment === null ? [] : ofEnvironment([...path, 'environment'], environment)),
    ...findingIf(
      environment !== null && environmentMode === 'shared',
      [...path, 'environment_mode'],
      'is "shared", but the verifier has an environment of its own; Harbor refuses that, so leave one of them out',
    ),
  ];
}

function ofHosts(
  path: Path,
  { networkMode, allowedHosts }: Pick<VerifierConfig, 'networkMode' | 'allowedHosts'>,
): readonly ConfigFinding[] {
  return findingIf(
    allowedHosts !== null && networkMode !== 'allowlist',
    [...path, 'allowed_hosts'],
    'has no effect, and Harbor refuses it, unless network_mode is "allowlist"; set that, or leave the list out',
  );
}

function findingIf(isWrong: boolean, path: Path, says: string): readonly ConfigFinding[] {
  return isWrong ? [{ path, says }] : [];
}
