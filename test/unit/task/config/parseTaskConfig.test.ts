import assert from 'node:assert/strict';
import { parseTaskConfig } from '../../../../src/task/config/parseTaskConfig.ts';
import { effectiveLimits } from '../../../../src/task/config/taskConfig.ts';

function problems(text: string): string[] {
  return parseTaskConfig(text).problems.map(
    ({ code, line, column, message }) => `${code} ${line ?? '-'}:${column ?? '-'} ${message}`,
  );
}

describe('task.toml', () => {
  it('with thousands of wrong values keeps the right ones, and lists the first fifty', () => {
    // Each wrong value used to be found by parsing all of the others again.
    const wrong = Array.from({ length: 5000 }, (_, index) => `K${index} = ${index}`).join('\n');
    const { config, problems: found } = parseTaskConfig(
      `[environment]\ncpus = 3\n[verifier.env]\nRIGHT = "yes"\n${wrong}\n`,
    );
    assert.equal(config.environment.cpus, 3);
    assert.deepEqual(config.verifier.env, { RIGHT: 'yes' });
    assert.equal(found.length, 50);
  });

  it('that is empty gives the defaults of Harbor, and says nothing', () => {
    const { config, problems } = parseTaskConfig('');
    assert.deepEqual(problems, []);
    assert.deepEqual(config, {
      schemaVersion: null,
      version: null,
      task: null,
      metadata: {},
      verifier: {
        timeoutSec: 600,
        env: {},
        user: null,
        networkMode: null,
        allowedHosts: null,
        environmentMode: 'shared',
        environment: null,
        collect: [],
      },
      agent: { timeoutSec: null, user: null, networkMode: null, allowedHosts: null },
      environment: {
        buildTimeoutSec: 600,
        dockerImage: null,
        os: 'linux',
        cpus: null,
        memoryMb: null,
        storageMb: null,
        memory: null,
        storage: null,
        gpus: null,
        gpuTypes: null,
        tpu: null,
        mcpServers: [],
        env: {},
        skillsDir: null,
        healthcheck: null,
        workdir: null,
        networkMode: 'public',
        allowedHosts: null,
      },
      solution: { env: {} },
      source: null,
      multiStepRewardStrategy: 'mean',
      steps: [],
      artifacts: [],
    });
    assert.deepEqual(effectiveLimits(config), { cpus: 1, memoryMb: 2048 });
  });

  it('is read as the public sets write it, indented or not', () => {
    const { config, problems } = parseTaskConfig(
      `    version = "1.0"\r\n\r\n    [agent]\r\n    timeout_sec = 900.0\r\n    [metadata]\r\n    tags = ["a"]\r\n    [verifier]\r\n    restart_environment = false\r\n    timeout_sec = 720.0\r\n    [environment]\r\n    storage_mb = 4096\r\n`,
    );
    assert.deepEqual(problems, []);
    assert.equal(config.version, '1.0');
    assert.equal(config.agent.timeoutSec, 900);
    assert.equal(config.verifier.timeoutSec, 720);
    assert.equal(config.environment.storageMb, 4096);
    assert.deepEqual(config.metadata, { tags: ['a'] });
  });

  it('may use all of schema 1.3', () => {
    const { config, problems } = parseTaskConfig(`
schema_version = "1.3"
artifacts = ["/app/out.txt", { source = "/app/log", destination = "log", exclude = ["*.tmp"] }]
[task]
name = "org/name"
[[task.authors]]
name = "A"
[verifier]
user = 1000
[verifier.env]
KEY = "\${KEY:-none}"
[[verifier.collect]]
command = "true"
[environment]
docker_image = "python:3.10"
os = "Linux"
cpus = 2
memory_mb = 1024
gpus = 0
gpu_types = ["H100"]
workdir = "/app"
network_mode = "allowlist"
allowed_hosts = ["*.example.org"]
tpu = { type = "v5", topology = "2x2" }
[environment.healthcheck]
command = "true"
[[environment.mcp_servers]]
name = "m"
transport = "http"
url = "http://x"
[[steps]]
name = "one"
min_reward = { reward = 0.5 }
[steps.verifier]
timeout_sec = 5
[solution.env]
A = "1"
`);
    assert.deepEqual(problems, []);
    assert.equal(config.verifier.user, '1000');
    assert.deepEqual(config.verifier.env, { KEY: '${KEY:-none}' });
    assert.deepEqual(config.verifier.collect, [
      { command: 'true', service: 'main', timeoutSec: 60, user: null },
    ]);
    assert.deepEqual(config.artifacts, [
      { source: '/app/out.txt', destination: null, exclude: [], service: null },
      { source: '/app/log', destination: 'log', exclude: ['*.tmp'], service: null },
    ]);
    assert.equal(config.environment.os, 'linux');
    assert.equal(config.environment.mcpServers[0]?.transport, 'streamable-http');
    assert.equal(config.environment.healthcheck?.retries, 3);
    assert.deepEqual(config.environment.allowedHosts, ['*.example.org']);
    assert.equal(config.steps[0]?.verifier.timeoutSec, 5);
    assert.deepEqual(config.steps[0]?.minReward, { reward: 0.5 });
    assert.equal(config.multiStepRewardStrategy, 'mean');
    assert.deepEqual(config.solution.env, { A: '1' });
    assert.deepEqual(effectiveLimits(config), { cpus: 2, memoryMb: 1024 });
  });

  it('may use the old spellings', () => {
    const { config, problems } = parseTaskConfig(
      '[environment]\nmemory = "2G"\nstorage = "512M"\nallow_internet = false\n',
    );
    assert.deepEqual(problems, []);
    assert.equal(config.environment.memoryMb, 2048);
    assert.equal(config.environment.storageMb, 512);
    assert.equal(config.environment.networkMode, 'no-network');
    const newer = parseTaskConfig('[environment]\nallow_internet = false\nnetwork_mode = "public"\n');
    assert.equal(newer.config.environment.networkMode, 'public');
  });

  it('with a table declared twice opens with defaults and says where', () => {
    const text = '[verifier]\ntimeout_sec = 5\n[verifier.env]\nA = "1"\n[verifier.env]\nB = "2"\n';
    assert.equal(parseTaskConfig(text).config.verifier.timeoutSec, 600);
    assert.deepEqual(problems(text), [
      'bad-toml 5:2 task.toml cannot be read: a table or key is declared twice. The task opens with default settings, but Harbor would refuse it: correct the file.',
    ]);
  });

  it('that is no TOML opens with defaults and says where', () => {
    assert.match(problems('a = 1\nb = \n')[0] ?? '', /^bad-toml 2:\d+ task\.toml cannot be read: /);
    assert.match(problems('\0\0')[0] ?? '', /^bad-toml 1:/);
    assert.equal(problems(`a = ${'['.repeat(5000)}`).length, 1);
  });

  it('with values that cannot be used keeps the rest and says where', () => {
    const text = `[verifier]
timeout_sec = -1
user = "root"
[verifier.env]
PORT = 80
GOOD = "yes"
[environment]
workdir = "app"
  network_mode = "off"
[environment.healthcheck]
retries = 2
`;
    const { config } = parseTaskConfig(text);
    assert.equal(config.verifier.timeoutSec, 600);
    assert.equal(config.verifier.user, 'root');
    assert.deepEqual(config.verifier.env, { GOOD: 'yes' });
    assert.equal(config.environment.healthcheck, null);
    assert.deepEqual(problems(text), [
      'bad-config 2:1 In task.toml, verifier.timeout_sec must be above 0, but it is -1; its default is used instead.',
      'bad-config 5:1 In task.toml, verifier.env.PORT must be text in quotes, but it is 80; its default is used instead.',
      'bad-config 10:1 In task.toml, environment.healthcheck.command is missing, so the whole of environment.healthcheck is left out.',
      'bad-config 8:1 In task.toml, environment.workdir must be an absolute path in the container, such as "/app", but it is "app"; its default is used instead.',
      'bad-config 9:3 In task.toml, environment.network_mode must be "no-network", "public" or "allowlist", but it is "off"; its default is used instead.',
    ]);
  });

  it('with contradictions says which side is used', () => {
    assert.deepEqual(
      problems(
        'schema_version = "1.4"\n[environment]\ncpus = 0.5\nmemory = "1G"\nmemory_mb = 4096\nallowed_hosts = ["a"]\n',
      ),
      [
        'bad-config 1:1 In task.toml, schema_version is 1.4, newer than the 1.3 that is known here; keys that it adds have no effect.',
        'bad-config 3:1 In task.toml, environment.cpus is 0.5, which is used here, but Harbor takes whole numbers only; use 1 or more.',
        'bad-config 6:1 In task.toml, environment.allowed_hosts has no effect, and Harbor refuses it, unless network_mode is "allowlist"; set that, or leave the list out.',
        'bad-config 4:1 In task.toml, environment.memory is 1G, but memory_mb is 4096, which is used; Harbor refuses both together, so leave memory out.',
      ],
    );
    assert.equal(parseTaskConfig('[environment]\ncpus = 0.5\n').config.environment.cpus, 0.5);
  });

  it('knows when the verifier has an environment of its own', () => {
    const own = parseTaskConfig('[verifier.environment]\ncpus = 4\n').config.verifier;
    assert.equal(own.environmentMode, 'separate');
    assert.equal(own.environment?.cpus, 4);
    const alike = parseTaskConfig('[verifier]\nenvironment_mode = "separate"\n').config.verifier;
    assert.deepEqual([alike.environmentMode, alike.environment], ['separate', null]);
    assert.match(
      problems('[verifier]\nenvironment_mode = "shared"\n[verifier.environment]\n')[0] ?? '',
      /^bad-config 2:1 .* leave one of them out\.$/,
    );
  });

  it('is plain JSON once parsed, dates and big numbers included', () => {
    const { config } = parseTaskConfig(
      '[metadata]\ndate = 2020-01-02\nbig = 99999999999999999999\n__proto__ = 1\n',
    );
    assert.equal(JSON.parse(JSON.stringify(config)).metadata.date, '2020-01-02');
    assert.equal(config.metadata['big'], 1e20);
  });
});
