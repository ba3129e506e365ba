/** Puts Parquet's leaves together again into nested Arrow columns: the way back of `shred`. */
import { Field, List, Map_, Struct } from 'apache-arrow';
import type { Data, DataType } from 'apache-arrow';
import type { SchemaElement } from 'hyparquet';
import { columnData, validityOf } from '../arrow/columnData.ts';
import type { Entries } from '../entries.ts';
import type { LeafColumn } from '../../parquet/footer.ts';
import { arrowType, leafData } from './arrowTypes.ts';

/** A column, or a part of one. `definition` is the level from which on it is there and not null. */
export type AssemblyNode = { readonly field: Field; readonly definition: number } & (
  | { readonly kind: 'leaf'; readonly leaf: LeafColumn }
  | { readonly kind: 'struct'; readonly children: readonly AssemblyNode[] }
  | { readonly kind: 'list'; readonly depth: number; readonly item: AssemblyNode }
);

/** Entries of a leaf, all pieces together. */
export type LeafEntries = Pick<Entries, 'values'> & {
  readonly definition: readonly number[];
  readonly repetition: readonly number[];
};

/** The columns of a flattened schema. `refuse` makes the error for a column whose type Arrow does not have. */
export function assemblyOf(
  schema: readonly SchemaElement[],
  leaves: readonly LeafColumn[],
  refuse: (column: string, what: string) => Error,
): AssemblyNode[] {
  let at = 1;
  let leafAt = 0;
  let column = '';

  const next = (definition: number, depth: number): AssemblyNode => {
    const element = schema[at++];
    if (element === undefined) throw new RangeError('its schema is incomplete');
    if (element.repetition_type !== 'REPEATED') return single(element, definition, depth);
    // A repeated field outside of a list is a list of itself.
    const item = single({ ...element, repetition_type: 'REQUIRED' }, definition + 1, depth + 1);
    return listNode(element.name, false, definition, depth, item);
  };

  const single = (element: SchemaElement, above: number, depth: number): AssemblyNode => {
    const optional = element.repetition_type === 'OPTIONAL';
    const definition = above + (optional ? 1 : 0);
    const { name } = element;
    if (element.type !== undefined) {
      const type = arrowType(element);
      const leaf = leaves[leafAt++];
      if (type === undefined || leaf === undefined) throw refuse(column, `${element.type} values`);
      return { kind: 'leaf', field: new Field(name, type, optional), definition, leaf };
    }
    const repeated = schema[at];
    if (isListLike(element) && repeated?.repetition_type === 'REPEATED') {
      at++;
      const isGroup = repeated.num_children !== undefined && repeated.type === undefined;
      const isMap = isGroup && repeated.num_children === 2 && isMapLike(element);
      // The usual three levels; older writers have two, where the repeated field is the item itself.
      const item =
        isGroup && repeated.num_children === 1 && !isMap
          ? next(definition + 1, depth + 1)
          : single({ ...repeated, repetition_type: 'REQUIRED' }, definition + 1, depth + 1);
      return listNode(name, optional, definition, depth, item, isMap);
    }
    const children = Array.from({ length: element.num_children ?? 0 }, () => next(definition, depth));
    if (children.length === 0) throw refuse(column, 'groups without fields');
    const type = new Struct(children.map(({ field }) => field));
    return { kind: 'struct', field: new Field(name, type, optional), definition, children };
  };

  const columns: AssemblyNode[] = [];
  while (at < schema.length) {
    column = schema[at]?.name ?? '';
    columns.push(next(0, 0));
  }
  return columns;
}

function listNode(
  name: string,
  optional: boolean,
  definition: number,
  depth: number,
  item: AssemblyNode,
  isMap = false,
): AssemblyNode {
  const type: DataType = isMap ? new Map_(item.field) : new List(item.field);
  return { kind: 'list', field: new Field(name, type, optional), definition, depth: depth + 1, item };
}

function isListLike(element: SchemaElement): boolean {
  return element.converted_type === 'LIST' || element.logical_type?.type === 'LIST' || isMapLike(element);
}

function isMapLike({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'MAP' || converted === 'MAP_KEY_VALUE' || logical?.type === 'MAP';
}

/** The column of one node for some rows. */
export function assemble(node: AssemblyNode, entriesOf: (leaf: LeafColumn) => LeafEntries): Data {
  return build(node, 0, 0, entriesOf);
}

/** A slot of `node` is an entry that begins at most `depth` lists deep, where the list item around it is there. */
function build(
  node: AssemblyNode,
  around: number,
  depth: number,
  entriesOf: (leaf: LeafColumn) => LeafEntries,
): Data {
  const { definition, repetition, values } = entriesOf(firstLeaf(node));
  const type: DataType = node.field.type;
  const present: boolean[] = [];
  if (node.kind === 'leaf') {
    const slots: unknown[] = [];
    let value = 0;
    for (const reached of definition) {
      if (reached < around) continue;
      slots.push(reached >= node.definition ? values[value++] : null);
    }
    return leafData(type, slots);
  }
  const offsets = [];
  let items = 0;
  for (const [entry, reached] of definition.entries()) {
    const level = repetition[entry] ?? 0;
    if (level <= depth && reached >= around) {
      present.push(reached >= node.definition);
      offsets.push(items);
    }
    if (node.kind === 'list' && level <= node.depth && reached > node.definition) items++;
  }
  const validity = validityOf(present);
  if (node.kind === 'struct') {
    const children = node.children.map((child) => build(child, around, depth, entriesOf));
    return columnData(type, present.length, { validity, children });
  }
  const child = build(node.item, node.definition + 1, node.depth, entriesOf);
  return columnData(type, present.length, {
    validity,
    offsets: Int32Array.from([...offsets, items]),
    children: [child],
  });
}

function firstLeaf(node: AssemblyNode): LeafColumn {
  if (node.kind === 'leaf') return node.leaf;
  const child = node.kind === 'list' ? node.item : node.children[0];
  if (child === undefined) throw new RangeError('a group has no leaf');
  return firstLeaf(child);
}
