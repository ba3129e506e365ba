/** Engine, permissions and images. Pure. */
import { byCommand, bySetting, inWords, type Remedy } from '../fault/remedy.ts';
import { NAME_ENGINE } from '../runtime/docker/engine/endpoint.ts';
import { unusedMappings } from '../runtime/docker/image/imageMap.ts';
import type { EngineCheck } from '../runtime/docker/engineCheck.ts';
import { counted } from '../wording/counted.ts';
import { shellWord } from '../wording/shellWord.ts';
import { joinWords } from '../wording/joinWords.ts';
import { finding, type Finding, FOR_DEBIAN } from './finding.ts';
import { clientOf, type SetupFacts, usedRuntime } from './setupFacts.ts';

type Failed = Extract<EngineCheck, { kind: 'failed' }>;

const MOST_NAMED = 10;
const USE_SANDBOX = bySetting('runtime', 'use the sandbox instead', {
  value: 'sandbox',
  note: 'Verifiers then run without an engine, and RUN lines are not executed.',
});

export function engineFinding(facts: SetupFacts): Finding {
  const { engine, requestedRuntime } = facts;
  if (engine.kind === 'answers') {
    const { name, where, origin, platform, unenforced } = engine.engine;
    const limits = unenforced.length === 0 ? [] : [`It cannot enforce limits on ${joinWords(unenforced)}.`];
    return finding('engine', 'fine', `${name} answers at ${where} (${platform}).`, {
      details: [`Found by ${origin}.`, ...limits],
    });
  }
  const { failure } = engine;
  const details = linesOf(failure.detail);
  if (requestedRuntime === 'sandbox')
    return finding('engine', 'not-needed', `${failure.message} Runs go to the sandbox.`, { details });
  const sandbox = facts.sandbox.probe.available ? [USE_SANDBOX] : [];
  return finding('engine', 'needs-care', failure.message, {
    details,
    remedies: [...engineRemedies(facts, engine), ...sandbox],
  });
}

export function permissionsFinding(facts: SetupFacts): Finding {
  const { engine, requestedRuntime } = facts;
  if (engine.kind === 'answers') {
    const { where } = engine.engine;
    return where.includes('://')
      ? finding('permissions', 'fine', `${where} is reached over the network and let this user in.`)
      : finding('permissions', 'fine', `This user may use ${where}.`);
  }
  const denied = engine.sockets.find(({ mayUse }) => !mayUse);
  if (!denied)
    return finding(
      'permissions',
      'not-checked',
      'No engine was found, so its permissions could not be checked.',
    );
  const group = denied.group === undefined ? 'a group without a name' : `the group ${denied.group}`;
  const message = denied.userIsListed
    ? `This user is in ${group}, but this session began before that and may not use ${denied.path} yet.`
    : `This user may not use ${denied.path}: it belongs to root and ${group}.`;
  return finding('permissions', requestedRuntime === 'sandbox' ? 'not-needed' : 'needs-care', message, {
    remedies: permissionRemedies(denied),
  });
}

export function imagesFinding(facts: SetupFacts): Finding {
  const { requestedImages, engine, imageMap } = facts;
  if (usedRuntime(facts) === 'sandbox')
    return finding(
      'images',
      'not-needed',
      'The sandbox uses no images; it uses the programs of this machine.',
    );
  if (engine.kind !== 'answers')
    return finding('images', 'not-checked', 'No engine answers, so its images could not be checked.');
  if (requestedImages === undefined)
    return finding('images', 'not-checked', 'No tasks were named, so there are no images to check.');
  if ('problem' in requestedImages)
    return finding(
      'images',
      'needs-care',
      `The tasks could not be read: ${requestedImages.problem.message}`,
      {
        remedies: [...requestedImages.problem.remedies, inWords('Name another dataset.')],
      },
    );
  const missing = engine.images.filter(({ present }) => !present);
  const details = [
    ...engine.images.flatMap(({ requested: name, used }) =>
      used === name || used === `${name}:latest` ? [] : [`${used} stands in for ${name}.`],
    ),
    ...unusedMappings(imageMap, requestedImages.images).map(
      (key) => `The image map has ${key}, which none of these tasks uses.`,
    ),
    ...(requestedImages.unread === 0 ? [] : [`${counted(requestedImages.unread, 'row')} could not be read.`]),
  ];
  const of = `${counted(requestedImages.tasks, 'task')} of ${requestedImages.from}`;
  if (missing.length === 0)
    return finding('images', 'fine', `The engine has ${counted(engine.images.length, 'image')} for ${of}.`, {
      details,
    });
  const names = missing.map(({ used }) => used);
  return finding(
    'images',
    'needs-care',
    `${joinWords(names, { most: MOST_NAMED })} ${missing.length === 1 ? 'is' : 'are'} not on the engine yet; the first run of ${of} must pull.`,
    {
      details,
      remedies: [
        ...pullRemedies(engine.engine.name, names.slice(0, MOST_NAMED)),
        bySetting('images', 'say which image of the engine stands in for it'),
        ...(facts.sandbox.probe.available ? [USE_SANDBOX] : []),
      ],
    },
  );
}

function engineRemedies(facts: SetupFacts, { failure, sockets }: Failed): readonly Remedy[] {
  const denied = failure.reason === 'no-permission' && sockets.find(({ mayUse }) => !mayUse);
  if (denied) return permissionRemedies(denied);
  return failure.reason === 'no-engine' ? [startEngine(facts), NAME_ENGINE] : failure.remedies;
}

function startEngine({ platform, enginePrograms, hasSystemd }: SetupFacts): Remedy {
  const start = (what: string, line: string): Remedy => byCommand(line, `start ${what}`);
  if (platform === 'darwin') return start('Docker Desktop', 'open -a Docker');
  if (platform !== 'linux') return inWords('Start Docker Desktop, or install it.');
  if (enginePrograms.includes('dockerd'))
    return start('Docker', hasSystemd ? 'sudo systemctl start docker' : 'sudo dockerd');
  if (enginePrograms.includes('podman'))
    return start(
      "Podman's Docker API",
      hasSystemd ? 'systemctl --user start podman.socket' : 'podman system service --time=0',
    );
  return byCommand('sudo apt-get install docker.io', 'install Docker or Podman', FOR_DEBIAN);
}

function permissionRemedies({ group, userIsListed }: Failed['sockets'][number]): Remedy[] {
  if (group === undefined || group === 'root')
    return [inWords("Use a rootless engine, or let your user into the socket's group.")];
  if (userIsListed)
    return [
      inWords('Log out and in again.'),
      byCommand(
        `newgrp ${shellWord(group)}`,
        'join the group in one terminal, and start Repair Bench from there',
      ),
    ];
  return [
    byCommand(
      `sudo usermod -aG ${shellWord(group)} "$USER"`,
      `add yourself to the group ${group}`,
      'Then log out and in again. Members of this group can become root.',
    ),
  ];
}

function linesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split('\n');
}

/** One line for all of them. */
function pullRemedies(engineName: string, images: readonly string[]): Remedy[] {
  const client = clientOf(engineName);
  const pulls = images.filter(isImageName).map((image) => `${client} pull ${image}`);
  if (pulls.length === 0) return [];
  const note = 'This also shows whether the registry can be reached.';
  return [byCommand(pulls.join(' && '), 'pull what is missing now', note)];
}

/** Tasks name images, and nothing of a task goes into a command line that could mean more than a name there. */
function isImageName(name: string): boolean {
  return /^\w[\w./:@-]*$/.test(name);
}
