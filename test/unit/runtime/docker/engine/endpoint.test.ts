import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chooseEndpoints,
  parseAddress,
  type EndpointChoice,
  type EndpointSources,
} from '../../../../../src/runtime/docker/engine/endpoint.ts';
import { remedyText } from '../../../../host/remedyText.ts';

describe('endpoint chain', () => {
  it('takes the setting before all else', () => {
    const chosen = choose({
      setting: 'unix:///mine.sock',
      env: { DOCKER_HOST: 'tcp://other:1', DOCKER_CONTEXT: 'remote' },
    });
    assert.deepEqual(places(chosen), ['/mine.sock']);
  });

  it('takes DOCKER_HOST before DOCKER_CONTEXT and the current context', () => {
    const chosen = choose({
      env: { DOCKER_HOST: 'tcp://builder:2375', DOCKER_CONTEXT: 'remote' },
      files: {
        '/home/me/.docker/config.json': '{"currentContext": "remote"}',
        ...context('remote', 'unix:///r'),
      },
    });
    assert.deepEqual(places(chosen), ['tcp://builder:2375']);
  });

  it('takes DOCKER_CONTEXT before the current context', () => {
    const chosen = choose({
      env: { DOCKER_CONTEXT: 'a' },
      files: {
        '/home/me/.docker/config.json': '{"currentContext": "b"}',
        ...context('a', 'unix:///a.sock'),
        ...context('b', 'unix:///b.sock'),
      },
    });
    assert.deepEqual(places(chosen), ['/a.sock']);
  });

  it('takes the current context of the configuration', () => {
    const chosen = choose({
      files: {
        '/home/me/.docker/config.json': '{"auths": {}, "currentContext": "colima"}',
        ...context('colima', 'unix:///home/me/.colima/docker.sock'),
      },
    });
    assert.deepEqual(places(chosen), ['/home/me/.colima/docker.sock']);
  });

  it('reads the configuration where DOCKER_CONFIG says', () => {
    const chosen = choose({
      env: { DOCKER_CONFIG: '/etc/dc' },
      files: {
        '/etc/dc/config.json': '{"currentContext": "x"}',
        ...context('x', 'unix:///x.sock', '/etc/dc'),
      },
    });
    assert.deepEqual(places(chosen), ['/x.sock']);
  });

  it("uses a context's certificates", () => {
    const id = idOf('tls');
    const chosen = choose({
      env: { DOCKER_CONTEXT: 'tls' },
      files: {
        ...context('tls', 'tcp://far:2376'),
        [`/home/me/.docker/contexts/tls/${id}/docker/ca.pem`]: 'CA',
        [`/home/me/.docker/contexts/tls/${id}/docker/key.pem`]: 'KEY',
      },
    });
    assert.ok(chosen.kind === 'candidates');
    assert.deepEqual(chosen.endpoints[0]?.address, {
      kind: 'tcp',
      host: 'far',
      port: 2376,
      tls: { ca: Buffer.from('CA'), key: Buffer.from('KEY') },
    });
  });

  it('uses DOCKER_CERT_PATH when DOCKER_TLS_VERIFY is set', () => {
    const chosen = choose({
      env: { DOCKER_HOST: 'tcp://far', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: '/certs' },
      files: { '/certs/cert.pem': 'CERT' },
    });
    assert.ok(chosen.kind === 'candidates');
    assert.deepEqual(chosen.endpoints[0]?.address, {
      kind: 'tcp',
      host: 'far',
      port: 2376,
      tls: { cert: Buffer.from('CERT') },
    });
  });

  it('says what to do about a context that cannot be read', () => {
    const chosen = choose({ env: { DOCKER_CONTEXT: 'gone' } });
    assert.ok(chosen.kind === 'failed');
    assert.equal(chosen.failure.reason, 'unsupported-endpoint');
    assert.match(chosen.failure.message, /"gone"/);
    assert.match(remedyText(chosen.failure.remedies), /docker context ls/);
  });

  for (const where of ['setting', 'DOCKER_HOST', 'context'] as const) {
    it(`refuses ssh in the ${where}`, () => {
      const url = 'ssh://me@far';
      const chosen = choose({
        ...(where === 'setting' && { setting: url }),
        env:
          where === 'DOCKER_HOST' ? { DOCKER_HOST: url } : where === 'context' ? { DOCKER_CONTEXT: 's' } : {},
        files: context('s', url),
      });
      assert.ok(chosen.kind === 'failed');
      assert.equal(chosen.failure.reason, 'unsupported-endpoint');
      assert.match(remedyText(chosen.failure.remedies), /Remote - SSH|forward/);
    });
  }

  it('tries the default sockets, then the rootless one, then those of Podman', () => {
    assert.deepEqual(places(choose({ env: { XDG_RUNTIME_DIR: '/run/user/7' } })), [
      '/var/run/docker.sock',
      '/home/me/.docker/run/docker.sock',
      '/run/user/7/docker.sock',
      '/run/user/7/podman/podman.sock',
      '/run/podman/podman.sock',
    ]);
  });

  it('tries no Podman when the default context was asked for', () => {
    assert.deepEqual(places(choose({ env: { DOCKER_CONTEXT: 'default' } })), [
      '/var/run/docker.sock',
      '/home/me/.docker/run/docker.sock',
    ]);
  });

  it('tries pipes on Windows', () => {
    const chosen = choose({ platform: 'win32', home: 'C:\\Users\\me' });
    assert.deepEqual(places(chosen).slice(0, 2), [
      '//./pipe/docker_engine',
      '//./pipe/dockerDesktopLinuxEngine',
    ]);
  });

  it('ignores a broken configuration', () => {
    const chosen = choose({ files: { '/home/me/.docker/config.json': '{"currentContext": 5' } });
    assert.equal(places(chosen)[0], '/var/run/docker.sock');
  });

  it('reads the address forms that people write', () => {
    assert.deepEqual(parseAddress('/run/x.sock', undefined), { kind: 'socket', path: '/run/x.sock' });
    assert.deepEqual(parseAddress('unix:///run/x.sock', undefined), { kind: 'socket', path: '/run/x.sock' });
    assert.deepEqual(parseAddress('npipe:////./pipe/x', undefined), { kind: 'socket', path: '//./pipe/x' });
    assert.deepEqual(parseAddress('tcp://h', undefined), { kind: 'tcp', host: 'h', port: 2375 });
    assert.deepEqual(parseAddress('h:99', undefined), { kind: 'tcp', host: 'h', port: 99 });
    assert.deepEqual(parseAddress('http://[::1]:99', undefined), { kind: 'tcp', host: '::1', port: 99 });
    assert.deepEqual(parseAddress('https://h', undefined), { kind: 'tcp', host: 'h', port: 443, tls: {} });
    for (const bad of ['unix://', 'ftp://h', 'tcp://', ':::'])
      assert.equal(parseAddress(bad, undefined), undefined);
  });
});

interface Machine extends Partial<EndpointSources> {
  readonly files?: Readonly<Record<string, string>>;
}

function choose({ files = {}, ...sources }: Machine): EndpointChoice {
  const readFile = (path: string): Buffer | undefined =>
    files[path] === undefined ? undefined : Buffer.from(files[path]);
  return chooseEndpoints({ env: {}, home: '/home/me', platform: 'linux', readFile, ...sources });
}

function places(choice: EndpointChoice): string[] {
  assert.ok(choice.kind === 'candidates', JSON.stringify(choice));
  return choice.endpoints.map(({ where }) => where);
}

function context(name: string, host: string, folder = '/home/me/.docker'): Record<string, string> {
  const meta = { Name: name, Metadata: {}, Endpoints: { docker: { Host: host, SkipTLSVerify: false } } };
  return { [`${folder}/contexts/meta/${idOf(name)}/meta.json`]: JSON.stringify(meta) };
}

function idOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}
