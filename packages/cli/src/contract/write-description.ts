import { contractVersion, type ServerDescription } from '@orgchat/spec';
import { type CliError, usageError } from '../errors/cli-error.ts';
import { isJson } from '../input/json.ts';
import { checkDescription } from '../settings/server-file.ts';
import { type Learned, listUnknownMeanings, mergeCodes } from './learn.ts';
import type { Verdict } from './verdicts.ts';

/** What is written about the check itself. */
export interface Checked {
  readonly at: string;
  /** A digest. */
  readonly organization: string;
  readonly requests: number;
}

type YamlDocument = import('yaml').Document;

/** Removes a key, and the objects around it that are empty then. */
function remove(document: YamlDocument, key: readonly string[]): void {
  if (document.getIn(key) === undefined) return;
  document.deleteIn(key);
  for (let path = key.slice(0, -1); path.length > 0; path = path.slice(0, -1)) {
    const value: unknown = document.getIn(path);
    const isEmpty = Object(value).items?.length === 0;
    if (!isEmpty) return;
    document.deleteIn(path);
  }
}

/** Sets a value. A node that is there keeps its comments, and a list the comments of its items. */
function setNode(document: YamlDocument, key: readonly string[], value: unknown, yaml: Yaml): void {
  const node = document.getIn(key, true);
  if (Array.isArray(value) && yaml.isSeq(node)) {
    const known = (node.toJSON() as unknown[]).map((item) => JSON.stringify(item));
    const items = value.map(
      (item) => node.items[known.indexOf(JSON.stringify(item))] ?? document.createNode(item),
    );
    node.items = items;
    return;
  }
  const isScalar = value === null || typeof value !== 'object';
  const created = isScalar ? value : document.createNode(value, { flow: true });
  if (yaml.isNode(node) && yaml.isNode(created))
    Object.assign(created, { comment: node.comment, commentBefore: node.commentBefore });
  document.setIn(key, created);
}

type Yaml = typeof import('../yaml.ts');

/** The file that a description is written to, and what it has; `text` is undefined if it does not exist. */
export interface DescriptionFile {
  readonly name: string;
  readonly text: string | undefined;
}

/** Writes what was learned into a description, of which everything else is kept, with its comments. JSON stays JSON. */
export async function completeDescription(
  { name, text }: DescriptionFile,
  verdicts: readonly Verdict[],
  learned: readonly Learned[],
  checked: Checked,
): Promise<string> {
  const yaml = await import('../yaml.ts');
  const document: YamlDocument =
    text === undefined
      ? new yaml.Document({ server: 1, contract: contractVersion })
      : yaml.parseDocument(text);
  if (text === undefined)
    document.commentBefore =
      ' How a server differs from the decisions of this toolkit, as "orgchat contract check" found it.\n Use it: orgchat --server FILE, createClient({ server }), createMock({ server })';
  const before = document.toJS() as Pick<ServerDescription, 'codes' | 'unknown'>;
  const set = (key: readonly string[], value: unknown): void =>
    value === undefined ? remove(document, key) : setNode(document, key, value, yaml);
  if (document.getIn(['checked']) === undefined) set(['checked'], checked);
  else for (const [field, value] of Object.entries(checked)) set(['checked', field], value);
  for (const one of learned) {
    if (one.key[0] === 'codes' && document.getIn(one.key) !== undefined)
      set(one.key, mergeCodes(before, one));
    else set(one.key, one.value);
  }
  const unknown = listUnknownMeanings(verdicts, text === undefined ? undefined : before);
  set(['unknown'], unknown.length === 0 ? undefined : unknown);
  const isJsonFile = text === undefined ? /\.json$/i.test(name) : isJson(text);
  return isJsonFile ? `${JSON.stringify(document.toJS(), null, 2)}\n` : document.toString({ lineWidth: 0 });
}

/** Says why what was learned does not make a valid description; undefined if it does. */
export async function findDescriptionError(name: string, text: string): Promise<CliError | undefined> {
  const { parseDocument } = await import('../yaml.ts');
  const { problem } = await checkDescription(parseDocument(text).toJS());
  return problem === undefined
    ? undefined
    : usageError(
        `${name} was not written: ${problem}`,
        'The answers of the server do not make a valid description. See the report, and correct the file by hand.',
        'INVALID_SERVER',
      );
}
