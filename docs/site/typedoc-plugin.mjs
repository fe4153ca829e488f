import { readFileSync, writeFileSync } from 'node:fs';
import { ReflectionGroup, ReflectionKind } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { describeMatrix, describeOthers, describeResources, isResource } from './client-page.mjs';

/*
 * The pages of the SDK's symbols: the start page in groups that a reader looks for, on each page first what it is for and how to
 * import it, and no members that are described on the page of the class above.
 */

const name = '@orgchat/sdk';

/** What each entry point exports at run time. A name is imported from the first that has it. */
const modules = await Promise.all(
  [
    [name, 'index'],
    [`${name}/node`, 'node'],
  ].map(async ([module, entry]) => [
    module,
    Object.keys(await import(new URL(`../../packages/sdk/dist/esm/${entry}.js`, import.meta.url))),
  ]),
);

/** Groups, each with the sources of its symbols or their names. A symbol belongs to the first that fits. */
const groups = [
  [
    'Client',
    'The function that creates a client, and the type of what it returns.',
    ({ file, symbol }) => /^client/.test(file) || symbol === 'OrgChatClient',
  ],
  [
    'Types of resources',
    'What `client.tags`, `client.friends` and the other resources have.',
    ({ symbol }) =>
      /^(?:Configuration|Conversations|Deletable|Friends|OperationsApi|ReadChat|Studio)$/.test(symbol),
  ],
  ['Errors', 'What a call rejects with. Each extends `OrgChatError`.', ({ file }) => /^errors\//.test(file)],
  ['Options', 'Of the client and of single calls.', ({ symbol }) => /Options?$/.test(symbol)],
  ['Calls and lists', 'What a call returns.', ({ file }) => /^(?:lists|results|write)\//.test(file)],
  [
    'Operations and runs',
    'Results of operations, bulk runs, sync and imports of keywords.',
    ({ file }) => /^(?:bulk|keywords|operations|resources)\//.test(file),
  ],
  ['Watch', 'Events of `client.watch()`.', ({ file }) => /^watch\//.test(file)],
  ['Journal', 'Where writes are recorded before they are sent.', ({ file }) => /^journal\//.test(file)],
  [
    'Events and logging',
    'What `onEvent` and `logger` are called with.',
    ({ file }) => /^events\//.test(file),
  ],
  [
    'Server and pacing',
    'The description of a server, error codes, and the pace of requests.',
    ({ file }) => /^(?:generated\/(?:code|resolve|server)|options|timing)/.test(file),
  ],
  ['Records and data', 'What is read and sent.', () => true],
];

/** The members of a client that are no resources, in groups. The last has those that no other names. */
const memberGroups = [
  ['Account, bulk runs and watch', ({ name: member }) => /^(?:account|bulk|watch)$/.test(member)],
  ['Operations', ({ name: member }) => member === 'operations'],
  ['Other clients and the end', ({ name: member }) => /^(?:with|\[asyncDispose\])$/.test(member)],
  ['Plain operations of the API', () => true],
];

const start = `\`\`\`ts
import { createClient } from '${name}';

// reads ORGCHAT_API_KEY and ORGCHAT_BASE_URL
const client = createClient();
const vip = await client.tags.create({ name: 'VIP', color: 'pink' });
console.log(vip.result?.id); // undefined if the answer has no record
\`\`\``;

const getComment = (reflection) => reflection.comment ?? reflection.signatures?.[0]?.comment;

/** Numbers of clauses in a text: ` (4.3, 4.4)`. */
const clauses = / \((\d+(?:\.\d+)+(?:, \d+(?:\.\d+)+)*)\)/g;

const getMemberGroup = (member) => memberGroups.findIndex(([, fits]) => fits(member));

const toTitle = (child) => (child.signatures === undefined ? child.name : `${child.name}()`);

/** The first sentence of a description, for a table, with the next one if it is only a few words. */
function getFirstSentence(reflection) {
  const text = (getComment(reflection)?.summary ?? [])
    .map((part) => part.text)
    .join('')
    .replaceAll(/\s+/g, ' ');
  const [sentence = text] = /^(?:.{25,}?|.*)\.(?= |$)/.exec(text) ?? [];
  return sentence.replaceAll(clauses, '').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

/** The symbols of each group, in order. */
function groupSymbols(project) {
  const sections = new Map(groups.map(([title]) => [title, []]));
  for (const child of project.children) {
    const file = project.getSymbolIdFromReflection(child)?.packagePath.replace(/^.*?src\//, '') ?? '';
    const [title] = groups.find(([, , fits]) => fits({ file, symbol: child.name }));
    sections.get(title).push(child);
  }
  const order = ({ name: symbol }) =>
    /^(?:createClient|OrgChatError|ClientOptions)$/.test(symbol) ? 0 : /Error$/.test(symbol) ? 1 : 2;
  for (const list of sections.values())
    list.sort((one, other) => order(one) - order(other) || (one.name < other.name ? -1 : 1));
  return sections;
}

/** Writes the navigation of the symbols. */
function writeNavigation(sections, toAddress) {
  const list = Array.from(sections, ([text, symbols]) => ({
    text,
    collapsed: text !== 'Client',
    items: symbols.map((child) => ({
      text: toTitle(child),
      link: `/reference/sdk-api/${toAddress(child).replace(/\.md$/, '')}`,
    })),
  }));
  writeFileSync(new URL('../.vitepress/generated/symbols.json', import.meta.url), JSON.stringify(list));
}

function describeStart(project, sections, toAddress) {
  const tables = groups.map(([title, purpose]) => {
    const rows = sections
      .get(title)
      .map((child) => `| [\`${toTitle(child)}\`](${toAddress(child)}) | ${getFirstSentence(child)} |`);
    return `## ${title}\n\n${purpose}\n\n| Name | What it is |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  const client = project.children.find((child) => child.name === 'OrgChatClient');
  return [
    '# SDK API',
    start,
    `Until the first release, [pack \`${name}\` from a clone](/tutorial/start/use-it-in-another-project). By subject: [resources](/reference/sdk/resources) · [options](/reference/sdk/options) · [errors](/reference/sdk/errors) · [writes and their outcomes](/explanation/sdk/writes)`,
    '## What a client can do',
    describeMatrix(client),
    describeOthers(client, getFirstSentence),
    ...tables,
  ].join('\n\n');
}

const codeBlock = '```ts\\n(?:[\\s\\S]*?)\\n```\\n';

const objects = readFileSync(
  new URL('../.vitepress/generated/pages/reference/api/objects-in-requests.md', import.meta.url),
  'utf8',
);

/** A type of the contract is described with the API: its signature is a name that is not exported. */
function describeSignature(signature, { name: symbol }) {
  if (!signature.includes('Schemas["')) return signature;
  const isObject = objects.includes(`{#${symbol}}`);
  const address = isObject ? `/reference/api/objects-in-requests#${symbol}` : '/reference/api/';
  return `The [API](${address}) says what it can be.\n`;
}

/** Whether code uses a name other than as a member or a key. Comments and strings do not count. */
const usesName = (code, value) =>
  new RegExp(`(?<![.\\w$])${value}\\b(?!:)`).test(code.replaceAll(/\/\/.*|'[^'\n]*'|\/\*[\s\S]*?\*\//g, ''));

/** Code as a program of its own: it imports the symbol and each export that it uses, and creates the client that it calls. */
function completeExample(symbol, types, example) {
  const hasClient = !/\bclient\b/.test(example) || /\b(?:const|using) client\b/.test(example);
  const code = hasClient ? example : `const client = createClient();\n${example}`;
  const known = new Set();
  const imports = modules.map(([module, values]) => {
    const own = [...values, ...(module === name ? types.filter((type) => !values.includes(type)) : [])];
    const used = own.filter((one) => !known.has(one) && (one === symbol || usesName(code, one)));
    for (const one of used) known.add(one);
    const areTypes = used.every((one) => !values.includes(one));
    const names = used.map((one) => (areTypes || values.includes(one) ? one : `type ${one}`));
    const line = `import ${areTypes ? 'type ' : ''}{ ${names.join(', ')} } from '${module}';`;
    if (names.length === 0 || line.length <= 72) return names.length === 0 ? '' : line;
    return line.replace('{ ', '{\n  ').replaceAll(', ', ',\n  ').replace(' }', ',\n}');
  });
  const head = imports.filter((line) => line !== '').join('\n');
  return code === '' ? head : `${head}\n\n${code}`;
}

/** Signatures that fit on one line are on one. */
const joinSignatures = (text) =>
  text.replaceAll(/(?<=^```ts\n)[^`]*?\(\n[^`]*?(?=\n```$)/gm, (signature) => {
    const line = signature
      .replaceAll(/\(\n +/g, '(')
      .replaceAll(/, *\n +/g, ', ')
      .replaceAll(/ *\n\)/g, ')');
    return line.length <= 80 ? line : signature;
  });

/** Numbers of clauses outside code as links. */
const linkClauses = (text) =>
  text
    .split(/^(```[\s\S]*?^```)$/m)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : piece.replaceAll(clauses, (_, numbers) => {
            const links = numbers
              .split(', ')
              .map((number) => `[${number}](/reference/specification#${number})`);
            return ` (${links.join(', ')})`;
          }),
    )
    .join('');

/** Begins a page with what the symbol is for, its import, and its example. */
function rearrange(contents, reflection, types) {
  const [, title, signature = '', summary, details = ''] = new RegExp(
    `^\\s*(# .*\\n)\\n*(${codeBlock})?([\\s\\S]*?)(\\n##? [\\s\\S]*)?$`,
  ).exec(contents);
  const example = /\n## Example\n\n```ts\n([\s\S]*?)\n```\n/;
  const [, code = ''] = example.exec(details) ?? [];
  const parts = [
    title,
    summary,
    `\`\`\`ts\n${completeExample(reflection.name, types, code)}\n\`\`\`\n`,
    joinSignatures(describeSignature(signature, reflection)),
    joinSignatures(
      details
        .replace(example, '\n')
        // What is not exported has no page.
        .replace(/\n## Extends\n\n(?:- (?!.*\]\().*\n)+(?=\n|$)/, '\n')
        .replaceAll(/\n\*\*\*\n/g, '')
        .replaceAll(/ - (?=\|$)/gm, ' ')
        // The rows below it say what such an object has.
        .replaceAll(/ \| `object` \| /g, ' |  | ')
        .replaceAll(/(?<=^```ts\n)readonly (?=\[?\w+\]?[(<])/gm, ''),
    ),
  ];
  return linkClauses(parts.filter((part) => part.trim() !== '').join('\n'));
}

/**
 * Leaves out what is described on the page of the class or interface that has it, the name of a class as a function, and
 * constructors: a program makes none of these itself.
 */
function hideInherited(reflection) {
  const isOwn = (child) =>
    child.inheritedFrom?.reflection === undefined &&
    !(child.flags.isStatic && child.name === 'name') &&
    !child.kindOf(ReflectionKind.Constructor);
  for (const group of reflection.groups ?? []) group.children = group.children.filter(isOwn);
  if (reflection.groups) reflection.groups = reflection.groups.filter(({ children }) => children.length > 0);
  if (reflection.children) reflection.children = reflection.children.filter(isOwn);
}

/** Puts the members of a client into groups; the resources have sections of their own. */
function groupMembers(client) {
  const groupsOfMembers = memberGroups.map(([title]) => new ReflectionGroup(title, client));
  for (const child of client.children)
    if (!isResource(child) && !/-/.test(child.name))
      groupsOfMembers[getMemberGroup(child)].children.push(child);
  client.groups = groupsOfMembers;
}

/** Puts what a client can do before the members that are no resources. The last paragraph of its text is about generic code. */
function showResources(contents, matrix, sections, others) {
  const code = /\n\n(Code that has the name of a resource [^\n]*(?:\n[^\n]+)*)/;
  const [, generic = ''] = code.exec(contents) ?? [];
  const parts = ['', '## What it can do', matrix, others, generic, '## Resources', ...sections];
  return contents.replace(code, '').replace(/(?=\n## )/, `${parts.join('\n\n')}\n`);
}

/** Leaves examples out of tables, in whose cells they would be one line. */
function hideExamplesInTables(reflection) {
  for (const child of reflection.children ?? []) {
    if (child.signatures !== undefined && !child.parent?.kindOf(ReflectionKind.TypeLiteral)) continue;
    for (const one of [child, ...(child.signatures ?? [])]) one.comment?.removeTags('@example');
    if (child.type?.type === 'reflection') {
      const { declaration } = child.type;
      for (const signature of declaration.signatures ?? []) signature.comment?.removeTags('@example');
      hideExamplesInTables(declaration);
    }
  }
}

export function load(app) {
  let sections = [];
  app.renderer.on(MarkdownPageEvent.BEGIN, ({ model, project }) => {
    if (model === project) return;
    hideInherited(model);
    if (model.name === 'OrgChatClient') {
      sections = describeResources(model);
      groupMembers(model);
    }
    hideExamplesInTables(model);
  });
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    const { model, project } = page;
    if (model === project) {
      const symbols = groupSymbols(project);
      const toAddress = (child) => app.renderer.router.getFullUrl(child);
      writeNavigation(symbols, toAddress);
      page.contents = describeStart(project, symbols, toAddress);
      return;
    }
    const types = project.children.map((child) => child.name);
    const contents = rearrange(page.contents, model, types);
    page.contents =
      model.name === 'OrgChatClient'
        ? linkClauses(
            showResources(contents, describeMatrix(model), sections, describeOthers(model, getFirstSentence)),
          )
        : contents;
  });
}
