import { writeFileSync } from 'node:fs';
import { ReflectionKind } from 'typedoc';

/* The start page of the SDK's symbols and its navigation: groups that a reader looks for. */

const name = '@orgchat/sdk';

const typesOfResources = /^(?:Configuration|Conversations|Deletable|Friends|OperationsApi|ReadChat|Studio)$/;

export const isTypeOfResource = (symbol) => typesOfResources.test(symbol);

/** Groups, each with when one needs it and the sources of its symbols or their names. A symbol belongs to the first that fits. */
const groups = [
  [
    'Client',
    'Create a client once, and make all calls with it.',
    ({ file, symbol }) => /^client/.test(file) || symbol === 'OrgChatClient',
  ],
  [
    'Resource methods',
    'Each resource is a member of the client. Its type lists all methods.',
    ({ symbol }) => isTypeOfResource(symbol),
  ],
  [
    'Error classes',
    'Use these in a `catch`. The page [Errors](/reference/sdk/errors) lists each code and what to do about it.',
    ({ file }) => /^errors\//.test(file),
  ],
  [
    'Options of calls',
    'You need these types only if a program builds options before the call.',
    ({ symbol }) => /Options?$/.test(symbol),
  ],
  [
    'Calls and lists',
    'Methods return these. You need them to read a list or wait for a call in another way than with `await`.',
    ({ file }) => /^(?:lists|results|write)\//.test(file),
  ],
  [
    'Operations and runs',
    'These are the results of `operations`, `bulk()`, `sync()` and `keywords.import()`.',
    ({ file }) => /^(?:bulk|keywords|operations|resources)\//.test(file),
  ],
  ['Watch', 'These are the events of `client.watch()`, and its cursor.', ({ file }) => /^watch\//.test(file)],
  [
    'Journal',
    'You need these only if you write a journal of your own.',
    ({ file }) => /^journal\//.test(file),
  ],
  [
    'Events and logging',
    'You need these to write a function for `onEvent` or `logger`.',
    ({ file }) => /^events\//.test(file),
  ],
  [
    'Server and pacing',
    'You need these for a server that differs from the contract, and for limits that several processes share.',
    ({ file }) => /^(?:generated\/(?:code|resolve|server)|options|timing)/.test(file),
  ],
  ['Records and data', 'Use these to type records that a program keeps or passes on.', () => true],
];

/** What the symbols are for that most programs use, in this order. */
const purposes = {
  createClient: 'Create a client with the key and the address of the API.',
  OrgChatClient: 'Look up all resources and methods of a client.',
  OrgChatError: 'Catch all errors of the SDK. Each class below extends it.',
  OutcomeUnknownError: 'Handle a write that may be applied, with `error.resume()`.',
  StaleRevisionError: 'Handle a record that someone changed since you read it.',
  NotFoundError: 'Handle a record that does not exist, or that the key cannot access.',
  InvalidInputError: 'Handle input that the SDK or the server refused.',
  RateLimitError: 'Try again later, at `error.retryAt`.',
  isFinal: 'Ask whether the same call would be refused again.',
  ClientOptions: 'Set the key, the address, timeouts and the journal of a client.',
  CallOptions: 'Set a signal, a timeout, retries or headers for one call.',
  ListOptions: 'Choose which page of a list you read, and how many records.',
  FriendListOptions: 'Choose an account or search for a name in `friends.list()`.',
  WriteOptions: 'Say what a write is for, with an `intent`.',
  ChangeOptions: 'Give a change an `intent`, so that it is applied once if the program runs twice.',
  EditOptions: 'Limit how often `edit()` and the tags of friends are tried.',
  FindOptions: 'Narrow down which records `find()` compares.',
  UpsertOptions: 'Choose by which field `upsert()` finds the record.',
  SyncOptions: 'Let `sync()` delete other records, or only show what it would do.',
  BulkOptions: 'Choose how many items `client.bulk()` runs at once.',
  WatchOptions: 'Choose where `client.watch()` begins and how often it reads.',
  KeywordImportOptions: 'Continue an import of keywords, or follow its progress.',
  RetryOptions: 'Choose how often and after which delays a call is retried.',
  PacingOptions: 'Limit how many requests a client sends per minute.',
};

/** What a program types to use a resource, what that does, and its type. */
const uses = [
  [
    ['tags', 'templates'],
    ', …',
    'List, create, change and sync records: tags, templates, auto-replies, scenarios, forms, rich menus, links, routes and broadcasts.',
    'Configuration',
  ],
  [['tags.delete()'], '', 'Delete a record of any of these resources except rich menus.', 'Deletable'],
  [['friends'], '', 'Find friends, change their notes and tags, and read their messages.', 'Friends'],
  [['conversations'], '', 'List the latest conversations.', 'Conversations'],
  [['studio'], '', 'Read projects and documents.', 'Studio'],
  [['keywords'], '', 'Add keywords to your sites.'],
  [['accounts'], '', 'List the accounts of the messaging platform.'],
  [['operations'], '', 'Find out what became of writes, and finish them.', 'OperationsApi'],
  [['readChat()'], '', 'Read a resource whose name is in a variable.', 'ReadChat'],
];

const start = `\`\`\`ts
import { createClient } from '${name}';

// Reads ORGCHAT_API_KEY and ORGCHAT_BASE_URL.
const client = createClient();
const vip = await client.tags
  .create({ name: 'VIP', color: 'pink' })
  .requireResult();
console.log(vip.id);
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
  const known = [...Object.keys(purposes), ...uses.map(([, , , type]) => type)];
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

/** Symbols that are only named: classes, then types. */
function nameOthers(title, others, link) {
  const list = (label, some) =>
    some.length === 0 ? '' : `${label}:\n\n${some.map((one) => `- ${link(one)}`).join('\n')}`;
  const isClass = ({ kind }) => kind === ReflectionKind.Class;
  const classes = others.filter(isClass);
  return [
    list('More classes', classes),
    list(
      title === 'Error classes' ? 'Types of their fields' : 'More types',
      others.filter((one) => !isClass(one)),
    ),
  ].join('\n\n');
}

const toTable = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What a program types for each resource. */
function describeUses(types, link) {
  const page = '/reference/sdk-api/interfaces/OrgChatClient';
  const rows = uses.map(([members, rest, text, type]) => {
    const calls = members.map((member) => {
      const [resource] = member.split(/[.(]/);
      return `[\`client.${member}\`](${page}#${resource.toLowerCase()})`;
    });
    const found = types.find((child) => child.name === type);
    return [`${calls.join(', ')}${rest}`, text, found === undefined ? '–' : link(found)];
  });
  const named = uses.map(([, , , type]) => type);
  if (types.some((child) => !named.includes(child.name)))
    throw new Error('start-page.mjs does not say how a type of a resource is used.');
  return toTable(['You type', 'What you can do', 'Type'], rows);
}

export function describeStart(sections, toAddress, describe) {
  const link = (child) => `[\`${toTitle(child)}\`](${toAddress(child)})`;
  const tables = groups.map(([title, purpose]) => {
    const list = sections.get(title);
    const main = list.filter((child) => child.name in purposes);
    const others = list.filter((child) => !(child.name in purposes));
    const parts =
      title === 'Resource methods'
        ? [describeUses(list, link)]
        : main.length === 0
          ? [
              toTable(
                ['Name', 'What it is'],
                others.map((child) => [link(child), describe(child)]),
              ),
            ]
          : [
              toTable(
                ['Name', 'Use it to'],
                main.map((child) => [link(child), purposes[child.name]]),
              ),
              nameOthers(title, others, link),
            ];
    return [`## ${title}`, purpose, ...parts].filter((part) => part !== '').join('\n\n');
  });
  return [
    '# SDK overview',
    'The SDK calls the API from TypeScript and JavaScript. It runs on [Node, Bun, Deno and workers](/reference/sdk/runtimes). Until its first release, you [pack it from a clone](/tutorial/start/use-it-in-another-project).',
    start,
    ...tables,
  ].join('\n\n');
}
