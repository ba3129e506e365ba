// Messages send people to settings and options by name: each name must be one that exists.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsAsOptions } from '../../src/cli/settingsAsOptions.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sources(path) : path.endsWith('.ts') ? [path] : [];
  });
}

/** Settings that messages below the editor name; the command line rewrites them. */
const named = new Set(
  ['runtime', 'verifier', 'task', 'dataset', 'workspace', 'doctor'].flatMap((module) =>
    sources(join(ROOT, 'src', module)).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/the setting (repairBench\.[\w.]*\w)/g)].map(
        ([, setting = '']) => setting,
      ),
    ),
  ),
);

describe('a setting that a message names', () => {
  const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');

  for (const setting of named) {
    it(`${setting} is one of the extension`, () => {
      assert.ok(manifest.includes(`"${setting}": {`));
    });

    it(`${setting} is an option or a variable on the command line`, () => {
      assert.doesNotMatch(settingsAsOptions(`See the setting ${setting}.`), /repairBench/);
    });
  }

  it('is found in the sources', () => {
    assert.ok(named.size >= 4, [...named].join());
  });

  it('is named in words that fit an option', () => {
    assert.equal(
      settingsAsOptions('Check the name, or map it to a mirror in the setting repairBench.images.'),
      'Check the name, or map it to a mirror with --image-map A=B.',
    );
    assert.equal(
      settingsAsOptions(
        'Start Docker or Podman, or name an engine in the setting repairBench.dockerEndpoint.',
      ),
      'Start Docker or Podman, or name an engine by DOCKER_HOST.',
    );
  });
});
