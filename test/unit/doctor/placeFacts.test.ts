import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enginePlaceFact, userPlaceFact } from '../../../src/doctor/placeFacts.ts';

describe('places', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repair-bench-places-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are looked at where they will be made', async () => {
    const place = await userPlaceFact('workspaces', join(folder, 'not/yet'));
    assert.equal(place.writable, true);
    assert.ok((place.freeBytes ?? 0) > 0);
  });

  it('cannot be made inside a file', async () => {
    await writeFile(join(folder, 'file'), '');
    assert.equal((await userPlaceFact('workspaces', join(folder, 'file/below'))).writable, false);
  });

  it('of an engine elsewhere are unknown', async () => {
    assert.equal((await enginePlaceFact(join(folder, 'elsewhere'))).freeBytes, undefined);
  });
});
