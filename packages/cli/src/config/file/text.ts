import { isDeepStrictEqual } from 'node:util';
import type { ConfigurationResource } from '@orgchat/spec';
import type { Data } from '../../resources/collect-data.ts';
import { Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from '../../yaml.ts';
import type { Content } from './content.ts';
import { openUp, updateRecords, withoutAliases } from './merge.ts';
import { invalidFile } from './problems.ts';
import { configVersion, maxAliasCount, parseConfig } from './read.ts';

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

function check(name: string, text: string): void {
  const { problems } = parseConfig(name, text);
  if (problems.length > 0) throw invalidFile(name, problems);
}

const plain = (document: Document): Content => document.toJS({ maxAliasCount }) as Content;

/** An existing JSON file brought up to date: what is not in `content` stays. */
export function updatedJson(name: string, text: string, content: Content): string {
  check(name, text);
  return jsonText({ ...plain(parseDocument(text)), ...content });
}

/** An existing file brought up to date; `name` is for what is wrong with it. */
export function updatedText(name: string, text: string, content: Content): string {
  check(name, text);
  const document = parseDocument(text);
  if (!isMap(document.contents)) return freshText(content);
  const wanted: unknown = JSON.parse(JSON.stringify({ ...plain(document), ...content }));
  try {
    const updated = textWith(document, content);
    if (isDeepStrictEqual(plain(parseDocument(updated)), wanted)) return updated;
  } catch {
    // What an alias stood for was taken away; anything else fails again below.
  }
  return textWith(withoutAliases(parseDocument(text)), content);
}

function textWith(document: Document, content: Content): string {
  const root = document.contents as YAMLMap;
  openUp(root, Object.keys(content).length);
  for (const [resource, records] of Object.entries(content) as [ConfigurationResource, readonly Data[]][]) {
    const node: unknown = root.get(resource, true);
    if (isSeq(node)) updateRecords(resource, node as YAMLSeq, records, document);
    else root.set(resource, listInPlaceOf(node, document.createNode(records) as YAMLSeq));
  }
  return document.toString(settings);
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
