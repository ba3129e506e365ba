import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTaskFolder, readTaskFolder } from '../../../../src/task/archive/taskFolder.ts';
import { remedyText } from '../../../host/remedyText.ts';

describe('a task folder', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'task-folder-'));
    mkdirSync(join(dir, 'tests/__pycache__'), { recursive: true });
    mkdirSync(join(dir, '.git'));
    writeFileSync(join(dir, '.git/HEAD'), 'ref');
    writeFileSync(join(dir, 'tests/__pycache__/a.pyc'), 'x');
    writeFileSync(join(dir, 'tests/test.sh'), '#!/bin/bash\r\n');
    writeFileSync(join(dir, 'instruction.md'), Buffer.from('caf\xe9', 'latin1'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it('is read with relative POSIX paths and unchanged bytes, without .git and __pycache__', async () => {
    chmodSync(join(dir, 'tests/test.sh'), 0o755);
    const result = await readTaskFolder(dir);
    assert.ok(result.ok);
    assert.deepEqual([...result.files.keys()], ['instruction.md', 'tests/test.sh']);
    assert.equal(Buffer.from(result.files.get('instruction.md')?.bytes ?? []).toString('latin1'), 'caf\xe9');
    if (process.platform !== 'win32') assert.equal(result.files.get('tests/test.sh')?.mode, 0o755);
  });

  it('is known by its instruction or its configuration', () => {
    assert.ok(isTaskFolder(['tests', 'instruction.md']));
    assert.ok(isTaskFolder(['task.toml']));
    assert.ok(!isTaskFolder(['README.md', 'tasks']));
  });

  it('is refused for a symbolic link, wherever it leads', async () => {
    for (const target of ['instruction.md', '/etc/passwd']) {
      symlinkSync(target, join(dir, 'tests/link'));
      const result = await readTaskFolder(dir);
      assert.ok(!result.ok);
      assert.equal(result.error.code, 'not-a-regular-file');
      assert.equal(
        `${result.error.message} ${remedyText(result.error.remedies)}`,
        'The folder was refused: "tests/link" is a symbolic link, and a task may hold only plain files and folders. Put a copy of the file in its place.',
      );
      rmSync(join(dir, 'tests/link'));
    }
  });

  it('is held to the same limits as an archive', async () => {
    for (const [limits, code] of [
      [{ members: 2 }, 'too-many-members'],
      [{ fileBytes: 8 }, 'file-too-large'],
      [{ totalBytes: 8 }, 'too-large'],
    ] as const) {
      const result = await readTaskFolder(dir, limits);
      assert.ok(!result.ok);
      assert.equal(result.error.code, code);
    }
  });

  it('that is not there, or empty, is an error that names it', async () => {
    const missing = await readTaskFolder(join(dir, 'nowhere'));
    assert.ok(!missing.ok);
    assert.equal(missing.error.code, 'unreadable');
    assert.match(missing.error.message, /nowhere" cannot be read/);
    mkdirSync(join(dir, 'bare'));
    const bare = await readTaskFolder(join(dir, 'bare'));
    assert.ok(!bare.ok);
    assert.equal(bare.error.code, 'empty');
  });

  it('may hold names that are no UTF-8', async function () {
    if (process.platform !== 'linux') this.skip();
    writeFileSync(Buffer.from(`${dir}/caf\xe9.c`, 'latin1'), 'x');
    const result = await readTaskFolder(dir);
    assert.ok(result.ok);
    assert.ok(result.files.has('caf\udce9.c'));
  });
});
