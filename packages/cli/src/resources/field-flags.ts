import type { ConfigurationResource } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { collect, collectWords } from '../args/value-parsers.ts';
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

/** Returns the id of a record by its name or id. */
export type IdResolver = (resource: NonNullable<Field['resource']>, nameOrId: string) => Promise<string>;

/** Leaves a name or id as it was typed. */
export const asTyped: IdResolver = async (_resource, nameOrId) => nameOrId;

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

/** Creates data from flags, with only the fields whose flags are set. */
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
