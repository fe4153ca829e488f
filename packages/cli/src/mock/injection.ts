import { usageError } from '../errors/cli-error.ts';
import { injectedFields } from '../output/mock-fields.ts';

/** What can be injected: the path of the call, with what the record belongs to in braces. */
const paths = {
  friend: '/friends',
  message: '/friends/{accountId}/{userId}/messages',
  submission: '/forms/{form}/submissions',
  click: '/links/{link}/clicks',
  project: '/studio/projects',
  document: '/studio/projects/{project}/documents',
  site: '/sites',
  key: '/keys',
} as const;

export type Injection = keyof typeof paths;
export const injections = Object.keys(paths) as Injection[];

const isInjection = (what: string): what is Injection => Object.hasOwn(paths, what);

/** The path of the call that injects a record. `to` says what it belongs to: `shop/aiko` for a message. */
export function toInjectionPath(what: string, to: string | undefined): string {
  if (!isInjection(what)) {
    throw usageError(`"${what}" cannot be injected.`, `Use one of: ${injections.join(', ')}.`);
  }
  const path = paths[what];
  const parents = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const given = to === undefined ? [] : to.split('/');
  if (given.length !== parents.length || given.includes('')) throw wrongParent(what, parents);
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(given.shift() ?? ''));
}

function wrongParent(what: Injection, parents: readonly string[]): Error {
  if (parents.length === 0) return usageError(`A ${what} does not belong to another record.`, 'Remove --to.');
  const expected = parents.join('/');
  return usageError(
    `--to must say what the ${what} belongs to: ${expected}.`,
    `Example: orgchat mock inject ${what} --to ${parents.length > 1 ? 'shop/aiko' : `${expected}-id`}`,
  );
}

/** The fields of what is injected. */
export const findInjectedFields = (what: string): readonly string[] =>
  isInjection(what) ? injectedFields[what] : [];

/** The fields `name=value`, whose values are texts. */
export function parseFields(words: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const word of words) {
    const separator = word.indexOf('=');
    if (separator < 1) {
      throw usageError(
        `Expected name=value, got "${word}".`,
        'Pass values that are not strings with --data.',
      );
    }
    fields[word.slice(0, separator)] = word.slice(separator + 1);
  }
  return fields;
}
