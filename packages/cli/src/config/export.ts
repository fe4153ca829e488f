import { readFile, writeFile } from 'node:fs/promises';
import type { ConfigurationResource } from '@orgchat/spec';
import { usage } from '../failure.ts';
import type { Data } from '../resources/collect-data.ts';
import { Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from '../yaml.ts';
import { configVersion, parseConfig, problemsFailure } from './file.ts';
import { creationOrder } from './order.ts';
import type { Held, Organization } from './organization.ts';
import { mapReferences } from './references.ts';
import { labelOfData } from './shape.ts';

const head = ` The messaging configuration of an organization, written by "orgchat config export".
 References are names. A record keeps its id, so that it can be renamed here.`;

/** A record for the file: its id, then its data with names where ids stand, where a name says enough. */
function recordOf(resource: ConfigurationResource, { id, data }: Held, organization: Organization): Data {
  const named = mapReferences(resource, data, (target, value) => {
    const all = target === 'accounts' ? organization.accounts : organization.records[target];
    const label = all.find((one) => one.id === value)?.label;
    return label !== undefined && all.filter((one) => one.label === label).length === 1 ? label : value;
  });
  return { id, ...named };
}

export type Content = Partial<Record<ConfigurationResource, readonly Data[]>>;

export function contentOf(organization: Organization, resources: readonly ConfigurationResource[]): Content {
  return Object.fromEntries(
    creationOrder
      .filter((resource) => resources.includes(resource))
      .map((resource) => [
        resource,
        organization.records[resource].map((held) => recordOf(resource, held, organization)),
      ]),
  );
}

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

/** Sets only what is different, so that comments, order and style of the rest stay. */
function update(map: YAMLMap, wanted: Data, document: Document): void {
  for (const item of [...map.items]) {
    const key = String((item.key as { value?: unknown } | null)?.value ?? item.key);
    if (wanted[key] === undefined) map.delete(key);
  }
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

/** An existing file brought up to date. */
export function updatedText(name: string, text: string, content: Content): string {
  const { problems } = parseConfig(name, text);
  if (problems.length > 0) throw problemsFailure(name, problems);
  const document = parseDocument(text);
  if (!isMap(document.contents)) return freshText(content);
  const root = document.contents as YAMLMap;
  for (const [resource, records] of Object.entries(content) as [ConfigurationResource, readonly Data[]][]) {
    const node: unknown = root.get(resource, true);
    if (isSeq(node)) updateRecords(resource, node as YAMLSeq, records, document);
    else root.set(resource, document.createNode(records));
  }
  return document.toString(settings);
}

/** Writes the file: anew, or into what is there. */
export async function writeConfig(
  name: string,
  content: Content,
): Promise<'created' | 'updated' | 'unchanged'> {
  const before = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw usage(`${name} cannot be read: ${error.message}`, 'Choose another file.', 'FILE_UNREADABLE');
  });
  const isJson = /\.json$/i.test(name);
  const fresh = (): string =>
    isJson ? `${JSON.stringify({ version: configVersion, ...content }, null, 2)}\n` : freshText(content);
  const text =
    before === undefined || before.trim() === '' || isJson ? fresh() : updatedText(name, before, content);
  if (text === before) return 'unchanged';
  await writeFile(name, text).catch((error: Error) => {
    throw usage(`${name} cannot be written: ${error.message}`, 'Choose another file.', 'FILE_UNWRITABLE');
  });
  return before === undefined ? 'created' : 'updated';
}
