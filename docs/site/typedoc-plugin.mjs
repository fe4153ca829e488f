import { readFileSync } from 'node:fs';
import { ReflectionKind } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';

/*
 * The pages of the SDK's symbols: the start page in groups that a reader looks for, on each page first what it is for and how to
 * import it, and no members that are described on the page of the class above.
 */

const name = '@orgchat/sdk';

/** Groups, each with the sources of its symbols or their names. A symbol belongs to the first that fits. */
const groups = [
  ['Client', 'Begin here.', ({ file, symbol }) => /^client/.test(file) || symbol === 'OrgChatClient'],
  [
    'Resources',
    'What the members of a client have, such as `client.tags` and `client.friends`.',
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

const start = `\`\`\`ts
import { createClient } from '${name}';

const client = createClient(); // reads ORGCHAT_API_KEY and ORGCHAT_BASE_URL
const vip = await client.tags.create({ name: 'VIP', color: 'pink' });
console.log(vip.result?.id);
\`\`\``;

const getComment = (reflection) => reflection.comment ?? reflection.signatures?.[0]?.comment;

/** The first sentence of a description, for a table, with the next one if it is only a few words. */
function getFirstSentence(reflection) {
  const text = (getComment(reflection)?.summary ?? [])
    .map((part) => part.text)
    .join('')
    .replaceAll(/\s+/g, ' ');
  const [sentence = text] = /^(?:.{25,}?|.*)\.(?= |$)/.exec(text) ?? [];
  return sentence.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function describeStart(project, toAddress) {
  const sections = new Map(groups.map(([title]) => [title, []]));
  for (const child of project.children) {
    const file = project.getSymbolIdFromReflection(child)?.packagePath.replace(/^.*?src\//, '') ?? '';
    const [title] = groups.find(([, , fits]) => fits({ file, symbol: child.name }));
    sections.get(title).push(child);
  }
  const order = ({ name: symbol }) =>
    /^(?:createClient|OrgChatError|ClientOptions)$/.test(symbol) ? 0 : /Error$/.test(symbol) ? 1 : 2;
  const tables = groups.map(([title, purpose]) => {
    const rows = sections
      .get(title)
      .sort((one, other) => order(one) - order(other) || (one.name < other.name ? -1 : 1))
      .map((child) => {
        const shown = child.signatures === undefined ? child.name : `${child.name}()`;
        return `| [\`${shown}\`](${toAddress(child)}) | ${getFirstSentence(child)} |`;
      });
    return `## ${title}\n\n${purpose}\n\n| Name | What it is |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return [
    '# SDK API',
    `Everything that \`${name}\` exports. The [overview](/explanation/sdk/) says how to install it; [resources](/reference/sdk/resources), [options](/reference/sdk/options) and [errors](/reference/sdk/errors) explain it by subject.`,
    start,
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

/** Begins a page with what the symbol is for, its import, and its example. */
function rearrange(contents, reflection) {
  const [, title, signature = '', summary, details = ''] = new RegExp(
    `^\\s*(# .*\\n)\\n*(${codeBlock})?([\\s\\S]*?)(\\n##? [\\s\\S]*)?$`,
  ).exec(contents);
  const isType = reflection.signatures === undefined && !/Error$/.test(reflection.name);
  const line = `import ${isType ? 'type ' : ''}{ ${reflection.name} } from '${name}';`;
  const example = /\n## Example\n\n```ts\n([\s\S]*?)\n```\n/;
  const [, code] = example.exec(details) ?? [];
  const parts = [
    title,
    summary,
    `\`\`\`ts\n${line}${code === undefined ? '' : `\n\n${code}`}\n\`\`\`\n`,
    describeSignature(signature, reflection),
    details
      .replace(example, '\n')
      // What is not exported has no page.
      .replace(/\n## Extends\n\n(?:- (?!.*\]\().*\n)+(?=\n|$)/, '\n')
      .replaceAll(/\n\*\*\*\n/g, '')
      .replaceAll(/ - (?=\|$)/gm, ' ')
      .replaceAll(/(?<=^```ts\n)readonly (?=\[?\w+\]?[(<])/gm, ''),
  ];
  return parts.filter((part) => part.trim() !== '').join('\n');
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
  app.renderer.on(MarkdownPageEvent.BEGIN, ({ model, project }) => {
    if (model === project) return;
    hideInherited(model);
    hideExamplesInTables(model);
  });
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    const { model, project } = page;
    page.contents =
      model === project
        ? describeStart(project, (child) => app.renderer.router.getFullUrl(child))
        : rearrange(page.contents, model);
  });
}
