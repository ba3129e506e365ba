import assert from 'node:assert/strict';
import {
  folderToList,
  type HubFile,
  isTaskFile,
  taskChoices,
} from '../../../../src/dataset/hub/taskFiles.ts';

const files = (...paths: string[]): HubFile[] =>
  paths.map((path, index) => ({ path, bytes: index + 1, at: { kind: 'cache', hostPath: `/${path}` } }));
const shown = (all: HubFile[], path?: string): string[] =>
  taskChoices(all, path).map((choice) => `${choice.path} ${choice.files.length} ${choice.bytes}`);

describe('task files of a repository', () => {
  it('are told by the end of their name', () => {
    for (const path of ['a.parquet', 'A.PARQUET', 'x/b.arrow', 'c.tar.gz', 'd.tgz', 'e.tar'])
      assert.ok(isTaskFile(path), path);
    for (const path of ['README.md', 'a.parquet.md', 'a.gz', 'parquet', 'a.json'])
      assert.ok(!isTaskFile(path), path);
  });

  const published = files('README.md', 'zed__b/tasks.parquet', 'abe__a/tasks.parquet', 'abe__a/notes.md');

  it('are listed with their folders, one dataset each, where many are published together', () => {
    assert.deepEqual(shown(published), ['abe__a/tasks.parquet 1 3', 'zed__b/tasks.parquet 1 2']);
  });

  it('are found by path, by folder and by pattern', () => {
    assert.deepEqual(shown(published, 'zed__b/tasks.parquet'), ['zed__b/tasks.parquet 1 2']);
    assert.deepEqual(shown(published, 'zed__b'), ['zed__b/tasks.parquet 1 2']);
    assert.deepEqual(shown(published, 'zed'), []);
    assert.deepEqual(shown(published, '*/tasks.parquet').length, 2);
    assert.deepEqual(shown(published, '**/*.parquet').length, 2);
    assert.deepEqual(shown(published, '*.parquet'), []);
    assert.deepEqual(shown(published, 'README.md'), []);
  });

  const parts = files(
    'data/train-00002-of-00003.parquet',
    'data/train-00000-of-00003.parquet',
    'data/train-00001-of-00003.parquet',
    'data/test-00000-of-00002.parquet',
    'data/only-00000-of-00001.parquet',
  );

  it('come as one dataset when all its parts are there, in order', () => {
    assert.deepEqual(shown(parts), [
      'data/only-00000-of-00001.parquet 1 5',
      'data/test-00000-of-00002.parquet 1 4',
      'data/train-*-of-00003.parquet 3 6',
    ]);
    assert.deepEqual(
      taskChoices(parts, 'data/train-*-of-00003.parquet')[0]?.files.map(({ path }) => path.slice(11, 16)),
      ['00000', '00001', '00002'],
    );
    assert.deepEqual(shown(parts, 'data/train-00001-of-00003.parquet'), [
      'data/train-00001-of-00003.parquet 1 3',
    ]);
  });

  it('are looked for no further than needed', () => {
    assert.deepEqual([undefined, 'a/b.parquet', 'a/b/*.parquet', '*/x', 'a/[bc]/x'].map(folderToList), [
      '',
      'a/b.parquet',
      'a/b',
      '',
      'a',
    ]);
  });
});
