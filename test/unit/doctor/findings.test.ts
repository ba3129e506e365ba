import assert from 'node:assert/strict';
import { plainStyle } from '../../../src/cli/terminal/terminalStyle.ts';
import { renderFindings } from '../../../src/cli/render/renderFindings.ts';
import { allFine, type CheckName, type Finding } from '../../../src/doctor/finding.ts';
import { findingsOf } from '../../../src/doctor/findings.ts';
import type { SetupFacts } from '../../../src/doctor/setupFacts.ts';
import type { Remedy } from '../../../src/fault/remedy.ts';
import { remedyText } from '../../host/remedyText.ts';
import { ANSWERS, NO_ENGINE, NO_SANDBOX, WITHOUT_ENGINE, WORKING } from './helpers/setups.ts';

function found(facts: SetupFacts, check: CheckName): Finding {
  const finding = findingsOf(facts).find((each) => each.check === check);
  assert.ok(finding);
  return finding;
}

/** `check: state` of all that is not fine. */
function notFine(facts: SetupFacts): string[] {
  return findingsOf(facts).flatMap(({ check, state }) => (state === 'fine' ? [] : [`${check}: ${state}`]));
}

function isSandbox(remedy: Remedy): boolean {
  return remedy.kind === 'setting' && remedy.name === 'runtime' && remedy.value === 'sandbox';
}

function commands(finding: Finding): string[] {
  return finding.remedies.flatMap((remedy) => (remedy.kind === 'command' ? [remedy.line] : []));
}

