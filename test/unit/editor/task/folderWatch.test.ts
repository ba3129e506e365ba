// The watcher of a workspace, on a real disk.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { watchWorkspace } from '../../../../src/editor/task/folderWatch.ts';

describe('the watcher of a workspace', () => {
  let root: string;
  let folder: string;
  let heard: number;
  let ran: number;
  let watcher: { dispose(): void };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'repair-bench-watch-'));
    // As a workspace is made: under another name first.
    await mkdir(join(root, 'new/work/app'), { recursive: true });
    await mkdir(join(root, 'new/runs'));
    await writeFile(join(root, 'new/work/app/solution.py'), 'x = 1\n');
    await writeFile(join(root, 'new/workspace.json'), '{}');
    folder = join(root, 'workspace');
    await rename(join(root, 'new'), folder);
    heard = 0;
    ran = 0;
    watcher = watchWorkspace(folder, { changed: () => heard++, ran: () => ran++ });
    await hears('the beginning');
    ran = 0;
  });
  afterEach(async () => {
    watcher.dispose();
    await rm(root, { recursive: true, force: true });
  });

  const solution = (): string => join(folder, 'work/app/solution.py');

  it('hears of a file that is written, replaced, deleted and made again, each time', async () => {
    for (let turn = 0; turn < 5; turn++) {
      await writeFile(solution(), `x = ${turn}0\n`);
      await hears(`a write, turn ${turn}`);
      await writeFile(`${solution()}.tmp`, `x = ${turn}1\n`);
      await rename(`${solution()}.tmp`, solution());
      await hears(`a replacement, turn ${turn}`);
      await rm(solution());
      await hears(`a deletion, turn ${turn}`);
      await writeFile(solution(), `x = ${turn}2\n`);
      await hears(`a new file, turn ${turn}`);
    }
  });

  it('hears of a file next to one that was deleted', async () => {
    await rm(solution());
    await hears('the deletion');
    await writeFile(join(folder, 'work/app/added.py'), 'y = 2\n');
    await hears('the addition');
  });

  it('hears of files in folders that are new, moved or made again', async () => {
    await mkdir(join(folder, 'work/lib/deep'), { recursive: true });
    await hears('a new folder');
    await writeFile(join(folder, 'work/lib/deep/one.py'), '1\n');
    await hears('a file in it');
    await rename(join(folder, 'work/lib'), join(folder, 'work/moved'));
    await hears('its move');
    await writeFile(join(folder, 'work/moved/deep/one.py'), '22\n');
    await hears('a file in the moved one');
    await rm(join(folder, 'work/moved'), { recursive: true });
    await hears('its deletion');
    await mkdir(join(folder, 'work/moved'));
    await hears('its return');
    await writeFile(join(folder, 'work/moved/two.py'), '2\n');
    await hears('a file in the one that is back');
  });

  it('hears of the end of the folder', async () => {
    await rm(folder, { recursive: true });
    await hears('the end');
  });

  it('tells runs from all else', async () => {
    await writeFile(join(folder, 'runs/0001.json'), '{}');
    const deadline = Date.now() + 5_000;
    while (ran === 0) {
      assert.ok(Date.now() < deadline, 'the run was not heard of');
      await delay(5);
    }
    assert.equal(heard, 0);
  });

  async function hears(what: string): Promise<void> {
    const deadline = Date.now() + 5_000;
    while (heard === 0) {
      assert.ok(Date.now() < deadline, `not heard of: ${what}`);
      await delay(5);
    }
    // Later echoes of the same change are not those of the next.
    await delay(80);
    heard = 0;
  }
});
