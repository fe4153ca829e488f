import { type ConfigurationResource, configurationData, references } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import type * as z from 'zod';
import { repeatable } from '../args/value-parsers.ts';

/*
 * The fields of a record's data: what they are follows from the schemas of the contract, and from that, their flags.
 */

/** The data of a record: what a create or update sends. */
export type Data = Record<string, unknown>;

/** A field of a resource's data, as far as the flags of the command line need it. */
interface Field {
  readonly name: string;
  readonly kind: 'text' | 'choice' | 'boolean' | 'reference' | 'references' | 'texts' | 'null' | 'structure';
  readonly description: string;
  readonly choices: readonly string[];
  readonly nullable: boolean;
  readonly optional: boolean;
  /** The resource that a reference points to. */
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

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const singular = { accounts: 'account', tags: 'tag', scenarios: 'scenario', 'rich-menus': 'menu' } as const;

/** `Whether the reply is active.` → `whether the reply is active`: the style of help. */
function helpText(text: string): string {
  const [first = ''] = text.split('; ');
  return first.charAt(0).toLowerCase() + first.slice(1).replace(/\.$/, '');
}

/** The shortest flag of a field. */
export function getFlag({ name, kind }: Field): string {
  const flag = `--${kebab(name)}`;
  switch (kind) {
    case 'reference':
      return flag.replace(/-id$/, '');
    case 'references':
      return flag.replace(/-ids$/, name === 'tagIds' ? '' : 's');
    case 'texts':
      return '--message';
    case 'structure':
      return '--data FILE';
    default:
      return flag;
  }
}

function optionsFor(field: Field): Option[] {
  const flag = `--${kebab(field.name)}`;
  const short = getFlag(field);
  const what = helpText(field.description);
  const target = what.replace(/, or null.*$/, '');
  switch (field.kind) {
    case 'text':
      return [new Option(`${flag} <text>`, what)];
    case 'choice':
      return [new Option(`${flag} <${kebab(field.name)}>`, what).choices(field.choices)];
    case 'boolean':
      return [new Option(flag, what), new Option(`--no-${kebab(field.name)}`, `turn off ${flag}`)];
    case 'reference': {
      const word = singular[field.resource ?? 'tags'];
      const [value, none] = field.nullable ? [`${word}|none`, ', or none'] : [word, ''];
      return [new Option(`${short}, ${flag} <${value}>`, `${target}: id or name${none}`)];
    }
    case 'references': {
      const word = singular[field.resource ?? 'tags'];
      return [
        new Option(`${short}, ${flag} <${word},…|none>`, `${target}: ids or names, or none; repeatable`),
      ];
    }
    case 'texts':
      return [repeatable(new Option('--message <text>', 'text message; repeat up to five times'))];
    case 'null':
    case 'structure':
      return [];
  }
}

/** Adds a flag for each simple field. Fields with a structure are set with --data. */
export function addFieldFlags(command: Command, resource: ConfigurationResource): Command {
  for (const field of getFields(resource)) for (const option of optionsFor(field)) command.addOption(option);
  return command;
}

/** The fields that can be set only with --data. */
export function structuredFields(resource: ConfigurationResource): readonly string[] {
  return getFields(resource)
    .filter(({ kind }) => kind === 'structure')
    .map(({ name }) => name);
}

/** Returns the ids of records by their names or ids. */
export interface IdResolver {
  id(resource: NonNullable<Field['resource']>, nameOrId: string): Promise<string>;
  ids(resource: NonNullable<Field['resource']>, given: readonly string[]): Promise<readonly string[]>;
}

/** Leaves names and ids as they were typed. */
export const asTyped: IdResolver = {
  id: async (_resource, nameOrId) => nameOrId,
  ids: async (_resource, given) => given,
};

/** The word that clears a reference. */
const none = 'none';

async function fieldValue(field: Field, given: unknown, resolver: IdResolver): Promise<unknown> {
  const target = field.resource ?? 'tags';
  switch (field.kind) {
    case 'reference':
      return field.nullable && given === none ? null : resolver.id(target, String(given));
    case 'references': {
      const names = given as readonly string[];
      const isNone = names.length === 1 && names[0] === none;
      if (isNone) return field.nullable ? null : [];
      return resolver.ids(target, names);
    }
    case 'texts':
      return (given as readonly string[]).map((text) => ({ type: 'text', text }));
    default:
      return given;
  }
}

/** Creates data from flags, with only the fields whose flags are set. */
export async function dataFromFlags(
  resource: ConfigurationResource,
  options: Data,
  resolver: IdResolver,
): Promise<Data> {
  const data: Data = {};
  for (const field of getFields(resource)) {
    const given = options[field.kind === 'texts' ? 'message' : field.name];
    if (given !== undefined) data[field.name] = await fieldValue(field, given, resolver);
  }
  return data;
}
