import { readFileSync, writeFileSync } from 'node:fs';
import { ReflectionKind } from 'typedoc';
import { toTable } from './client-page.mjs';

/* The start page of the SDK's symbols and its navigation: groups that a reader looks for. */

const name = '@orgchat/sdk';

const typesOfResources = /^(?:Configuration|Conversations|Deletable|Friends|OperationsApi|ReadChat|Studio)$/;

export const isTypeOfResource = (symbol) => typesOfResources.test(symbol);

/** Groups, each with what it is for and the sources of its symbols or their names. A symbol belongs to the first that fits. */
const groups = [
  [
    'Client',
    'the client and the function that creates it',
    ({ file, symbol }) => /^client/.test(file) || symbol === 'OrgChatClient',
  ],
  [
    'Resource methods',
    'Each resource is a member of the client. Its page lists all methods.',
    ({ symbol }) => isTypeOfResource(symbol),
  ],
  [
    'Error classes',
    'Catch these classes. The page [Errors](/reference/sdk/errors) lists each code and what to do about it.',
    ({ file }) => /^errors\//.test(file),
  ],
  [
    'Options of calls',
    'The page [Options](/reference/sdk/options) explains the most important ones.',
    ({ symbol }) => /Options?$/.test(symbol),
  ],
  ['Calls and lists', 'what methods return', ({ file }) => /^(?:lists|results|write)\//.test(file)],
  [
    'Operations and runs',
    'results of `operations`, `bulk()`, `sync()` and `keywords.import()`',
    ({ file }) => /^(?:bulk|keywords|operations|resources)\//.test(file),
  ],
  ['Watch', 'the events of `client.watch()`, and its cursor', ({ file }) => /^watch\//.test(file)],
  ['Journal', 'for a journal of your own', ({ file }) => /^journal\//.test(file)],
  ['Events and logging', 'for a function of `onEvent` or `logger`', ({ file }) => /^events\//.test(file)],
  [
    'Server and pacing',
    'for a server that differs from the contract, and for limits that processes share',
    ({ file }) => /^(?:generated\/(?:code|resolve|server)|options|timing)/.test(file),
  ],
  ['Records and data', 'to type records that a program keeps or passes on', () => true],
];

/** What a reader needs first. */
const first = [
  [
    '`createClient()`',
    '/reference/sdk-api/functions/createClient',
    'Create a client with your key and the address of the API.',
  ],
  [
    '`OrgChatClient`',
    '/reference/sdk-api/interfaces/OrgChatClient',
    'Look up all resources and methods of a client.',
  ],
  ['Errors', '/reference/sdk/errors', 'Find out what an error means, and what to do about it.'],
  [
    'Did my write happen?',
    '/reference/sdk/writes',
    'Understand what happens to a change whose answer is lost.',
  ],
];

/** What the symbols are for that most programs use, in this order. */
const purposes = {
  OrgChatError: 'Catch all errors of the SDK. Each class below extends it.',
  OutcomeUnknownError: 'Handle a write that may be applied, with `error.resume()`.',
  StaleRevisionError: 'Handle a record that someone changed since you read it.',
  NotFoundError: 'Handle a record that does not exist, or that the key cannot access.',
  InvalidInputError: 'Handle input that the SDK or the server refused.',
  RateLimitError: 'Try again later, at `error.retryAt`.',
  ClientOptions: 'Set the key, the address, timeouts and the journal of a client.',
  CallOptions: 'Set a signal, a timeout, retries or headers for one call.',
  ListOptions: 'Choose which page of a list you read, and how many records.',
  ChangeOptions: 'Give a change an `intent`, so that it is applied once if the program runs twice.',
  RetryOptions: 'Choose how often and after which delays a call is retried.',
  PacingOptions: 'Limit how many requests a client sends per minute.',
  FriendListOptions: 'Choose an account or search for a name in `friends.list()`.',
  WriteOptions: 'Say what a write is for, with an `intent`.',
  EditOptions: 'Limit how often `edit()` and the tags of friends are tried.',
  FindOptions: 'Narrow down which records `find()` compares.',
  UpsertOptions: 'Choose by which field `upsert()` finds the record.',
  SyncOptions: 'Let `sync()` delete other records, or only show what it would do.',
  BulkOptions: 'Choose how many items `client.bulk()` runs at once.',
  WatchOptions: 'Choose where `client.watch()` begins and how often it reads.',
  KeywordImportOptions: 'Continue an import of keywords, or follow its progress.',
};

/** Options up to this one are shown at once, the others in a fold. */
const lastOfMain = 'PacingOptions';

/** What a program types to use a resource, what that does, and its type. */
const uses = [
  [
    'tags, templates, autoReplies, scenarios, forms, richMenus, links, routes, broadcasts'.split(', '),
    'List, create, change, [delete](interfaces/Deletable.md) and sync records. Rich menus cannot be deleted.',
    'Configuration',
  ],
  [['friends'], 'Find friends, change their notes and tags, and read their messages.', 'Friends'],
  [['conversations'], 'List the latest conversations.', 'Conversations'],
  [['studio'], 'Read projects and documents.', 'Studio'],
  [['keywords'], 'Add keywords to your sites.'],
  [['accounts'], 'List the accounts of the messaging platform.'],
  [['operations'], 'Find out what became of writes, and finish them.', 'OperationsApi'],
  [['readChat()'], 'Send a read as the API takes it.', 'ReadChat'],
];

const start = `\`\`\`ts
import { createClient } from '${name}';

// Reads ORGCHAT_API_KEY, ORGCHAT_BASE_URL.
const client = createClient();
const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
console.log(result?.id);
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
  const known = ['createClient', ...Object.keys(purposes), ...uses.map(([, , type]) => type)];
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

/** How the SDK is installed, as the README of the repository says it. */
function readInstallation() {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [lines] = /(?<=^## Use it in another project\n[^`]*```\n)[\s\S]*?orgchat-sdk.*/m.exec(readme) ?? [];
  if (lines === undefined) throw new Error('README.md does not say how the SDK is installed.');
  return `\`\`\`sh\n${lines}\n\`\`\``;
}

const listLinks = (symbols, link) => symbols.map((one) => `- ${link(one)}`).join('\n');

const fold = (title, parts, purpose = '') =>
  [`::: details **${title}**${purpose}`, ...parts, ':::'].join('\n\n');

const toRows = (symbols, link) => symbols.map((child) => [link(child), purposes[child.name]]);

/** What a program types for each resource. */
function describeUses(types, link) {
  const page = '/reference/sdk-api/interfaces/OrgChatClient';
  const rows = uses.map(([members, text, type]) => {
    const found = types.find((child) => child.name === type);
    const calls = members.map((member) => {
      const shown = `\`client.${member}\``;
      return found === undefined ? `[${shown}](${page}#${member})` : link(found, shown);
    });
    return [calls.join(', '), text];
  });
  const named = ['Deletable', ...uses.map(([, , type]) => type)];
  if (types.some((child) => !named.includes(child.name)))
    throw new Error('start-page.mjs does not say how a type of a resource is used.');
  return toTable(['Resource', 'What you can do'], rows);
}

/** The classes of errors, those first that most programs catch. */
function describeErrors(symbols, link) {
  const others = symbols.filter((child) => !(child.name in purposes));
  const isClass = ({ kind }) => kind === ReflectionKind.Class;
  const check = others.find(({ signatures }) => signatures !== undefined);
  return [
    toTable(
      ['Class', 'Use it to'],
      toRows(
        symbols.filter((child) => child.name in purposes),
        link,
      ),
    ),
    `To check whether the same call would be refused again, use ${link(check)}.`,
    fold('More error classes', [listLinks(others.filter(isClass), link)]),
    fold('Types of their fields', [
      listLinks(
        others.filter((one) => !isClass(one) && one !== check),
        link,
      ),
    ]),
  ];
}

/** The options that most programs use, and the others in a fold. */
function describeOptions(symbols, link) {
  const known = Object.keys(purposes);
  const rank = ({ name: symbol }) => known.indexOf(symbol);
  const isMain = (child) => rank(child) >= 0 && rank(child) <= known.indexOf(lastOfMain);
  const described = symbols.filter((child) => rank(child) >= 0);
  return [
    toTable(['Type', 'Use it to'], toRows(described.filter(isMain), link)),
    fold('More options', [
      toTable(
        ['Type', 'Use it to'],
        toRows(
          described.filter((child) => !isMain(child)),
          link,
        ),
      ),
      listLinks(
        symbols.filter((child) => rank(child) < 0),
        link,
      ),
    ]),
  ];
}

export function describeStart(sections, toAddress, describe) {
  const link = (child, shown = `\`${toTitle(child)}\``) => `[${shown}](${toAddress(child)})`;
  const purposeOf = new Map(groups);
  const shown = {
    Client: [],
    'Resource methods': ['## Resources', describeUses(sections.get('Resource methods'), link)],
    'Error classes': ['## Errors', ...describeErrors(sections.get('Error classes'), link)],
    'Options of calls': ['## Options', ...describeOptions(sections.get('Options of calls'), link)],
  };
  const main = Object.entries(shown).flatMap(([title, [heading, ...parts]]) =>
    heading === undefined ? [] : [heading, purposeOf.get(title), ...parts],
  );
  const folds = groups
    .filter(([title]) => !(title in shown))
    .map(([title, purpose]) => {
      const rows = sections.get(title).map((child) => [link(child), describe(child)]);
      return fold(title, [toTable(['Name', 'What it is'], rows)], `: ${purpose}`);
    });
  return [
    '# SDK overview',
    'The SDK calls the API from TypeScript and JavaScript. It runs on [Node, Bun, Deno and workers](/reference/sdk/runtimes).',
    '## Install',
    'The SDK is not on npm yet. [Pack it from a clone](/tutorial/start/use-it-in-another-project) of the repository, and install the file in your project:',
    readInstallation(),
    '## First call',
    start,
    'You need no account to run this: the [mock server](/how-to/adopt-the-mock) answers like the API.',
    '## Start here',
    toTable(
      ['Page', 'Use it to'],
      first.map(([text, address, purpose]) => [`[${text}](${address})`, purpose]),
    ),
    ...main,
    '## All other types',
    'Most programs do not name these types, because TypeScript infers them.',
    ...folds,
  ].join('\n\n');
}
