import type { ConfigurationResource } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { collect } from '../args/value-parsers.ts';
import { type Data, type Field, getFields } from './data-fields.ts';

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
      const short = flag.replace(/-id$/, '');
      const [value, none] = field.nullable ? [`${word}|none`, ', or none'] : [word, ''];
      return [new Option(`${short}, ${flag} <${value}>`, `${target}: id or name${none}`)];
    }
    case 'references': {
      const word = singular[field.resource ?? 'tags'];
      const short = flag.replace(/-ids$/, field.name === 'tagIds' ? '' : 's');
      return [
        new Option(`${short}, ${flag} <${word},…|none>`, `${target}: ids or names, or none; repeatable`),
      ];
    }
    case 'texts':
      return [new Option('--message <text>', 'text message; repeat up to five times').argParser(collect)];
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
    const given = field.kind === 'texts' ? options.message : options[field.name];
    if (given !== undefined) data[field.name] = await fieldValue(field, given, resolver);
  }
  return data;
}
