import type { ChangeOf, ChatAction } from '@orgchat/sdk';
import {
  type ConfigurationResource,
  chatChange,
  configurationData,
  describeProblem,
  references,
} from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import { type Command, Option } from 'commander';
import type * as z from 'zod';
import { collect, collectWords } from '../args/value-parsers.ts';
import { invalidInputError } from '../errors/cli-error.ts';

/** What a field of a resource's data is, as far as a flag on the command line can say it. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'choice' | 'boolean' | 'reference' | 'references' | 'texts' | 'null' | 'structure';
  readonly description: string;
  readonly choices: readonly string[];
  readonly nullable: boolean;
  readonly optional: boolean;
  /** For references: what is named. */
  readonly resource: 'accounts' | 'tags' | 'scenarios' | 'rich-menus' | undefined;
}

interface Unwrapped {
  readonly schema: z.core.$ZodType;
  readonly nullable: boolean;
  readonly optional: boolean;
}

function unwrap(schema: z.core.$ZodType, nullable = false, optional = false): Unwrapped {
  const { def } = schema._zod;
  if (def.type === 'nullable') return unwrap((def as z.core.$ZodNullableDef).innerType, true, optional);
  if (def.type === 'optional') return unwrap((def as z.core.$ZodOptionalDef).innerType, nullable, true);
  return { schema, nullable, optional };
}

function getFieldKind(
  resource: ConfigurationResource,
  name: string,
  schema: z.core.$ZodType,
): Pick<Field, 'kind' | 'resource'> {
  const reference = references[resource].find(({ path }) => path[0] === name);
  if (reference?.path.length === 1) return { kind: 'reference', resource: reference.resource };
  if (reference?.path.length === 2) return { kind: 'references', resource: reference.resource };
  // A broadcast's messages are mostly texts, and texts are easy to give as flags.
  if (resource === 'broadcasts' && name === 'messages') return { kind: 'texts', resource: undefined };
  const kinds: Record<string, Field['kind']> = {
    string: 'text',
    enum: 'choice',
    boolean: 'boolean',
    null: 'null',
  };
  return { kind: kinds[schema._zod.def.type] ?? 'structure', resource: undefined };
}

function describe(resource: ConfigurationResource, name: string, outer: z.ZodType): Field {
  const { schema, nullable, optional } = unwrap(outer);
  const inner = schema as z.ZodType;
  const values =
    schema._zod.def.type === 'enum' ? Object.values((schema._zod.def as z.core.$ZodEnumDef).entries) : [];
  return {
    name,
    ...getFieldKind(resource, name, schema),
    description: outer.description ?? inner.description ?? '',
    choices: values.map(String),
    nullable,
    optional,
  };
}

/** The fields of a resource, from the schema of the contract. */
export function getFields(resource: ConfigurationResource): readonly Field[] {
  const { shape } = configurationData[resource];
  return Object.entries(shape).map(([name, schema]) => describe(resource, name, schema as z.ZodType));
}

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const singular = { accounts: 'account', tags: 'tag', scenarios: 'scenario', 'rich-menus': 'menu' } as const;

/** `Whether the reply is active.` → `whether the reply is active`: the style of help. */
function helpText(text: string): string {
  const [first = ''] = text.split('; ');
  return first.charAt(0).toLowerCase() + first.slice(1).replace(/\.$/, '');
}

function optionsFor(field: Field): Option[] {
  const flag = `--${kebab(field.name)}`;
  const what = helpText(field.description);
  switch (field.kind) {
    case 'text':
      return [new Option(`${flag} <text>`, what)];
    case 'choice':
      return [new Option(`${flag} <${kebab(field.name)}>`, what).choices(field.choices)];
    case 'boolean':
      return [new Option(flag, what), new Option(`--no-${kebab(field.name)}`, `turn off ${flag}`)];
    case 'reference': {
      const word = singular[field.resource ?? 'tags'];
      const short = flag.replace(/-id$/, '');
      const none = field.nullable ? ', or none' : '';
      return [
        new Option(`${short}, ${flag} <${word}>`, `${what.replace(/, or null.*$/, '')}: id or name${none}`),
      ];
    }
    case 'references': {
      const word = singular[field.resource ?? 'tags'];
      const short = flag.replace(/-ids$/, field.name === 'tagIds' ? '' : 's');
      return [new Option(`${short}, ${flag} <${word},…>`, `${what}: ids or names`).argParser(collectWords)];
    }
    case 'texts':
      return [new Option('--message <text>', 'text message; repeat up to five times').argParser(collect)];
    case 'null':
    case 'structure':
      return [];
  }
}

/** A flag for each simple field; what has a structure comes by --data. */
export function addFieldFlags(command: Command, resource: ConfigurationResource): Command {
  for (const field of getFields(resource)) for (const option of optionsFor(field)) command.addOption(option);
  return command;
}

/** The fields that only --data can carry. */
export function structuredFields(resource: ConfigurationResource): readonly string[] {
  return getFields(resource)
    .filter(({ kind }) => kind === 'structure')
    .map(({ name }) => name);
}

