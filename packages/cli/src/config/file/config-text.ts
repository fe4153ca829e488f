import { isDeepStrictEqual } from 'node:util';
import type { ConfigurationResource } from '@orgchat/spec';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { Data } from '../../resources/fields.ts';
import { Document, isMap, isSeq, parseDocument, visit, type YAMLMap, type YAMLSeq } from '../../yaml.ts';
import type { ConfigContent } from './export-content.ts';
import { invalidFileError } from './problems.ts';
import { configVersion, maxAliasCount, parseConfig } from './read-config.ts';
import { updateRecords, useBlockStyle, withoutAliases } from './yaml-nodes.ts';

const head = ` The messaging configuration of an organization, written by "orgchat config export".
 References are names. A record keeps its id, so that it can be renamed here.`;

const settings = { lineWidth: 0 } as const;

/** Quotes texts that readers of YAML 1.1 would not read as text: `yes`, `on`, `1:30`. */
const compatible = { compat: 'yaml-1.1' } as const;

/** Some readers do not accept tabs in texts that are not quoted. */
function quoteTabs(document: Document): void {
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && node.value.includes('\t')) node.type = 'QUOTE_DOUBLE';
    },
  });
}

function written(document: Document): string {
  quoteTabs(document);
  return document.toString(settings);
}

/** Moves comments back beside their keys (`tags: # ours`): the library writes them on the next line. */
function withCommentsBesideKeys(before: string, after: string): string {
  const beside = before.matchAll(/^([ \t]*(?:- )?[\w-]+:)[ \t]+(#.*)$/gm);
  const moved = [...beside].reduce((text, [line, key = '', comment = '']) => {
    const pattern = new RegExp(`^${literal(key)}\\n[ \\t]+${literal(comment)}$`, 'm');
    return text.replace(pattern, () => line);
  }, after);
  return isDeepStrictEqual(plain(parseDocument(moved)), plain(parseDocument(after))) ? moved : after;
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Creates the text of a new YAML file. */
export function createYaml(content: ConfigContent): string {
  const document = new Document({ version: configVersion, ...content }, compatible);
  document.commentBefore = head;
  for (const item of isMap(document.contents) ? document.contents.items.slice(1) : []) {
    (item.key as { spaceBefore?: boolean }).spaceBefore = true;
  }
  return written(document);
}

export const createJson = (content: ConfigContent): string =>
  `${JSON.stringify({ version: configVersion, ...content }, null, 2)}\n`;

function check(name: string, text: string): void {
  const { problems } = parseConfig(name, text);
  if (problems.length > 0) throw invalidFileError(name, problems);
}

const plain = (document: Document): ConfigContent => document.toJS({ maxAliasCount }) as ConfigContent;

/** As JSON has it: a key of the author may have other values in YAML, such as a date with `%YAML 1.1`. */
const toJson = (document: Document, content?: ConfigContent): unknown =>
  JSON.parse(JSON.stringify({ ...plain(document), ...content }));

/** Whether nothing has to be updated: then the text is not formatted either. */
const isUpToDate = (document: Document, content: ConfigContent): boolean =>
  isDeepStrictEqual(toJson(document), toJson(document, content));

/** Updates the text of a JSON file. What is not in `content` stays, and so does the order of fields and records. */
export function updateJson(name: string, text: string, content: ConfigContent): string {
  check(name, text);
  const document = parseDocument(text);
  if (isUpToDate(document, content)) return text;
  return `${JSON.stringify(isMap(document.contents) ? plain(update(document, content)) : content, null, 2)}\n`;
}

/** Updates the text of a YAML file and keeps its comments. Errors use `name`. */
export function updateYaml(name: string, text: string, content: ConfigContent): string {
  check(name, text);
  const document = parseDocument(text, compatible);
  if (!isMap(document.contents)) return createYaml(content);
  if (isUpToDate(document, content)) return text;
  const wanted = toJson(document, content);
  try {
    const updated = withCommentsBesideKeys(text, textWith(document, content));
    if (isDeepStrictEqual(toJson(parseDocument(updated)), wanted)) return updated;
  } catch {
    // The value of an alias was removed; any other error is thrown again below.
  }
  const updated = withCommentsBesideKeys(
    text,
    textWith(withoutAliases(parseDocument(text, compatible)), content),
  );
  if (isDeepStrictEqual(toJson(parseDocument(updated)), wanted)) return updated;
  throw new CliError(`${name} cannot be updated: what was written would not be what the organization has.`, {
    code: 'INVALID_EXPORT',
    exit: exitCodes.failed,
    hint: 'The file was not changed. Export to a new file with -o, and move your comments there.',
  });
}

const textWith = (document: Document, content: ConfigContent): string => written(update(document, content));

function update(document: Document, content: ConfigContent): Document {
  const root = document.contents as YAMLMap;
  useBlockStyle(root, Object.keys(content).length);
  for (const [resource, records] of Object.entries(content) as [ConfigurationResource, readonly Data[]][]) {
    const node: unknown = root.get(resource, true);
    if (isSeq(node)) updateRecords(resource, node as YAMLSeq, records, document);
    // In YAML, an empty list is often written as a key without a value.
    else if (records.length > 0 || node === undefined)
      root.set(resource, moveComments(node, document.createNode(records) as YAMLSeq));
  }
  return document;
}

/** Moves the comments of an empty value to the list that replaces it, and returns the list. */
function moveComments(node: unknown, list: YAMLSeq): YAMLSeq {
  const { comment, commentBefore } = (node ?? {}) as {
    comment?: string | null;
    commentBefore?: string | null;
  };
  list.commentBefore = commentBefore ?? comment ?? null;
  return list;
}

/** The comments, directives and empty lines before the content of a YAML file. */
const yamlHead = /^(?:[ \t]*(?:#.*)?\n|%.*\n|---[ \t]*\n)*/;
const schemaComment = /^[ \t]*#[ \t]+yaml-language-server[ \t]*:.*$/m;
const schemaSetting = /\$schema=\S*/;

/**
 * Makes the text of a file name its schema where editors look: YAML in a comment, JSON in a key, because it has no comments.
 * `reference` is the path of the schema; undefined changes nothing.
 */
export function nameSchema(format: 'json' | 'yaml', text: string, reference: string | undefined): string {
  if (reference === undefined) return text;
  return format === 'json' ? nameSchemaInJson(text, reference) : nameSchemaInYaml(text, reference);
}

function nameSchemaInYaml(text: string, reference: string): string {
  const setting = `$schema=${reference}`;
  const [head = ''] = yamlHead.exec(text) ?? [];
  if (!schemaComment.test(head)) return `# yaml-language-server: ${setting}\n${text}`;
  const named = head.replace(schemaComment, (line) =>
    schemaSetting.test(line) ? line.replace(schemaSetting, () => setting) : `${line.trimEnd()} ${setting}`,
  );
  return `${named}${text.slice(head.length)}`;
}

function nameSchemaInJson(text: string, reference: string): string {
  const { $schema, ...content } = plain(parseDocument(text)) as Data;
  return $schema === reference ? text : `${JSON.stringify({ $schema: reference, ...content }, null, 2)}\n`;
}
