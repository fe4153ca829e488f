import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/collect-data.ts';
import { Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from '../../yaml.ts';
import type { Content } from './content.ts';
import { invalidFile } from './problems.ts';
import { configVersion, parseConfig } from './read.ts';
import { labelOfData } from './shape.ts';

const head = ` The messaging configuration of an organization, written by "orgchat config export".
 References are names. A record keeps its id, so that it can be renamed here.`;

const settings = { lineWidth: 0 } as const;

/** A new file. */
export function freshText(content: Content): string {
  const document = new Document({ version: configVersion, ...content });
  document.commentBefore = head;
  for (const item of isMap(document.contents) ? document.contents.items.slice(1) : []) {
    (item.key as { spaceBefore?: boolean }).spaceBefore = true;
  }
  return document.toString(settings);
}

export const jsonText = (content: Content): string =>
  `${JSON.stringify({ version: configVersion, ...content }, null, 2)}\n`;

/** `[]` and `{}` have no other style to keep: what is put into them is written one below the other. */
function openUp(node: YAMLMap | YAMLSeq, added: number): void {
  if (node.items.length === 0 && added > 0) node.flow = false;
}

/** Sets only what is different, so that comments, order and style of the rest stay. */
function update(map: YAMLMap, wanted: Data, document: Document): void {
  for (const item of [...map.items]) {
    const key = String((item.key as { value?: unknown } | null)?.value ?? item.key);
    if (wanted[key] === undefined) map.delete(key);
  }
  openUp(map, Object.keys(wanted).length);
  // An id leads its record, also where the record had none yet.
  if (wanted.id !== undefined && !map.has('id')) map.items.unshift(document.createPair('id', wanted.id));
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    const node: unknown = map.get(key, true);
    if (isMap(node) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      update(node, value as Data, document);
    } else if (isSeq(node) && Array.isArray(value)) updateList(node, value, document);
    else if (map.get(key) !== value) {
      const scalar = node as { value?: unknown } | undefined;
      // A scalar keeps the comment behind it.
      if (scalar !== undefined && 'value' in scalar && (typeof value !== 'object' || value === null))
        scalar.value = value;
      else map.set(key, document.createNode(value));
    }
  }
}

function updateList(list: YAMLSeq, wanted: readonly unknown[], document: Document): void {
  openUp(list, wanted.length);
  wanted.forEach((value, index) => {
    const node: unknown = list.get(index, true);
    if (isMap(node) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      update(node, value as Data, document);
    } else if (list.get(index) !== value) list.set(index, document.createNode(value));
  });
  list.items.length = wanted.length;
}

function updateRecords(
  resource: ConfigurationResource,
  list: YAMLSeq,
  wanted: readonly Data[],
  document: Document,
): void {
  openUp(list, wanted.length);
  const rest = [...wanted];
  const kept = list.items.filter((node) => {
    if (!isMap(node)) return false;
    const data = node.toJSON() as Data;
    const label = labelOfData(resource, data);
    const byId = rest.findIndex(({ id }) => id === data.id);
    const at = byId !== -1 ? byId : rest.findIndex((one) => labelOfData(resource, one) === label);
    const [found] = at === -1 ? [] : rest.splice(at, 1);
    if (found !== undefined) update(node as YAMLMap, found, document);
    return found !== undefined;
  });
  list.items = [...kept, ...rest.map((data) => document.createNode(data))];
}

/** A list where nothing stood, with what was noted beside the nothing. */
function listInPlaceOf(node: unknown, list: YAMLSeq): YAMLSeq {
  const { comment, commentBefore } = (node ?? {}) as {
    comment?: string | null;
    commentBefore?: string | null;
  };
  list.commentBefore = commentBefore ?? comment ?? null;
  return list;
}

function check(name: string, text: string): void {
  const { problems } = parseConfig(name, text);
  if (problems.length > 0) throw invalidFile(name, problems);
}

/** An existing JSON file brought up to date: what is not in `content` stays. */
export function updatedJson(name: string, text: string, content: Content): string {
  check(name, text);
  return jsonText({ ...(parseDocument(text).toJS() as Content), ...content });
}

/** An existing file brought up to date; `name` is for what is wrong with it. */
export function updatedText(name: string, text: string, content: Content): string {
  check(name, text);
  const document = parseDocument(text);
  if (!isMap(document.contents)) return freshText(content);
  const root = document.contents as YAMLMap;
  openUp(root, Object.keys(content).length);
  for (const [resource, records] of Object.entries(content) as [ConfigurationResource, readonly Data[]][]) {
    const node: unknown = root.get(resource, true);
    if (isSeq(node)) updateRecords(resource, node as YAMLSeq, records, document);
    else root.set(resource, listInPlaceOf(node, document.createNode(records) as YAMLSeq));
  }
  return document.toString(settings);
}