export type Data = Record<string, unknown>;

/** Finds the id of what a flag names; ids pass as they are. */
export type IdResolver = (resource: NonNullable<Field['resource']>, nameOrId: string) => Promise<string>;

async function fieldValue(field: Field, given: unknown, resolve: IdResolver): Promise<unknown> {
  const target = field.resource ?? 'tags';
  switch (field.kind) {
    case 'reference':
      return field.nullable && (given === 'none' || given === '') ? null : resolve(target, String(given));
    case 'references': {
      const names = given as readonly string[];
      const ids: string[] = [];
      for (const name of names) ids.push(await resolve(target, name));
      return ids;
    }
    case 'texts':
      return (given as readonly string[]).map((text) => ({ type: 'text', text }));
    default:
      return given;
  }
}

/** The data that flags give; only the fields that were given. */
export async function dataFromFlags(
  resource: ConfigurationResource,
  options: Data,
  resolve: IdResolver,
): Promise<Data> {
  const data: Data = {};
  for (const field of getFields(resource)) {
    const given = field.kind === 'texts' ? options.message : options[field.name];
    if (given !== undefined) data[field.name] = await fieldValue(field, given, resolve);
  }
  return data;
}

/** A file with data, or with a record as `get` prints it; revision and label of the record then guard the change. */
export interface RecordFile {
  readonly data: Data;
  /** Fields of the record that are not data; empty if the file contains only data. */
  readonly record: Readonly<Record<string, string>>;
}

/** What `get` prints of a record and an update does not take: who it is, the guards, and when it was made. */
const recordFields = ['id', 'revision', 'label', 'createdAt', 'updatedAt'];
const extraRecordFields: Readonly<Record<string, readonly string[]>> = {
  broadcasts: ['status'],
  friends: ['accountId', 'userId', 'displayName'],
};

/** Parts the data of a file from what else a record has. */
export function splitRecordFile(resource: ConfigurationResource | 'friends', file: Data): RecordFile {
  const names = [...recordFields, ...(extraRecordFields[resource] ?? [])];
  const isRecordField = ([name, value]: [string, unknown]): boolean =>
    names.includes(name) && typeof value === 'string';
  const entries = Object.entries(file);
  return {
    data: Object.fromEntries(entries.filter((entry) => !isRecordField(entry))),
    record: Object.fromEntries(entries.filter(isRecordField).map(([name, value]) => [name, String(value)])),
  };
}

/** Refuses a file that is another record than the one the command names. */
export function checkSameRecord(given: string | undefined, named: unknown, what: string): void {
  if (given === undefined || given.toLowerCase() === String(named).toLowerCase()) return;
  throw invalidInputError(
    `The file describes another record: its ${what} is ${given}, but the command names ${String(named)}.`,
    'Use the id from the file, or remove the id from the file.',
  );
}

/** What may be null and was left out is null; a broadcast without tags is for all. */
export function withDefaults(resource: ConfigurationResource, data: Data): Data {
  const nulls = getFields(resource).filter(
    ({ nullable, optional, kind }) => !optional && (nullable || kind === 'null'),
  );
  const filled: Data = { ...Object.fromEntries(nulls.map(({ name }) => [name, null])), ...data };
  if (resource !== 'broadcasts') return filled;
  const tagIds = Array.isArray(filled.tagIds) ? filled.tagIds : [];
  return { ...filled, tagIds, target: filled.target ?? (tagIds.length > 0 ? 'tags' : 'all') };
}

/** One sentence a problem, in the words the API itself would use. */
export function describeProblems(error: z.ZodError, given: unknown): string[] {
  return error.issues.map((issue) => {
    const alone = { issues: [issue] } as z.ZodError;
    return describeProblem(alone, given, 'en')
      .replace(/^The body /, 'It ')
      .replace(/\.$/, '');
  });
}

function flagHint(resource: ConfigurationResource, error: z.ZodError): string {
  const names = new Set(error.issues.map(({ path }) => String(path[0] ?? '')));
  const hints = getFields(resource)
    .filter(({ name }) => names.has(name))
    .map(({ name, kind }) => {
      if (kind === 'structure') return '--data FILE';
      return kind === 'texts' ? '--message' : `--${kebab(name.replace(/Ids?$/, ''))}`;
    });
  const flags = [...new Set(hints)];
  return flags.length === 0 ? 'Fix the data.' : `Set ${flags.join(', ')}. See --help.`;
}

/** Holds data to the contract before anything is sent, so that a mistake costs no request. */
export function checkData(resource: ConfigurationResource, data: Data): Data {
  const read = configurationData[resource].safeParse(data);
  if (read.success) return read.data;
  const problems = describeProblems(read.error, data);
  throw invalidInputError(
    `Invalid ${singularNames[resource]}: ${problems.join('; ')}.`,
    flagHint(resource, read.error),
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
  throw invalidInputError(
    `Invalid change: ${problems.join('; ')}.`,
    'Fix the change. See an example: orgchat change --help',
    { problems },
  );
}
