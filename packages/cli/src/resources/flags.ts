import type { ConfigurationResource } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { collect, collectWords } from '../parsers.ts';
import { type Field, fieldsOf } from './fields.ts';

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const singular = { accounts: 'account', tags: 'tag', scenarios: 'scenario', 'rich-menus': 'menu' } as const;

/** `Whether the reply is given.` → `whether the reply is given`: the style of help. */
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
      return [new Option(flag, what), new Option(`--no-${kebab(field.name)}`, `the opposite of ${flag}`)];
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
      return [
        new Option('--message <text>', 'a text message; may be given up to five times').argParser(collect),
      ];
    case 'null':
    case 'structure':
      return [];
  }
}

/** A flag for each simple field; what has a structure comes by --data. */
export function addFieldFlags(command: Command, resource: ConfigurationResource): Command {
  for (const field of fieldsOf(resource)) for (const option of optionsFor(field)) command.addOption(option);
  return command;
}

/** The fields that only --data can carry. */
export function structuredFields(resource: ConfigurationResource): readonly string[] {
  return fieldsOf(resource)
    .filter(({ kind }) => kind === 'structure')
    .map(({ name }) => name);
}
