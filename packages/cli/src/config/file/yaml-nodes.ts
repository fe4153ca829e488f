import { isDeepStrictEqual } from 'node:util';
import { getDataLabel, isSameLabel } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import type { Data } from '../../resources/fields.ts';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from '../../yaml.ts';

/*
 * Updates the nodes of a file to new values. Nodes with the right value stay untouched, so that comments, order,
 * style and aliases are kept.
 */

const toPlain = (node: unknown, document: Document): unknown => (isNode(node) ? node.toJS(document) : node);

/** Writes items that are added to `[]` or `{}` one below the other: an empty list has no style to keep. */
export function useBlockStyle(node: YAMLMap | YAMLSeq, added: number): void {
  if (node.items.length === 0 && added > 0) node.flow = false;
}

/** Returns a node with the value: the existing one with as few changes as possible, or a new one. */
function updateNode(node: unknown, value: unknown, document: Document): unknown {
  if (isDeepStrictEqual(toPlain(node, document), value)) return node;
  if (isMap(node) && isObject(value)) {
    update(node as YAMLMap, value, document);
    return node;
  }
  if (isSeq(node) && Array.isArray(value)) {
    updateList(node as YAMLSeq, value, document);
    return node;
  }
  const isPlain = typeof value !== 'object' || value === null;
  if (isScalar(node) && isPlain) {
    node.value = value;
    return node;
  }
  const fresh = document.createNode(value);
  // A comment behind a value belongs to its field.
  if (isAlias(node) && isPlain) fresh.comment = node.comment ?? null;
  return fresh;
}

function update(map: YAMLMap, wanted: Data, document: Document): void {
  for (const item of [...map.items]) {
    const key = String(toPlain(item.key, document));
    if (wanted[key] === undefined) map.delete(key);
  }
  useBlockStyle(map, Object.keys(wanted).length);
  // The id comes first, also if the record had none yet.
  if (wanted.id !== undefined && !map.has('id')) map.items.unshift(document.createPair('id', wanted.id));
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    const node: unknown = map.get(key, true);
    const next = updateNode(node, value, document);
    if (next !== node) map.set(key, next);
  }
}

/** An item that stays in the list keeps its node, also at a new place. A new item replaces the node at its place. */
function updateList(list: YAMLSeq, wanted: readonly unknown[], document: Document): void {
  useBlockStyle(list, wanted.length);
  const nodes: readonly unknown[] = list.items;
  const rest = new Set(nodes);
  const take = (node: unknown): unknown => {
    rest.delete(node);
    return node;
  };
  const same = wanted.map((value) => {
    const found = [...rest].find((node) => isDeepStrictEqual(toPlain(node, document), value));
    return found === undefined ? undefined : take(found);
  });
  list.items = wanted.map((value, index) => {
    const remaining = same[index];
    if (remaining !== undefined) return remaining;
    const node = nodes[index];
    return isMap(node) && rest.has(node)
      ? updateNode(take(node), value, document)
      : document.createNode(value);
  });
}

/** Updates a list of records. They are matched by id, otherwise by label; new ones are added at the end. */
export function updateRecords(
  resource: ConfigurationResource,
  list: YAMLSeq,
  wanted: readonly Data[],
  document: Document,
): void {
  useBlockStyle(list, wanted.length);
  const rest = [...wanted];
  const found = new Map<unknown, Data>();
  const take = (node: unknown, at: number): void => {
    const [one] = at === -1 ? [] : rest.splice(at, 1);
    if (one !== undefined) found.set(node, one);
  };
  const nodes = list.items.filter((node) => isMap(node));
  const read = (node: unknown): Data => toPlain(node, document) as Data;
  for (const node of nodes) {
    const { id } = read(node);
    if (id !== undefined)
      take(
        node,
        rest.findIndex((one) => one.id === id),
      );
  }
  for (const node of nodes) {
    if (found.has(node)) continue;
    const label = getDataLabel(resource, read(node));
    take(
      node,
      rest.findIndex((one) => isSameLabel(getDataLabel(resource, one), label)),
    );
  }
  for (const [node, data] of found) update(node as YAMLMap, data, document);
  list.items = [...nodes.filter((node) => found.has(node)), ...rest.map((data) => document.createNode(data))];
}

/** Replaces every alias by its value. */
export function withoutAliases(document: Document): Document {
  visit(document, { Alias: (_key, node) => document.createNode(node.toJS(document)) });
  return document;
}
