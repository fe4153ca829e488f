import { isObject } from '@orgchat/spec/is-object';
import { configurationResources } from '@orgchat/spec/resources/names';
import type { RequestDetail } from '../control-api/types.ts';

type SentRequest = Pick<RequestDetail, 'operation' | 'path' | 'request'>;

type Fields = Readonly<Record<string, unknown>>;

/** The name of a resource in the client: `richMenus` of `rich-menus`. */
const toProperty = (resource: string): string =>
  resource.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const isName = (text: string): boolean => /^[a-z][\w-]*$/.test(text);

/** A value as a JavaScript literal in the style of the documentation. */
export function toLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => toLiteral(item, inner))
    : Object.entries(value).map(([name, item]) => `${toKey(name)}: ${toLiteral(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  const space = isList ? '' : ' ';
  const line = `${open}${space}${items.join(', ')}${space}${close}`;
  if (line.length + indent.length <= 90 && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

/** A text in single quotes. What JSON escapes is escaped, and so are line separators of other scripts. */
function quote(text: string): string {
  const json = JSON.stringify(text).slice(1, -1);
  return `'${json.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

// A literal __proto__ would set the prototype.
const toKey = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);

const call = (what: string, ...values: readonly unknown[]): string =>
  `await client.${what}(${values.map((value) => toLiteral(value)).join(', ')});`;

/** The program that makes a request with the SDK; undefined if it cannot be known. */
export function toSdkCode({ operation, path, request }: SentRequest): string | undefined {
  const made = toCall({ operation, path, request });
  if (made === undefined) return undefined;
  return [
    "import { createClient } from '@orgchat/sdk';",
    '',
    'const client = createClient(); // ORGCHAT_API_KEY and ORGCHAT_BASE_URL',
    made,
  ].join('\n');
}

function toCall({ operation, path, request: { body } }: SentRequest): string | undefined {
  if (operation === 'getAccount') return call('account');
  if (!isObject(body)) return undefined;
  switch (operation) {
    case 'addSeoKeywords':
      return call('addKeywords', decodeURIComponent(path.split('/')[2] ?? ''), body);
    case 'readStudio':
      return call('readStudio', body);
    case 'readChat':
      return toRead(body);
    case 'changeChat':
      return toChange(body);
    default:
      return undefined;
  }
}

function toRead(body: Fields): string {
  const { resource, id, ...options } = body;
  const isConfiguration = typeof resource === 'string' && configurations.has(resource);
  if (!isConfiguration) return call('readChat', body);
  if (typeof id === 'string') return call(`${toProperty(resource)}.get`, id);
  return Object.keys(options).length === 0
    ? call(`${toProperty(resource)}.list`)
    : call(`${toProperty(resource)}.list`, options);
}

const configurations: ReadonlySet<string> = new Set(configurationResources);

function toChange({ change, operationId }: Fields): string | undefined {
  if (!isObject(change)) return undefined;
  const { action, data } = change;
  const resource = typeof action === 'string' && action.startsWith('create-') ? action.slice(7) : '';
  const options = { operationId };
  if (isName(resource) && configurations.has(resource))
    return call(`${toProperty(resource)}.create`, data, options);
  return call('changeChat', change, options);
}
