import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfinedPathError, ConfinedRoot } from '../../../../../src/runtime/sandbox/root/confinedRoot.ts';

describe('confined root', function () {
  if (process.platform === 'win32') return;
  let folder: string;
  let outside: string;
  let inside: string;
  let root: ConfinedRoot;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'confined-'));
    outside = path.join(folder, 'outside');
    inside = path.join(folder, 'root');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'file'), 'outside');
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, dropped: false };
    root = await ConfinedRoot.make(inside, owner, (name) => name.startsWith('/usr/'));
  });
  afterEach(() => {
    assert.equal(readFileSync(path.join(outside, 'file'), 'utf8'), 'outside');
    assert.deepEqual(readdirSync(outside), ['file']);
    rmSync(folder, { recursive: true });
  });
  const text = (name: string): string => readFileSync(path.join(inside, name), 'utf8');
  const write = (name: string, owner: 'keep' | 'root' = 'root'): Promise<void> =>
    root.writeFile(name, Buffer.from('new'), 0o640, owner);

  it('writes files with their folders and modes', async () => {
    await write('/a/b/c');
    assert.equal(text('a/b/c'), 'new');
    assert.equal(lstatSync(path.join(inside, 'a/b/c')).mode & 0o777, 0o640);
    assert.equal(lstatSync(path.join(inside, 'a/b')).mode & 0o777, 0o755);
  });

  for (const target of ['/outside', '../outside', '../../outside', '/../outside', './../x/../outside']) {
    it(`takes a link to ${target} for a path inside`, async () => {
      symlinkSync(target, path.join(inside, 'link'));
      await write('/link/file');
      await root.makeEmpty('/link/emptied');
      await root.remove('/link/gone');
      assert.equal(text('outside/file'), 'new');
      assert.ok(existsSync(path.join(inside, 'outside/emptied')));
    });
  }

  it('takes a link to an absolute host path for a path inside', async () => {
    symlinkSync(outside, path.join(inside, 'link'));
    await write('/link/file');
    assert.equal(text(`${outside}/file`), 'new');
  });

  it('replaces a link instead of writing through it', async () => {
    symlinkSync(path.join(outside, 'file'), path.join(inside, 'link'));
    await write('/link');
    assert.equal(text('link'), 'new');
    assert.ok(lstatSync(path.join(inside, 'link')).isFile());
  });

  it('keeps the mode and the place of a file behind a link', async () => {
    writeFileSync(path.join(inside, 'real'), 'old');
    chmodSync(path.join(inside, 'real'), 0o751);
    symlinkSync('real', path.join(inside, 'link'));
    await write('/link', 'keep');
    assert.equal(text('real'), 'new');
    assert.equal(lstatSync(path.join(inside, 'real')).mode & 0o777, 0o751);
    assert.ok(lstatSync(path.join(inside, 'link')).isSymbolicLink());
  });

  it('leaves the other names of a replaced file alone', async () => {
    linkSync(path.join(outside, 'file'), path.join(inside, 'second'));
    await write('/second', 'keep');
    assert.equal(text('second'), 'new');
  });

  it('empties a link by putting a folder in its place', async () => {
    symlinkSync(outside, path.join(inside, 'tests'));
    await root.makeEmpty('/tests');
    assert.ok(lstatSync(path.join(inside, 'tests')).isDirectory());
    assert.equal(lstatSync(path.join(inside, 'tests')).mode & 0o777, 0o777);
  });

  it('removes a link and not what it points to', async () => {
    symlinkSync(outside, path.join(inside, 'link'));
    await root.remove('/link');
    await root.remove('/nothing/here');
    assert.ok(!existsSync(path.join(inside, 'link')));
  });

  it('never removes itself', async () => {
    await write('/kept');
    await root.remove('/');
    await root.remove('/../..');
    assert.equal(text('kept'), 'new');
  });

  it('refuses what lies in the system, also behind links', async () => {
    symlinkSync('usr/bin', path.join(inside, 'bin'));
    for (const name of ['/usr/bin/x', '/bin/x', '/usr/lib']) {
      await assert.rejects(write(name), (error) => {
        assert.ok(error instanceof ConfinedPathError, String(error));
        assert.equal(error.reason, 'read-only');
        return true;
      });
    }
  });

  it('refuses links in a circle and files in the way', async () => {
    symlinkSync('b', path.join(inside, 'a'));
    symlinkSync('a', path.join(inside, 'b'));
    await assert.rejects(write('/a/x'), { reason: 'too-many-links' });
    await write('/file');
    await assert.rejects(write('/file/x'), { reason: 'not-a-directory' });
    mkdirSync(path.join(inside, 'folder'));
    await assert.rejects(write('/folder'), { reason: 'not-a-directory' });
  });

  it('opens regular files only', async () => {
    symlinkSync(path.join(outside, 'file'), path.join(inside, 'link'));
    assert.equal(await root.openRegular(path.join(inside, 'link')), undefined);
    assert.equal(await root.openRegular(inside), undefined);
    await write('/file');
    const file = await root.openRegular(path.join(inside, 'file'));
    assert.equal((await file?.readFile())?.toString(), 'new');
    await file?.close();
  });
});