describe('the doctor', () => {
  it('finds nothing to do where everything works', () => {
    assert.deepEqual(notFine(WORKING), []);
    assert.ok(allFine(findingsOf(WORKING)));
    assert.ok(findingsOf(WORKING).every(({ remedies }) => remedies.length === 0));
  });

  it('asks for an engine although the sandbox works, unless the sandbox was chosen', () => {
    assert.deepEqual(notFine(WITHOUT_ENGINE), [
      'engine: needs-care',
      'permissions: not-checked',
      'images: not-needed',
    ]);
    assert.deepEqual(notFine({ ...WITHOUT_ENGINE, requestedRuntime: 'sandbox' }), [
      'engine: not-needed',
      'permissions: not-checked',
      'images: not-needed',
    ]);
    assert.ok(allFine(findingsOf({ ...WITHOUT_ENGINE, requestedRuntime: 'sandbox' })));
  });

  it('needs a sandbox and its Python only where runs go there', () => {
    const bare = { ...WORKING.sandbox, probe: NO_SANDBOX, interpreter: undefined };
    assert.deepEqual(notFine({ ...WORKING, sandbox: bare }), ['sandbox: not-needed', 'python: not-needed']);
    const neither = { ...WITHOUT_ENGINE, sandbox: bare };
    assert.deepEqual(notFine(neither).slice(-2), ['sandbox: needs-care', 'python: needs-care']);
    assert.deepEqual(commands(found(neither, 'sandbox')), ['sudo apt-get install bubblewrap']);
    assert.deepEqual(commands(found(neither, 'python')), ['sudo apt-get install python3-pytest']);
    // A sandbox that does not work is no way out.
    assert.ok(!found(neither, 'engine').remedies.some(isSandbox));
  });

  it('says how this machine starts its engine', () => {
    const start = (facts: Partial<SetupFacts>) => {
      const [remedy] = found({ ...WITHOUT_ENGINE, ...facts }, 'engine').remedies;
      return remedy?.kind === 'command' ? remedy.line : remedyText(remedy ? [remedy] : []);
    };
    assert.equal(start({}), 'sudo systemctl start docker');
    assert.equal(start({ isRoot: true, hasSystemd: false }), 'dockerd');
    assert.equal(start({ enginePrograms: ['podman'] }), 'systemctl --user start podman.socket');
    assert.equal(start({ enginePrograms: [] }), 'sudo apt-get install docker.io');
    assert.equal(start({ platform: 'darwin' }), 'open -a Docker');
    assert.equal(start({ platform: 'win32' }), 'Start Docker Desktop, or install it.');
    assert.ok(found(WITHOUT_ENGINE, 'engine').remedies.some(isSandbox));
  });

  it('tells who may not use a socket from who must log in again', () => {
    const denied = (userIsListed: boolean, group: string | undefined = 'docker'): Finding =>
      found(
        {
          ...WORKING,
          engine: {
            kind: 'failed',
            failure: { ...NO_ENGINE, reason: 'no-permission', message: 'This user may not.' },
            sockets: [{ path: '/var/run/docker.sock', mayUse: false, group, userIsListed }],
          },
        },
        'permissions',
      );
    assert.deepEqual(commands(denied(false)), ['sudo usermod -aG docker "$USER"']);
    assert.match(denied(true).message, /this session began before that/);
    assert.deepEqual(commands(denied(true)), ['newgrp docker']);
    // A group name is a file's text: it stays one word of the command line.
    assert.deepEqual(commands(denied(false, 'a;b')), [`sudo usermod -aG 'a;b' "$USER"`]);
    assert.deepEqual(commands(denied(false, 'root')), []);
  });

  it('names the images that are missing, what stands in, and what stands in for nothing', () => {
    const images = found(
      {
        ...WORKING,
        imageMap: { 'ubuntu:22.04': 'mirror/ubuntu:22.04', 'node:20': 'mirror/node:20' },
        requestedImages: { from: 'd', tasks: 1, unread: 2, images: ['python:3.10-slim', 'ubuntu:22.04'] },
        engine: {
          ...ANSWERS,
          images: [
            { requested: 'python:3.10-slim', used: 'python:3.10-slim', present: false },
            { requested: 'ubuntu:22.04', used: 'mirror/ubuntu:22.04', present: true },
          ],
        },
      },
      'images',
    );
    assert.equal(
      images.message,
      'python:3.10-slim is not on the engine yet; the first run of 1 task of d must pull.',
    );
    assert.deepEqual(images.details, [
      'mirror/ubuntu:22.04 stands in for ubuntu:22.04.',
      'The image map has node:20, which none of these tasks uses.',
      '2 rows could not be read.',
    ]);
    assert.deepEqual(commands(images), ['docker pull python:3.10-slim']);
  });

  it("puts no task's text into a command line", () => {
    const evil = ['x\ntouch /tmp/a', '$(id)', 'a;b', '--privileged'];
    const images = found(
      {
        ...WORKING,
        engine: { ...ANSWERS, images: evil.map((name) => ({ requested: name, used: name, present: false })) },
      },
      'images',
    );
    assert.equal(images.state, 'needs-care');
    assert.deepEqual(commands(images), []);
  });

  it('asks nothing of images where it cannot', () => {
    assert.equal(found({ ...WORKING, requestedImages: undefined }, 'images').state, 'not-checked');
    const damaged = found(
      { ...WORKING, requestedImages: { problem: { message: 'It is cut short.', remedies: [] } } },
      'images',
    );
    assert.deepEqual(
      [damaged.state, damaged.message],
      ['needs-care', 'The tasks could not be read: It is cut short.'],
    );
  });

  it('sees a full disk and a folder that is read-only', () => {
    const [, ...others] = WORKING.places;
    const filled: SetupFacts = {
      ...WORKING,
      places: [
        { what: 'engine', path: '/var/lib/docker', freeBytes: 1024 ** 2, writable: undefined },
        ...others,
      ],
    };
    const full = found(filled, 'disk');
    assert.equal(
      full.message,
      "/var/lib/docker has only 1.0 MB free for the engine's images; 2.0 GB are wanted.",
    );
    assert.deepEqual(commands(full), ['docker system prune']);
    const engine = { ...ANSWERS, engine: { ...ANSWERS.engine, name: 'Podman 4.3.1' } };
    assert.deepEqual(commands(found({ ...filled, engine }, 'disk')), ['podman system prune']);
    const places = WORKING.places.map((place) => ({ ...place, writable: place.what === 'temporary' }));
    assert.deepEqual(notFine({ ...WORKING, places }), ['disk: needs-care', 'cache: needs-care']);
    assert.match(
      remedyText(found({ ...WORKING, places }, 'disk').remedies),
      /Or choose another folder for workspaces \(setting workspaceFolder\)\.$/,
    );
    // What is not known is no reason to worry.
    const unknown = WORKING.places.map((place) => ({ ...place, freeBytes: undefined }));
    assert.deepEqual(notFine({ ...WORKING, places: unknown }), []);
  });

  it('compares versions by their numbers', () => {
    const state = (version: string, least: string) =>
      found({ ...WORKING, programs: [{ name: 'VS Code', version, least }] }, 'program').state;
    assert.equal(state('1.100.3', '1.100.0'), 'fine');
    assert.equal(state('1.99.9', '1.100.0'), 'needs-care');
    assert.equal(state('1.100.0-insider', '1.100.0'), 'fine');
    assert.equal(state('18.20.0', '20'), 'needs-care');
  });

  it('is read as text: state in words, each fix with its line to type', () => {
    const neither = { ...WITHOUT_ENGINE, sandbox: { ...WORKING.sandbox, probe: NO_SANDBOX } };
    const look = plainStyle({ width: 100, colour: false, unicode: true });
    assert.equal(
      renderFindings(findingsOf(neither).slice(0, 4), look).join('\n'),
      `! Engine, needs attention: No Docker engine answers. Tried: /var/run/docker.sock.
    /var/run/docker.sock (the default socket): connect ENOENT /var/run/docker.sock
    Fix: Start Docker.
         $ sudo systemctl start docker
    Fix: Name an engine with the variable DOCKER_HOST.
○ Permissions, not checked: No engine was found, so its permissions could not be checked.
○ Images, not needed: The sandbox uses no images; it uses the programs of this machine.
! Sandbox, needs attention: The sandbox needs bwrap, which is not on PATH.
    Fix: Install bubblewrap.
         $ sudo apt-get install bubblewrap

2 of 4 need attention.`,
    );
  });
});
