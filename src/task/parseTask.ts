/** Turns a task's files into a `Task`: instruction, configuration, Dockerfile, family, gold, and their problems. */
import { createHash } from 'node:crypto';
import { type DockerfileFacts, parseDockerfile } from './dockerfile/dockerfile.ts';
import { environmentFilesOf, expandCopies, type ExpandedCopies } from './dockerfile/expandCopies.ts';
import { familyOf } from './families/family.ts';
import { goldOf } from './gold.ts';
import { readMetadata } from './metadata.ts';
import type { Task, TaskFiles } from './task.ts';
import { COMPOSE_FILE, DOCKERFILE, INSTRUCTION, TASK_TOML, TEST_SCRIPT } from './taskLayout.ts';
import type { TaskProblem } from './taskProblem.ts';
import { parseTaskConfig, type ParsedTaskConfig } from './config/parseTaskConfig.ts';
import type { TaskConfig } from './config/taskConfig.ts';
import { decodeText, instructionText } from './taskText.ts';
import { testScriptProblems } from './testScript.ts';

/**
 * Parses a task. Pure. Never throws for bad content: `problems` says what is wrong, and the task opens all the same.
 */
export function parseTask(id: string, files: TaskFiles): Task {
  const instruction = readInstruction(files);
  const { config, problems: configProblems } = readConfig(files);
  const { dockerfile, copies, problems: dockerfileProblems } = readDockerfile(files, config);
  const { metadata, problems: metadataProblems } = readMetadata(files);
  const family = familyOf({
    files,
    placed: copies.files,
    metadata,
    instruction: instruction ?? '',
    testScript: textOf(files, TEST_SCRIPT),
    dockerfile: textOf(files, DOCKERFILE),
  });
  return {
    id,
    files,
    instruction,
    config,
    dockerfile,
    placed: copies.files,
    family: family.facts,
    gold: goldOf(files, family.facts),
    problems: [
      ...(instruction === undefined ? [NO_INSTRUCTION] : []),
      ...testScriptProblems(files),
      ...configProblems,
      ...dockerfileProblems,
      ...metadataProblems,
      ...family.problems,
    ],
    hash: hashOfFiles(files),
  };
}

const NO_INSTRUCTION: TaskProblem = {
  code: 'no-instruction',
  severity: 'warning',
  file: INSTRUCTION,
  message:
    'The task has no instruction.md, so it does not say what is to be repaired. It can be verified all the same; add the file before anybody is asked to solve it.',
};

function readInstruction(files: TaskFiles): string | undefined {
  const file = files.get(INSTRUCTION);
  return file === undefined ? undefined : instructionText(file.bytes);
}

function textOf(files: TaskFiles, path: string): string {
  const file = files.get(path);
  return file === undefined ? '' : decodeText(file.bytes);
}

const MOST_CONFIG_BYTES = 1024 * 1024;

function readConfig(files: TaskFiles): ParsedTaskConfig {
  const file = files.get(TASK_TOML);
  if (file !== undefined && file.bytes.length > MOST_CONFIG_BYTES) {
    const { config } = parseTaskConfig('');
    return {
      config,
      problems: [
        {
          code: 'bad-toml',
          severity: 'warning',
          file: TASK_TOML,
          message: `task.toml has ${file.bytes.length} bytes, more than the ${MOST_CONFIG_BYTES} that are read. The task opens with default settings; shorten the file.`,
        },
      ],
    };
  }
  const { config, problems } = parseTaskConfig(textOf(files, TASK_TOML));
  return { config, problems: [...problems, ...unsupported(files, config)] };
}

/** Problems for what Harbor would do and a run here does not. */
function unsupported(files: TaskFiles, config: TaskConfig): readonly TaskProblem[] {
  const problems: TaskProblem[] = [];
  if (config.environment.os === 'windows')
    problems.push({
      code: 'bad-config',
      severity: 'blocking',
      file: TASK_TOML,
      message:
        'In task.toml, environment.os is "windows", but only Linux containers can be run here. Choose a task for Linux.',
    });
  if (files.has(COMPOSE_FILE))
    problems.push({
      code: 'bad-config',
      severity: 'warning',
      file: COMPOSE_FILE,
      message:
        'The task has a docker-compose.yaml, but only its main image is run here, without other services. Expect another result than under Harbor where the verifier needs them.',
    });
  return problems;
}

function readDockerfile(
  files: TaskFiles,
  config: TaskConfig,
): {
  readonly dockerfile: DockerfileFacts | undefined;
  readonly copies: ExpandedCopies;
  readonly problems: readonly TaskProblem[];
} {
  const prebuilt = config.environment.dockerImage !== null;
  if (!files.has(DOCKERFILE))
    return { dockerfile: undefined, copies: NO_COPIES, problems: prebuilt ? [] : [NO_DOCKERFILE] };
  const { facts, problems } = parseDockerfile(textOf(files, DOCKERFILE));
  const copies = facts === undefined ? NO_COPIES : expandCopies(facts, environmentFilesOf(files));
  const all = [...problems, ...copies.problems];
  return {
    dockerfile: facts,
    copies,
    // An image that is only pulled needs no Dockerfile that builds.
    problems: prebuilt ? all.map((problem) => ({ ...problem, severity: 'warning' })) : all,
  };
}

const NO_COPIES: ExpandedCopies = { files: [], problems: [] };

const NO_DOCKERFILE: TaskProblem = {
  code: 'no-dockerfile',
  severity: 'blocking',
  file: DOCKERFILE,
  message:
    'The task has neither environment/Dockerfile nor environment.docker_image in task.toml, so there is no image to run its verifier in. Add one of them.',
};

/** SHA-256 over `"path" length\n` (the path as JSON) and the bytes of each file, sorted by path; modes are left out. */
export function hashOfFiles(files: TaskFiles): string {
  const hash = createHash('sha256');
  for (const [path, file] of [...files].sort(([left], [right]) => (left < right ? -1 : 1))) {
    hash.update(`${JSON.stringify(path)} ${file.bytes.length}\n`);
    hash.update(file.bytes);
  }
  return hash.digest('hex');
}
