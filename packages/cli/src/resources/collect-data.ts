import { type ConfigurationResource, configurationData, describeProblem } from '@orgchat/spec';
import type * as z from 'zod';
import { invalidInput } from '../failure.ts';
import { type Field, fieldsOf } from './fields.ts';
import { kebab } from './flags.ts';

export type Data = Record<string, unknown>;

/** Finds the id of what a flag names; ids pass as they are. */
export type ResolveId = (resource: NonNullable<Field['resource']>, nameOrId: string) => Promise<string>;

async function fieldValue(field: Field, given: unknown, resolve: ResolveId): Promise<unknown> {
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
  resolve: ResolveId,
): Promise<Data> {
  const data: Data = {};
  for (const field of fieldsOf(resource)) {
    const given = field.kind === 'texts' ? options.message : options[field.name];
    if (given !== undefined) data[field.name] = await fieldValue(field, given, resolve);
  }
  return data;
}

/** A file as a person gives it: data, or a record as `get` prints it, which guards the change by what was read. */
export interface Given {
  readonly data: Data;
  /** What the record is beside its data; empty where the file is data alone. */
  readonly record: Readonly<Record<string, string>>;
}

/** What `get` prints of a record and an update does not take: who it is, the guards, and when it was made. */
const recordFields = ['id', 'revision', 'label', 'createdAt', 'updatedAt'];
const alsoOf: Readonly<Record<string, readonly string[]>> = {
  broadcasts: ['status'],
  friends: ['accountId', 'userId', 'displayName'],
};

/** Parts the data of a file from what else a record has. */
export function givenIn(resource: ConfigurationResource | 'friends', file: Data): Given {
  const names = [...recordFields, ...(alsoOf[resource] ?? [])];
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
  throw invalidInput(
    `The file is another record: its ${what} is ${given}, and ${String(named)} is named.`,
    'Name the record of the file, or take the identifiers out of it.',
  );
}

/** What may be null and was left out is null; a broadcast without tags is for all. */
export function withDefaults(resource: ConfigurationResource, data: Data): Data {
  const nulls = fieldsOf(resource).filter(
    ({ nullable, optional, kind }) => !optional && (nullable || kind === 'null'),
  );
  const filled: Data = { ...Object.fromEntries(nulls.map(({ name }) => [name, null])), ...data };
  if (resource !== 'broadcasts') return filled;
  const tagIds = Array.isArray(filled.tagIds) ? filled.tagIds : [];
  return { ...filled, tagIds, target: filled.target ?? (tagIds.length > 0 ? 'tags' : 'all') };
}

/** One sentence a problem, in the words the API itself would use. */
export function problemsOf(error: z.ZodError, given: unknown): string[] {
  return error.issues.map((issue) => {
    const alone = { issues: [issue] } as z.ZodError;
    return describeProblem(alone, given, 'en')
      .replace(/^The body /, 'It ')
      .replace(/\.$/, '');
  });
}

function flagHint(resource: ConfigurationResource, error: z.ZodError): string {
  const names = new Set(error.issues.map(({ path }) => String(path[0] ?? '')));
  const hints = fieldsOf(resource)
    .filter(({ name }) => names.has(name))
    .map(({ name, kind }) => {
      if (kind === 'structure') return '--data FILE';
      return kind === 'texts' ? '--message' : `--${kebab(name.replace(/Ids?$/, ''))}`;
    });
  const flags = [...new Set(hints)];
  return flags.length === 0 ? 'Mend the data.' : `Give ${flags.join(', ')} as the help says: add --help.`;
}

/** Holds data to the contract before anything is sent, so that a mistake costs no request. */
export function checkData(resource: ConfigurationResource, data: Data): Data {
  const read = configurationData[resource].safeParse(data);
  if (read.success) return read.data;
  const problems = problemsOf(read.error, data);
  throw invalidInput(
    `The data of ${resource} is not valid: ${problems.join('; ')}.`,
    flagHint(resource, read.error),
    {
      problems,
    },
  );
}
