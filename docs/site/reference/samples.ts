import { getExample, toCurl, toKey, toUrl } from './curl.ts';
import { type ApiDocument, type Endpoint, getDone } from './openapi.ts';
import { toCode, toMarkdown } from './page.ts';

/** JSON as TypeScript has it: names without quotes, texts in single ones. */
const toLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/"([^"'\\]*)"/g, "'$1'");

/** The same requests with other tools, by the input of an example. */
interface Samples {
  readonly sdk: (input: unknown) => string;
  readonly command: string;
}

const samples: Readonly<Record<string, Samples>> = {
  getAccount: { sdk: () => 'account()', command: 'account' },
  addSeoKeywords: {
    sdk: (input) => `keywords.add('demo-site', ${toLiteral(input)})`,
    command: 'keywords add demo-site summer sale --group season',
  },
  readChat: { sdk: (input) => `readChat(${toLiteral(input)})`, command: 'tags list --limit 5' },
  changeChat: {
    sdk: (input) => `changeChat(${toLiteral((input as { change: unknown }).change)})`,
    command: 'tags create --name VIP --color pink',
  },
  readStudio: { sdk: (input) => `readStudio(${toLiteral(input)})`, command: 'studio projects --no-archived' },
};

/** JSON as Python has it. */
const toPythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /(?<=: )(?:true|false|null)\b/g,
    (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
  );

/** A request with what every Python has. */
function toPython(document: ApiDocument, endpoint: Endpoint): string {
  const example = getExample(endpoint);
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
export function showRequest(document: ApiDocument, endpoint: Endpoint): string[] {
  const curl = toCurl(document, endpoint);
  const sample = samples[endpoint.operation.operationId];
  if (sample === undefined) return [toCode('sh', curl)];
  const call = [
    "import { createClient } from '@orgchat/sdk';",
    '',
    'const client = createClient();',
    `console.log(await client.${sample.sdk(getExample(endpoint))});`,
  ].join('\n');
  return [
    '::: code-group',
    toCode('sh [curl]', curl),
    toCode('ts [TypeScript]', call),
    toCode('py [Python]', toPython(document, endpoint)),
    toCode('sh [orgchat]', `orgchat ${sample.command}`),
    ':::',
  ];
}

/** JSON in which a short object or list that is inside another is on one line. */
function format(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/(?<=\[) | (?=\])/g, '');
  if (typeof value !== 'object' || value === null) return line;
  const own = Object.entries(value);
  if (own.length === 0 || (indent !== '' && line.length < 50)) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = own.map(([name, one]) => `${inner}${isList ? '' : `"${name}": `}${format(one, inner)}`);
  const [start, end] = isList ? '[]' : '{}';
  return `${start}\n${parts.join(',\n')}\n${indent}${end}`;
}

/** An example of a body. */
export const toExample = (value: unknown): string => toCode('json', format(value));

/** The examples of answers that no example of a request has. */
export function listUnpaired(document: ApiDocument, endpoint: Endpoint): string[] {
  const requests = endpoint.operation.requestBody?.content?.['application/json']?.examples ?? {};
  return Object.entries(getDone(document, endpoint).named)
    .slice(1)
    .flatMap(([name, { summary = '', value }]) =>
      name in requests ? [] : [`**${toMarkdown(summary)}**`, toExample(value)],
    );
}

/** The other bodies of requests and answers, each with its title. */
export function showOtherExamples(document: ApiDocument, endpoint: Endpoint): string[] {
  const requests = Object.values(
    endpoint.operation.requestBody?.content?.['application/json']?.examples ?? {},
  );
  const answers = getDone(document, endpoint).examples;
  return [
    ...requests
      .slice(1)
      .flatMap(({ summary = '', value }) => [`**${toMarkdown(summary)}**`, toExample(value)]),
    ...answers
      .slice(1)
      .flatMap(({ summary = '', value }) => [`**Response: ${toMarkdown(summary)}**`, toExample(value)]),
  ];
}
