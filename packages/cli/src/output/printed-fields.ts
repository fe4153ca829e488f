import type { ReadableResource } from '@orgchat/spec';
import type * as z from 'zod';
import { type CliError, usageError } from '../errors/cli-error.ts';
import { commandFields } from './command-fields.ts';

/** What `--fields` can name in the output of a command. */
export interface PrintedFields {
  /** The schema of the records that it prints. */
  readonly schema?: z.core.$ZodType;
  /** Fields of what is not a record of the API, or that the command adds to one. */
  readonly names?: readonly string[];
  /** Whether a server may have fields that the contract does not show: then those that a record has are known, too. */
  readonly isOpen: boolean;
}

type Spec = typeof import('@orgchat/spec');

/** Lists of records that have a command of their own below another resource's. */
const resourcesByCommand: Readonly<Record<string, ReadableResource>> = {
  'forms submissions': 'form-submissions',
  'links clicks': 'link-clicks',
  'friends messages': 'messages',
  'friends automations': 'friend-automations',
};

/**
 * The fields that a command prints, from the schemas where it prints records; undefined if that depends on its input.
 */
export async function findPrintedFields(path: readonly string[]): Promise<PrintedFields | undefined> {
  const command = path.join(' ');
  const names = Object.hasOwn(commandFields, command) ? commandFields[command] : undefined;
  if (names !== undefined) return { names, isOpen: false };
  return findRecordFields(await import('@orgchat/spec'), path);
}

function findRecordFields(spec: Spec, path: readonly string[]): PrintedFields | undefined {
  const [group = '', name = ''] = path;
  const command = `${group} ${name}`;
  if (group === 'account') return { schema: spec.accountResponse, isOpen: true };
  if (command === 'studio projects') return { schema: spec.studioProject, isOpen: true };
  if (command === 'studio documents') return { schema: spec.studioDocumentSummary, isOpen: true };
  const own = Object.hasOwn(resourcesByCommand, command) ? resourcesByCommand[command] : undefined;
  const resource = own ?? spec.readableResources.find((one) => one === group);
  if (resource === undefined) return undefined;
  const schema = spec.records[resource];
  if (['create', 'update', 'tag'].includes(name)) return toChanged(schema);
  // Several records are listed with their names.
  if (name === 'delete') return { ...toChanged(spec.deletion), names: [...changeFields, 'name'] };
  if (name === 'enroll') return toChanged(spec.records['friend-automations']);
  // The names of the tags are added to a friend.
  return { schema, isOpen: true, ...(command === 'friends get' && { names: ['tags'] }) };
}

/** What can be printed of a change, besides the record. */
const changeFields = ['outcome', 'operationId', 'applied', 'replayed', 'auditRecorded', 'error'];

const toChanged = (schema: z.ZodObject): PrintedFields => ({ schema, names: changeFields, isOpen: false });

/** The fields of the result of a change. */
export async function findResultFields(change: { readonly action: string }): Promise<PrintedFields> {
  const spec = await import('@orgchat/spec');
  const { action } = change;
  if (action === 'delete-configuration') return toChanged(spec.deletion);
  if (action === 'enroll-scenario') return toChanged(spec.records['friend-automations']);
  const resource = spec.configurationResources.find((one) =>
    [`create-${one}`, `update-${one}`].includes(action),
  );
  return toChanged(spec.records[resource ?? 'friends']);
}

/** The names of the fields, without those inside of them. */
export const listFieldNames = ({ schema, names = [] }: PrintedFields): readonly string[] => [
  ...(schema?._zod.def.type === 'object' ? Object.keys((schema as z.ZodObject).shape) : []),
  ...names,
];

/** Whether output has a field: a name, or a path such as `key.scope`. */
export function hasField({ schema, names = [] }: PrintedFields, field: string): boolean {
  const path = field.split('.');
  return names.includes(path[0] ?? '') || (schema !== undefined && hasPath(schema, path));
}

function hasPath(schema: z.core.$ZodType, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const { def } = schema._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return hasPath((def as z.core.$ZodOptionalDef).innerType, path);
    case 'object': {
      const { shape } = def as z.core.$ZodObjectDef;
      const part = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return part !== undefined && hasPath(part, rest);
    }
    case 'union':
      return (def as z.core.$ZodUnionDef).options.some((option) => hasPath(option, path));
    // Fields with names that others chose, such as the values of a form.
    case 'record':
      return true;
    default:
      return false;
  }
}

/** The error of `--fields` with names that nothing printed has. */
export function unknownFieldsError(unknown: readonly string[], known: readonly string[]): CliError {
  const them = unknown.map((field) => `"${field}"`).join(', ');
  return usageError(
    `Unknown ${unknown.length === 1 ? 'field' : 'fields'} in --fields: ${them}.`,
    `Available fields: ${known.join(', ')}`,
    'UNKNOWN_FIELD',
  );
}

/** Throws if a command prints other fields than those that were requested, before it changes anything. */
export function requireKnownFields(fields: readonly string[], printed: PrintedFields): void {
  const unknown = fields.filter((field) => !hasField(printed, field));
  if (unknown.length > 0) throw unknownFieldsError(unknown, listFieldNames(printed));
}
