// Who imports whom in src/, whatever kind of import it is: values, types, `import()`, re-exports.
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** What each file imports of ours. Paths are from the repository's root, with `/`. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Reads every import in src/. Fails on a relative import that leads to no file of src/. */
export async function readImportGraph(): Promise<ImportGraph> {
  const entries = await readdir(`${ROOT}src`, { recursive: true });
  const files = new Set(
    entries
      .filter((name) => name.endsWith('.ts'))
      .map((name) => posix.join('src', name.replaceAll('\\', '/'))),
  );
  const graph = new Map<string, readonly string[]>();
  for (const file of files) {
    const { importedFiles } = ts.preProcessFile(await readFile(ROOT + file, 'utf8'), true, false);
    const imported = importedFiles
      .filter(({ fileName }) => fileName.startsWith('.') && fileName.endsWith('.ts'))
      .map(({ fileName }) => posix.join(posix.dirname(file), fileName));
    const lost = imported.find((target) => !files.has(target));
    if (lost !== undefined) throw new Error(`${file} imports ${lost}, which is not there.`);
    graph.set(file, imported);
  }
  return graph;
}

/** The same graph between folders that lie side by side: of each import, the first folders in which its two ends differ. */
export function siblingFolders(graph: ImportGraph): ImportGraph {
  const edges = new Map<string, string[]>();
  for (const [file, imported] of graph)
    for (const target of imported) {
      const from = posix.dirname(file).split('/');
      const to = posix.dirname(target).split('/');
      const same = from.findIndex((name, at) => name !== to[at]);
      // One of the two folders lies in the other, or they are the same.
      if (same === -1 || same >= to.length) continue;
      const [a, b] = [from, to].map((names) => names.slice(0, same + 1).join('/'));
      if (a !== undefined && b !== undefined) edges.set(a, [...(edges.get(a) ?? []), b]);
    }
  return edges;
}

/** Every group of nodes that can reach each other, by Tarjan's algorithm. Empty: there is no circle. */
export function circlesOf(graph: ImportGraph): string[][] {
  const order = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const own = order.size;
    order.set(node, own);
    path.push(node);
    let low = own;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (path.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === own) {
      const group = path.splice(path.indexOf(node));
      if (group.length > 1 || graph.get(node)?.includes(node)) circles.push(group.sort());
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** How many files lie directly in each folder of src/. */
export function filesPerFolder(graph: ImportGraph): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of graph.keys()) {
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}
