import { isDeepStrictEqual } from 'node:util';
import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/collect-data.ts';
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
import { labelOfData } from './shape.ts';

/*
 * Brings the nodes of a file to what they are to say. What says so already is not touched, so that comments, order,
 * style and aliases of it stay.
 */

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const plainOf = (node: unknown, document: Document): unknown => (isNode(node) ? node.toJS(document) : node);

/** `[]` and `{}` have no other style to keep: what is put into them is written one below the other. */
export function openUp(node: YAMLMap | YAMLSeq, added: number): void {
  if (node.items.length === 0 && added > 0) node.flow = false;
}

/** The node that says it: the one that is there, changed as little as can be, or a new one. */
function nodeOf(node: unknown, value: unknown, document: Document): unknown {
  if (isDeepStrictEqual(plainOf(node, document), value)) return node;
  if (isMap(node) && isData(value)) {
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
  // What is noted behind a value is noted of its field.
  if (isAlias(node) && isPlain) fresh.comment = node.comment ?? null;
  return fresh;
}

function update(map: YAMLMap, wanted: Data, document: Document): void {
  for (const item of [...map.items]) {
    const key = String(plainOf(item.key, document));
    if (wanted[key] === undefined) map.delete(key);
  }
  openUp(map, Object.keys(wanted).length);
  // An id leads its record, also where the record had none yet.
  if (wanted.id !== undefined && !map.has('id')) map.items.unshift(document.createPair('id', wanted.id));
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    const node: unknown = map.get(key, true);
    const next = nodeOf(node, value, document);
    if (next !== node) map.set(key, next);
  }
}

/** An item that is still wanted keeps its node wherever it goes; another one takes over the node at its place. */
function updateList(list: YAMLSeq, wanted: readonly unknown[], document: Document): void {
  openUp(list, wanted.length);
  const nodes: readonly unknown[] = list.items;
  const rest = new Set(nodes);
  const take = (node: unknown): unknown => {
    rest.delete(node);
    return node;
  };
  const same = wanted.map((value) => {
    const found = [...rest].find((node) => isDeepStrictEqual(plainOf(node, document), value));
    return found === undefined ? undefined : take(found);
  });
  list.items = wanted.map((value, index) => {
    const kept = same[index];
    if (kept !== undefined) return kept;
    const node = nodes[index];
    return isMap(node) && rest.has(node) ? nodeOf(take(node), value, document) : document.createNode(value);
  });
}

/** Records are known by their id, else by their label; new ones come last. */
export function updateRecords(
  resource: ConfigurationResource,
  list: YAMLSeq,
  wanted: readonly Data[],
  document: Document,
): void {
  openUp(list, wanted.length);
  const rest = [...wanted];
  const kept = list.items.filter((node) => {
    if (!isMap(node)) return false;
    const data = plainOf(node, document) as Data;
    const label = labelOfData(resource, data);
    const byId = rest.findIndex(({ id }) => id === data.id);
    const at = byId !== -1 ? byId : rest.findIndex((one) => labelOfData(resource, one) === label);
    const [found] = at === -1 ? [] : rest.splice(at, 1);
    if (found !== undefined) update(node as YAMLMap, found, document);
    return found !== undefined;
  });
  list.items = [...kept, ...rest.map((data) => document.createNode(data))];
}

/** Writes out what every alias stands for. */
export function withoutAliases(document: Document): Document {
  visit(document, { Alias: (_key, node) => document.createNode(node.toJS(document)) });
  return document;
}
