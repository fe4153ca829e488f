import { writeFileSync } from 'node:fs';
import { ReflectionGroup, ReflectionKind } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import {
  describeMatrix,
  describeOthers,
  describeResources,
  isResource,
  listUses,
  showUse,
} from './client-page.mjs';
import { describeParameters } from './parameters.mjs';
import { clauses, defineNames, linkClauses, rearrange } from './symbol-page.mjs';

/*
 * The pages of the SDK's symbols: the start page in groups that a reader looks for, on each page first what it is for and how to
 * import it, and no members that are described on the page of the class above.
 */

const name = '@orgchat/sdk';

/** Groups, each with when one needs it and the sources of its symbols or their names. A symbol belongs to the first that fits. */
const groups = [
  [
    'Client',
    'Where each program begins.',
    ({ file, symbol }) => /^client/.test(file) || symbol === 'OrgChatClient',
  ],
  [
    'Types of resources',
    'For the methods of `client.tags`, `client.friends` and the other resources.',
    ({ symbol }) =>
      /^(?:Configuration|Conversations|Deletable|Friends|OperationsApi|ReadChat|Studio)$/.test(symbol),
  ],
  [
    'Error classes',
    'For a `catch`: each of these classes extends `OrgChatError`.',
    ({ file }) => /^errors\//.test(file),
  ],
  [
    'Options of calls',
    'To type options that are built before the call, such as in a function of yours.',
    ({ symbol }) => /Options?$/.test(symbol),
  ],
  [
    'Calls and lists',
    'To wait for a call or read a list in another way than with `await`.',
    ({ file }) => /^(?:lists|results|write)\//.test(file),
  ],
  [
    'Operations and runs',
    'To read the result of `operations`, `bulk()`, `sync()` or `keywords.import()`.',
    ({ file }) => /^(?:bulk|keywords|operations|resources)\//.test(file),
  ],
  [
    'Watch',
    'To handle the events of `client.watch()`, or to store its cursor elsewhere.',
    ({ file }) => /^watch\//.test(file),
  ],
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

/** The members of a client that are no resources, in groups. The last has those that no other names. */
const memberGroups = [
  ['Account, bulk runs and watch', ({ name: member }) => /^(?:account|bulk|watch)$/.test(member)],
  ['Operations', ({ name: member }) => member === 'operations'],
  ['More clients and cleanup', ({ name: member }) => /^(?:with|\[asyncDispose\])$/.test(member)],
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

const getMemberGroup = (member) => memberGroups.findIndex(([, fits]) => fits(member));

const toTitle = (child) => (child.signatures === undefined ? child.name : `${child.name}()`);

const sortMembers = ({ children }) =>
  [...children].sort((one, other) => getMemberGroup(one) - getMemberGroup(other));

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
    collapsed: true,
    items: symbols.map((child) => ({
      text: toTitle(child),
      link: `/reference/sdk-api/${toAddress(child).replace(/\.md$/, '')}`,
    })),
  }));
  writeFileSync(new URL('../.vitepress/generated/symbols.json', import.meta.url), JSON.stringify(list));
}

function describeStart(sections, toAddress) {
  const tables = groups.map(([title, purpose]) => {
    const rows = sections
      .get(title)
      .map((child) => `| [\`${toTitle(child)}\`](${toAddress(child)}) | ${getFirstSentence(child)} |`);
    return `## ${title}\n\n${purpose}\n\n| Name | What it is |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return [
    '# SDK API',
    `The client of the API for TypeScript and JavaScript, on [Node, Bun, Deno and workers](/reference/sdk/runtimes). Until the first release, [pack it from a clone](/tutorial/start/use-it-in-another-project).`,
    start,
    'Read on: [what a client can do](/reference/sdk-api/interfaces/OrgChatClient#what-it-can-do), [resources](/reference/sdk/resources), [options](/reference/sdk/options), [errors](/reference/sdk/errors), and [writes with their outcomes](/explanation/sdk/writes).',
    ...tables,
  ].join('\n\n');
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
  const code = /\n\n(For a resource name [^\n]*(?:\n[^\n]+)*)/;
  const [, generic = ''] = code.exec(contents) ?? [];
  const parts = ['', '## What it can do', matrix, others, generic, '## Resources', ...sections];
  return contents
    .replace(code, '')
    .replace(/^### readChat$/m, '### readChat()')
    .replace(/(?=\n## )/, `${parts.join('\n\n')}\n`);
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
  let isDescribed = false;
  app.renderer.on(MarkdownPageEvent.BEGIN, ({ model, project }) => {
    if (!isDescribed) describeParameters(project, getFirstSentence);
    isDescribed = true;
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
      page.contents = describeStart(symbols, toAddress);
      return;
    }
    const types = project.children.map((child) => child.name);
    const client = project.children.find((child) => child.name === 'OrgChatClient');
    const contents = rearrange(page.contents, model, types, listUses(client, model), showUse(client, model));
    page.contents = defineNames(
      model.name === 'OrgChatClient'
        ? linkClauses(
            showResources(
              contents,
              describeMatrix(model),
              sections,
              describeOthers(sortMembers(model), getFirstSentence),
            ),
          )
        : contents,
    );
  });
}
