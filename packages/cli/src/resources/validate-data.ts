import type { ChangeOf, ChatAction } from '@orgchat/sdk';
import {
  type ConfigurationResource,
  chatChange,
  configurationData,
  describeIssueBriefly,
  formatPath,
} from '@orgchat/spec';
import { idFields } from '@orgchat/spec/resources/id-fields';
import { singularNames } from '@orgchat/spec/resources/names';
import type * as z from 'zod';
import { invalidInputError } from '../errors/cli-error.ts';
import { type Data, getFields, getFlag } from './fields.ts';

/** Sets missing nullable fields to null. The target of a broadcast without tags is all friends. */
export function withDefaults(resource: ConfigurationResource, data: Data): Data {
  const nulls = getFields(resource).filter(
    ({ nullable, optional, kind }) => !optional && (nullable || kind === 'null'),
  );
  const filled: Data = { ...Object.fromEntries(nulls.map(({ name }) => [name, null])), ...data };
  if (resource !== 'broadcasts') return filled;
  const tagIds = Array.isArray(filled.tagIds) ? filled.tagIds : [];
  return { ...filled, tagIds, target: filled.target ?? (tagIds.length > 0 ? 'tags' : 'all') };
}

/** Whether the problem is a text in place of an id, mostly a name. An item of a list has the name of the list. */
const isNotAnId = ({ code, path }: z.core.$ZodIssue): boolean =>
  code === 'invalid_format' && idFields.has(String(path.findLast((part) => typeof part === 'string')));

/** One sentence per problem, without a period, worded like the errors of the API. */
export function describeProblems(error: z.ZodError, given: unknown): string[] {
  return error.issues.map((issue) =>
    isNotAnId(issue) ? `${formatPath(issue.path)} must be an id` : describeIssueBriefly(issue, given, 'It'),
  );
}

/** Where a name may be given in place of an id; empty if all ids are ids. */
function createNameHint(resource: ConfigurationResource, { issues }: z.ZodError): string {
  const fields = issues
    .filter(isNotAnId)
    .map(({ path }) => getFields(resource).find(({ name }) => name === path[0]));
  const flags = fields.flatMap((field) =>
    field?.kind === 'reference' || field?.kind === 'references' ? [getFlag(field)] : [],
  );
  if (flags.length < fields.length) return ' A configuration file takes names: orgchat config apply FILE';
  return flags.length === 0 ? '' : ` For a name in place of an id: ${[...new Set(flags)].join(', ')}`;
}

/** The file of --data, as it was read. */
export interface DataFile {
  readonly name: string;
  readonly data: Data;
}

/** Where to fix invalid data: the file, if the invalid fields come from it, otherwise the flags. */
function createHint(
  resource: ConfigurationResource,
  error: z.ZodError,
  data: Data,
  file: DataFile | undefined,
): string {
  const names = new Set(error.issues.map(({ path }) => String(path[0] ?? '')));
  const isFromFile = (name: string): boolean =>
    file?.data[name] !== undefined && file.data[name] === data[name];
  if (file !== undefined && [...names].every(isFromFile))
    return `Fix ${file.name === '-' ? 'the data on standard input' : file.name}.${createNameHint(resource, error)}`;
  const hints = getFields(resource)
    .filter(({ name }) => names.has(name))
    .map(getFlag);
  const flags = [...new Set(hints)];
  return flags.length === 0 ? 'Fix the data.' : `Set ${flags.join(', ')}. See --help.`;
}

/** Validates data against the contract before it is sent, so that a mistake costs no request. */
export function checkData(resource: ConfigurationResource, data: Data, file?: DataFile): Data {
  const read = configurationData[resource].safeParse(data);
  if (read.success) return read.data;
  const problems = describeProblems(read.error, data);
  throw invalidInputError(
    `Invalid ${singularNames[resource]}: ${problems.join('; ')}.`,
    createHint(resource, read.error, data, file),
    {
      problems,
    },
  );
}

/** Validates a change against the contract before it is sent. */
export function parseChange(change: Readonly<Record<string, unknown>>): ChangeOf<ChatAction> {
  const read = chatChange.safeParse(change);
  if (read.success) return read.data as ChangeOf<ChatAction>;
  const problems = describeProblems(read.error, change);
  const lookUp = read.error.issues.some(isNotAnId) ? ' Look up an id: orgchat tags get NAME --fields id' : '';
  throw invalidInputError(
    `Invalid change: ${problems.join('; ')}.`,
    `Fix the change. See an example: orgchat change --help.${lookUp}`,
    { problems },
  );
}
