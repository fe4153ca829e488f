import { writeFileSync } from 'node:fs';
import { ReflectionKind } from 'typedoc';
import { listOwnFields } from './parameters.mjs';

/* The start page of the SDK's symbols and its navigation: groups that a reader looks for. */

const name = '@orgchat/sdk';

const typesOfResources = /^(?:Configuration|Conversations|Deletable|Friends|OperationsApi|ReadChat|Studio)$/;

export const isTypeOfResource = (symbol) => typesOfResources.test(symbol);

/** Groups, each with when one needs it and the sources of its symbols or their names. A symbol belongs to the first that fits. */
const groups = [
  [
    'Client',
    'Where each program begins.',
    ({ file, symbol }) => /^client/.test(file) || symbol === 'OrgChatClient',
  ],
  [
    'Resource methods',
    'The methods of `client.tags`, `client.friends` and the other resources.',
    ({ symbol }) => isTypeOfResource(symbol),
  ],
  [
    'Error classes',
    'For a `catch`. [Errors](/reference/sdk/errors) has each code, and what to do about it.',
    ({ file }) => /^errors\//.test(file),
  ],
  [
    'Options of calls',
    'What calls accept. You need the names only to type options that are built before the call.',
    ({ symbol }) => /Options?$/.test(symbol),
  ],
  [
    'Calls and lists',
    'What methods return: to read a list or wait for a call in another way than with `await`.',
    ({ file }) => /^(?:lists|results|write)\//.test(file),
  ],
  [
    'Operations and runs',
    'Results of `operations`, `bulk()`, `sync()` and `keywords.import()`.',
    ({ file }) => /^(?:bulk|keywords|operations|resources)\//.test(file),
  ],
  ['Watch', 'Events of `client.watch()`, and its cursor.', ({ file }) => /^watch\//.test(file)],
  [
    'Journal',
    'To write a journal of your own: those of the package need none of these.',
    ({ file }) => /^journal\//.test(file),
  ],
  [
    'Events and logging',
    'To write a function for `onEvent` or `logger`.',
    ({ file }) => /^events\//.test(file),
  ],
  [
    'Server and pacing',
    'For a server that differs from the contract, and for limits that several processes share.',
    ({ file }) => /^(?:generated\/(?:code|resolve|server)|options|timing)/.test(file),
  ],
  ['Records and data', 'To type records that a program keeps or passes on.', () => true],
];

/** What the symbols are for that most programs use, in this order. */
const purposes = {
  createClient: 'create a client with the key and the address of the API',
  OrgChatClient: 'call the API: its page has all resources and methods',
  Configuration:
    'list, create, change and sync tags, templates, auto-replies, scenarios, forms, rich menus, links, routes and broadcasts',
  Deletable: 'delete their records',
  Friends: 'find friends, change their notes and tags, and read their messages',
  Conversations: 'list the latest conversations',
  Studio: 'read projects and documents',
  OperationsApi: 'find out what became of writes, and finish them',
  ReadChat: 'read a resource whose name is in a variable, with `client.readChat()`',
  OrgChatError: 'catch all errors of the SDK: each class extends it',
  OutcomeUnknownError: 'handle a write that may be applied, with `error.resume()`',
  StaleRevisionError: 'handle a record that someone changed since it was read',
  NotFoundError: 'handle a record that does not exist, or that the key cannot access',
  InvalidInputError: 'handle input that the SDK or the server refused',
  RateLimitError: 'try again later, at `error.retryAt`',
};

const orderOfOptions =
  'ClientOptions CallOptions ListOptions FriendListOptions WriteOptions ChangeOptions EditOptions FindOptions UpsertOptions SyncOptions BulkOptions WatchOptions KeywordImportOptions RetryOptions PacingOptions'.split(
    ' ',
  );

const start = `\`\`\`ts
import { createClient } from '${name}';

// reads ORGCHAT_API_KEY and ORGCHAT_BASE_URL
const client = createClient();
const vip = await client.tags.create({ name: 'VIP', color: 'pink' });
console.log(vip.result?.id); // undefined if the answer has no record
\`\`\``;

const toTitle = (child) => (child.signatures === undefined ? child.name : `${child.name}()`);

/** The symbols of each group, in order. */
export function groupSymbols(project) {
  const sections = new Map(groups.map(([title]) => [title, []]));
  for (const child of project.children) {
    const file = project.getSymbolIdFromReflection(child)?.packagePath.replace(/^.*?src\//, '') ?? '';
    const [title] = groups.find(([, , fits]) => fits({ file, symbol: child.name }));
    sections.get(title).push(child);
  }
  const known = [...Object.keys(purposes), ...orderOfOptions];
  const rank = ({ name: symbol }) => {
    const found = known.indexOf(symbol);
    return found < 0 ? known.length + (/Error$/.test(symbol) ? 0 : 1) : found;
  };
  for (const list of sections.values())
    list.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  return sections;
}

/** Writes the navigation of the symbols. */
export function writeNavigation(sections, toAddress) {
  const list = Array.from(sections, ([text, symbols]) => ({
    text,
    collapsed: true,
    items: symbols.map((child) => ({
      text: toTitle(child),
      link: `/reference/sdk-api/${toAddress(child).replace(/\.md$/, '')}`,
    })),
  }));
  writeFileSync(new URL('../.vitepress/generated/symbols.json', import.meta.url), JSON.stringify(list));
}

/** What options have, in short. */
const most = 6;

function nameFields(child) {
  const names = listOwnFields(child).map(({ name: field }) => `\`${field}\``);
  const rest = names.length - most;
  return rest > 1 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}

/** Symbols that are only named: classes, then types. */
function nameOthers(others, link) {
  const name = (title, list) => (list.length === 0 ? '' : `${title}: ${list.map(link).join(', ')}.`);
  const isClass = ({ kind }) => kind === ReflectionKind.Class;
  return [
    name('More classes', others.filter(isClass)),
    name(
      'Types of their fields',
      others.filter((one) => !isClass(one)),
    ),
  ].join('\n\n');
}

export function describeStart(sections, toAddress, describe) {
  const link = (child) => `[\`${toTitle(child)}\`](${toAddress(child)})`;
  const toTable = (heading, rows) =>
    rows.length === 0 ? '' : `| Name | ${heading} |\n| --- | --- |\n${rows.join('\n')}\n`;
  const toRow = (child) => {
    const text = describe(child);
    const [first = text] = /^.*?\.(?= |$)/.exec(text) ?? [];
    const fields = /Options$/.test(child.name) ? nameFields(child) : '';
    return `| ${link(child)} | ${fields === '' ? text : `${first.replace(/\.$/, '')}: ${fields}.`} |`;
  };
  const tables = groups.map(([title, purpose]) => {
    const list = sections.get(title);
    const main = list.filter((child) => child.name in purposes);
    const others = list.filter((child) => !(child.name in purposes));
    const used = toTable(
      'Use it to',
      main.map((child) => `| ${link(child)} | ${purposes[child.name]} |`),
    );
    const rest =
      main.length === 0
        ? toTable('What it is', others.map(toRow))
        : others.length === 0
          ? ''
          : nameOthers(others, link);
    return [`## ${title}`, purpose, used, rest].filter((part) => part !== '').join('\n\n');
  });
  return [
    '# SDK API',
    `The client of the API for TypeScript and JavaScript, on [Node, Bun, Deno and workers](/reference/sdk/runtimes). Until the first release, [pack it from a clone](/tutorial/start/use-it-in-another-project).`,
    start,
    ...tables,
  ].join('\n\n');
}
