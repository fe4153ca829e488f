import { getExample, listExamples, toCurl, toKey, toUrl } from './curl.ts';
import { type ApiDocument, type Endpoint, getDone } from './openapi.ts';
import { toCode, toMarkdown } from './page.ts';

/** JSON as TypeScript has it: names without quotes, texts in single ones. */
const toLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/"([^"'\\]*)"/g, "'$1'");

/** The same requests with other tools. */
interface Samples {
  readonly sdk: (input: unknown) => string;
  /** The commands, by the names of the examples. */
  readonly commands: Readonly<Record<string, string>>;
}

const user = 'U0123456789abcdef0123456789abcdef';
const friend = `0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10 ${user}`;

const samples: Readonly<Record<string, Samples>> = {
  getAccount: { sdk: () => 'account()', commands: { first: 'account' } },
  addSeoKeywords: {
    sdk: (input) => `keywords.add('demo-site', ${toLiteral(input)})`,
    commands: { first: 'keywords add demo-site summer sale --group season' },
  },
  readChat: {
    sdk: (input) => `readChat(${toLiteral(input)})`,
    commands: {
      first: 'tags list --limit 5',
      accounts: 'accounts list',
      single: 'tags get 6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
      friends: 'friends list --search mika',
      conversations: 'conversations list --account 0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
      messages: `friends messages ${friend}`,
      submissions: 'forms submissions 5e2a9d47-6c1b-4d38-9f70-3b8a1c6e4d25',
      automations: `friends automations ${friend}`,
      clicks: 'links clicks c4d81f6a-2e95-4b07-8a3d-6f1e9b2c7d50',
    },
  },
  changeChat: {
    sdk: (input) => `changeChat(${toLiteral((input as { change: unknown }).change)})`,
    commands: {
      first: 'tags create --name VIP --color pink',
      update: 'tags update VIP --name VIP+',
      delete: 'tags delete VIP --yes',
      friend: `friends update ${user} --notes 'Prefers mornings.' --status resolved`,
      tags: `friends tag ${user} --tag VIP`,
      enroll: `friends enroll Salon ${user} Welcome`,
    },
  },
  readStudio: {
    sdk: (input) => `readStudio(${toLiteral(input)})`,
    commands: {
      first: 'studio projects --no-archived',
      documents: 'studio documents d3b4a5f6-1c2d-4e3f-8a9b-0c1d2e3f4a5b --kind note',
      document: 'studio document d3b4a5f6-1c2d-4e3f-8a9b-0c1d2e3f4a5b b6f0c3d8-5e21-4a97-8d4c-0a9e7f1b3c62',
    },
  },
};

/** JSON as Python has it. */
const toPythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /(?<=: )(?:true|false|null)\b/g,
    (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
  );

/** A request with what every Python has. */
function toPython(document: ApiDocument, endpoint: Endpoint, example: unknown): string {
  const key = `"Authorization": "Bearer ${toKey(endpoint)}"`;
  const url = `"${toUrl(document, endpoint)}"`;
  const [start, call] =
    example === undefined
      ? [
          ['import json', 'from urllib.request import Request, urlopen'],
          [`request = Request(`, `    ${url},`, `    headers={${key}},`, ')'],
        ]
      : [
          [
            'import json',
            'from urllib.request import Request, urlopen',
            '',
            `body = ${toPythonLiteral(example)}`,
          ],
          [
            'request = Request(',
            `    ${url},`,
            '    data=json.dumps(body).encode(),',
            '    headers={',
            `        ${key},`,
            '        "Content-Type": "application/json",',
            '    },',
            ')',
          ],
        ];
  const gap = example === undefined ? [''] : [];
  return [...start, ...gap, ...call, 'with urlopen(request) as answer:', '    print(json.load(answer))'].join(
    '\n',
  );
}

/** A request with curl, and beside it with other tools if the SDK has its operation. */
export function showRequest(document: ApiDocument, endpoint: Endpoint, name?: string): string[] {
  const examples = listExamples(endpoint);
  const value = name === undefined ? getExample(endpoint) : new Map(examples).get(name)?.value;
  const curl = toCurl(document, endpoint, value);
  const sample = samples[endpoint.operation.operationId];
  if (sample === undefined) return [toCode('sh', curl)];
  const isFirst = name === undefined || name === examples[0]?.[0];
  const command = sample.commands[isFirst ? 'first' : name];
  if (command === undefined) throw new Error(`The example ${name} has no command.`);
  const call = [
    "import { createClient } from '@orgchat/sdk';",
    '',
    'const client = createClient();',
    `console.log(await client.${sample.sdk(value)});`,
  ].join('\n');
  return toGroup(
    toCode('sh [curl]', curl),
    toCode('ts [TypeScript]', call),
    toCode('py [Python]', toPython(document, endpoint, value)),
    toCode('sh [orgchat]', `orgchat ${command}`),
  );
}

/** Blocks of code in tabs. */
const toGroup = (...tabs: readonly string[]): string[] => ['::: code-group', ...tabs, ':::'];

/** The columns for which a phone has room. */
const width = 50;

/** JSON in which a short object or list that is inside another is on one line. */
function format(value: unknown, indent = '', name = ''): string {
  const line = JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/(?<=\[) | (?=\])/g, '');
  if (typeof value !== 'object' || value === null) return line;
  const own = Object.entries(value);
  if (own.length === 0 || (indent !== '' && `${indent}${name}${line},`.length <= width)) return line;
  // The only object of a list is as far to the left as the list.
  const [only] = own.length === 1 && Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof only === 'object' && only !== null) return `[${format(only, indent, name)}]`;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = own.map(([key, one]) => {
    const label = isList ? '' : `"${key}": `;
    return `${inner}${label}${format(one, inner, label)}`;
  });
  const [start, end] = isList ? '[]' : '{}';
  return `${start}\n${parts.join(',\n')}\n${indent}${end}`;
}

/** An example of an answer, whose revisions are cut. */
const formatAnswer = (value: unknown): string =>
  format(value).replaceAll(/(?<="[0-9a-f]{16})[0-9a-f]{48}(?=")/g, '…');

/** An example of a body. */
export const toExample = (value: unknown): string => toCode('json', formatAnswer(value));

/** What an example shows, above it. */
export const titleExample = (summary: string): string =>
  `**Example: ${toMarkdown(summary.charAt(0).toLowerCase() + summary.slice(1))}**`;

/** An example of an answer in a frame like that of its request. */
export const toResponse = (value: unknown, title = 'Response'): string[] =>
  toGroup(toCode(`json [${title}]`, formatAnswer(value)));

/** The examples of answers that no example of a request has. */
export function listUnpaired(document: ApiDocument, endpoint: Endpoint): string[] {
  const requests = new Map(listExamples(endpoint));
  return Object.entries(getDone(document, endpoint).named)
    .slice(1)
    .flatMap(([name, { summary = '', value }]) =>
      requests.has(name) ? [] : [`**${toMarkdown(summary)}**`, toExample(value)],
    );
}

/** The other bodies of requests and answers, each with its title. */
export function showOtherExamples(document: ApiDocument, endpoint: Endpoint): string[] {
  const answers = getDone(document, endpoint).examples;
  return [
    ...listExamples(endpoint)
      .slice(1)
      .flatMap(([, { summary = '', value }]) => [`**${toMarkdown(summary)}**`, toExample(value)]),
    ...answers
      .slice(1)
      .flatMap(({ summary = '', value }) => [`**Response: ${toMarkdown(summary)}**`, toExample(value)]),
  ];
}
