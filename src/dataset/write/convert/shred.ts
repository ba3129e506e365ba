/**
 * Takes nested Arrow values apart into Parquet's leaves: values with levels that say where lists begin and what is null.
 * How levels work: https://github.com/julienledem/redelm/wiki/The-striping-and-assembly-algorithms-from-the-Dremel-paper
 */
import { DataType } from 'apache-arrow';
import type { Data } from 'apache-arrow';
import { dictionaryEntry } from '../arrow/cells.ts';
import { isValid } from '../arrow/columnData.ts';
import type { Entries } from '../entries.ts';
import type { ShredNode } from './parquetSchema.ts';

interface LeafBuffer {
  readonly definition: number[];
  readonly repetition: number[];
  readonly values: unknown[];
}

/** The entries of each leaf of a column, leaves in the order of the schema. */
export function shred(node: ShredNode, data: Data): Entries[] {
  const leaves: LeafBuffer[] = [];
  const visit = visitorOf(node, 0, 0, leaves);
  for (let row = 0; row < data.length; row++) visit(data, row, 0);
  return leaves.map(({ definition, repetition, values }) => ({
    count: definition.length,
    definition,
    repetition,
    values,
  }));
}

/** Adds the value of `data` at `row`, or null for all that is below when `data` is undefined, with `definition` reached. */
type Visit = (data: Data | undefined, row: number, repetition: number, definition?: number) => void;

function visitorOf(node: ShredNode, definition: number, depth: number, leaves: LeafBuffer[]): Visit {
  const own = definition + (node.optional ? 1 : 0);
  switch (node.kind) {
    case 'leaf': {
      const leaf: LeafBuffer = { definition: [], repetition: [], values: [] };
      leaves.push(leaf);
      return (data, row, repetition, reached = definition) => {
        leaf.repetition.push(repetition);
        const present = data !== undefined && (!node.optional || isValid(data, row));
        leaf.definition.push(present ? own : reached);
        if (present) leaf.values.push(node.valueAt(data, row));
      };
    }
    case 'dictionary': {
      const inner = visitorOf({ ...node.of, optional: node.optional }, definition, depth, leaves);
      return (data, row, repetition, reached = definition) => {
        const found = data === undefined || !isValid(data, row) ? undefined : dictionaryEntry(data, row);
        inner(found?.data, found?.row ?? 0, repetition, reached);
      };
    }
    case 'struct': {
      const children = node.children.map((child) => visitorOf(child, own, depth, leaves));
      return (data, row, repetition, reached = definition) => {
        const present = data !== undefined && (!node.optional || isValid(data, row));
        for (const [index, child] of children.entries()) {
          if (present) child(data.children[index], row, repetition);
          else child(undefined, 0, repetition, reached);
        }
      };
    }
    case 'list': {
      const item = visitorOf(node.item, own + 1, depth + 1, leaves);
      return (data, row, repetition, reached = definition) => {
        if (data === undefined || (node.optional && !isValid(data, row))) {
          item(undefined, 0, repetition, reached);
          return;
        }
        const { start, end } = spanOf(data, row);
        if (start === end) item(undefined, 0, repetition, own);
        for (let index = start; index < end; index++) {
          item(data.children[0], index, index === start ? repetition : depth + 1);
        }
      };
    }
  }
}

function spanOf(data: Data, row: number): { start: number; end: number } {
  const { type } = data;
  if (DataType.isFixedSizeList(type)) return { start: row * type.listSize, end: (row + 1) * type.listSize };
  const offsets = data.valueOffsets as ArrayLike<number | bigint>;
  return { start: Number(offsets[row]), end: Number(offsets[row + 1]) };
}
