// The layout of src/: no circles, small folders, and a line in CONTRIBUTING for each room.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  circlesOf,
  filesPerFolder,
  type ImportGraph,
  readImportGraph,
  siblingFolders,
} from './helpers/importGraph.ts';

const MOST_FILES = 15;

describe('the house', function () {
  this.timeout(60_000);
  let graph: ImportGraph;
  before(async () => {
    graph = await readImportGraph();
  });

  it('is read whole: with imports of types, and imports that happen later', () => {
    assert.ok(graph.size > 400, `only ${graph.size} files were found`);
    // One of each kind, so that a reader that misses a kind fails here.
    assert.ok(graph.get('src/extension.ts')?.includes('src/editor/repairBench.ts'), 'import … from');
    assert.ok(graph.get('src/runtime/runtime.ts')?.includes('src/runtime/evidence.ts'), 'import type');
    assert.ok(
      graph.get('src/editor/datasets/registerDatasets.ts')?.includes('src/dataset/openDataset.ts'),
      'import( … )',
    );
  });

  it('has no circle between files', () => {
    assert.deepEqual(circlesOf(graph), []);
  });

  it('has no circle between folders that lie side by side', () => {
    assert.deepEqual(circlesOf(siblingFolders(graph)), []);
  });

  it(`has at most ${MOST_FILES} files in a folder`, () => {
    const crowded = [...filesPerFolder(graph)].filter(([, count]) => count > MOST_FILES);
    assert.deepEqual(crowded, []);
  });

  it('is described in CONTRIBUTING.md, folder by folder', async () => {
    const text = await readFile(fileURLToPath(new URL('../../CONTRIBUTING.md', import.meta.url)), 'utf8');
    const missing = [...filesPerFolder(graph).keys()].filter(
      (folder) => folder !== 'src' && !text.includes(`${folder}/ `),
    );
    assert.deepEqual(missing, []);
  });
});

describe('the search for circles', () => {
  const graphOf = (edges: Record<string, string[]>): ImportGraph => new Map(Object.entries(edges));

  it('finds two files that import each other, and a ring of three', () => {
    const graph = graphOf({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['e'], e: ['c'], f: ['a'] });
    assert.deepEqual(circlesOf(graph).sort(), [
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  it('finds none where all arrows go one way', () => {
    assert.deepEqual(circlesOf(graphOf({ a: ['b', 'c'], b: ['c'], c: [] })), []);
  });

  it('finds rooms that import each other through different files', () => {
    const graph = graphOf({
      'src/m/one/a.ts': ['src/m/two/b.ts'],
      'src/m/two/b.ts': [],
      'src/m/two/c.ts': ['src/m/one/d.ts'],
      'src/m/one/d.ts': ['src/m/root.ts'],
      'src/m/root.ts': ['src/m/one/a.ts'],
    });
    assert.deepEqual(circlesOf(siblingFolders(graph)), [['src/m/one', 'src/m/two']]);
  });
});
