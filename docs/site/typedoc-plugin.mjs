import { ReflectionGroup, ReflectionKind } from 'typedoc';
import { MarkdownPageEvent, MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown';
import {
  describeOthers,
  describeRecord,
  describeResources,
  isRaw,
  isResource,
  listResourceTables,
  listUses,
  memberExamples,
  showUse,
  sortByUse,
  toTable,
} from './client-page.mjs';
import { FieldTables, isDescribed, listOwnFields, nameObjects, readTypes } from './parameters.mjs';
import { describeReturns } from './returns.mjs';
import { describeStart, groupSymbols, isTypeOfResource, writeNavigation } from './start-page.mjs';
import { clauses, defineNames, joinSignatures, linkClauses, namesMark, rearrange } from './symbol-page.mjs';

/*
 * The pages of the SDK's symbols: the start page in groups that a reader looks for, on each page first what it is for and how to
 * import it, and no members that are described on the page of the class above.
 */

/** The members of a client that are no resources, in groups and in this order. */
const memberGroups = ['Other members in detail', 'Raw requests'];
const memberOrder = ['account', 'operations', 'bulk', 'watch', 'with', '[asyncDispose]'];

const getComment = (reflection) => reflection.comment ?? reflection.signatures?.[0]?.comment;

const sortMembers = ({ children }) => {
  const rank = ({ name }) => memberOrder.indexOf(name);
  return [...children].sort((one, other) => rank(one) - rank(other));
};

/** The first sentence of a description, for a table, with the next one if it is only a few words. */
function getFirstSentence(reflection) {
  const text = (getComment(reflection)?.summary ?? [])
    .map((part) => part.text)
    .join('')
    .replaceAll(/\s+/g, ' ');
  const [sentence = text] = /^(?:.{25,}?|.*)\.(?= |$)/.exec(text) ?? [];
  return sentence.replaceAll(clauses, '').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

/**
 * Leaves out what is described on the page of the class or interface that has it, the name of a class as a function, and
 * constructors: a program makes none of these itself.
 */
function hideInherited(reflection) {
  const isOwn = (child) =>
    isDescribed(child) &&
    !(child.flags.isStatic && child.name === 'name') &&
    !child.kindOf(ReflectionKind.Constructor);
  for (const group of reflection.groups ?? []) group.children = group.children.filter(isOwn);
  if (reflection.groups) reflection.groups = reflection.groups.filter(({ children }) => children.length > 0);
  if (reflection.children) reflection.children = reflection.children.filter(isOwn);
}

/** Puts the members of a client into groups; the resources have sections of their own. */
function groupMembers(client) {
  const groupsOfMembers = memberGroups.map((title) => new ReflectionGroup(title, client));
  for (const child of sortMembers(client))
    if (!isResource(child) && !/-/.test(child.name))
      groupsOfMembers[Number(isRaw(child))].children.push(child);
  client.groups = groupsOfMembers;
}

const seeAlso = `See also: ${[
  '[create a client](/reference/sdk-api/functions/createClient)',
  '[options](/reference/sdk/options)',
  '[lists and changes](/reference/sdk/resources)',
  '[lost answers](/reference/sdk/writes)',
  '[errors](/reference/sdk/errors)',
].join(', ')}.`;

/** Puts what a client can do before the members that are no resources. The last paragraph of its text is about generic code. */
function showResources(contents, tables, sections, { others, raw }) {
  const code = /\n\n(For a resource name [^\n]*(?:\n[^\n]+)*)/;
  const [, generic = ''] = code.exec(contents) ?? [];
  const parts = [
    '',
    seeAlso,
    '## Resources',
    tables,
    '## Other members',
    others,
    '## Resources in detail',
    generic,
    namesMark,
    ...sections,
  ];
  return contents
    .replace(code, '')
    .replace(/^### readChat$/m, '### readChat()')
    .replace(/^## Raw requests$/m, `$&\n\n${raw}`)
    .replaceAll(
      /^### (operations|readChat)\b[\s\S]*?\n```\n\n.*$/gm,
      (section, name) => `${section}\n\n\`\`\`ts\n${memberExamples[name]}\n\`\`\``,
    )
    .replace(/(?=\n## )/, `${parts.join('\n\n')}\n`);
}

/** Sorts the methods of the type of a resource. */
function sortMethods({ groups = [] }) {
  for (const group of groups)
    if (group.title === 'Methods') group.children = sortByUse(group.children, ({ name }) => name);
}

/** What a method does about a record that someone changes meanwhile: its types say it, but for that of `sync`. */
function describeConflict({ name, signatures: [{ parameters = [] }] }) {
  if (name === 'sync') return 'Retries; a deletion fails';
  const hasField = ({ type }, field) =>
    type?.reflection !== undefined && listOwnFields(type.reflection).some((one) => one.name === field);
  if (parameters.some((parameter) => hasField(parameter, 'maxAttempts'))) return 'Retries';
  const isGuarded = ({ type }) =>
    type?.type === 'union' && type.types.some((part) => /^(?:GuardedFriend|RecordRef)$/.test(part.name));
  return parameters.some(isGuarded) ? 'Fails' : '–';
}

/** The methods of a type as a table, if they are too many to be seen at once. */
function listMethods(model) {
  const listOwn = ({ groups = [] }) =>
    groups.filter(({ title }) => title === 'Methods').flatMap(({ children }) => children);
  const deletable = model.project.getChildByName('Deletable');
  const methods = [...listOwn(model), ...(model.name === 'Configuration' ? listOwn(deletable) : [])].filter(
    ({ name, signatures }) => /^\w+$/.test(name) && signatures?.length,
  );
  if (methods.length < 3) return '';
  const conflicts = methods.map(describeConflict);
  const hasConflicts = conflicts.some((conflict) => conflict !== '–');
  const rows = methods.map((method, index) => {
    const page = method.parent === model ? '' : `${method.parent.name}.md`;
    const name = `[\`${method.name}()\`](${page}#${method.name.toLowerCase()})`;
    return [name, getFirstSentence(method), ...(hasConflicts ? [conflicts[index]] : [])];
  });
  const headings = ['Method', 'What it does', ...(hasConflicts ? ['If someone else changed it'] : [])];
  return [toTable(headings, rows), ...(hasConflicts ? [conflictNote] : [])].join('\n\n');
}

const conflictNote =
  'A call that retries reads the record again. One that fails rejects with [`StaleRevisionError`](/reference/sdk-api/classes/StaleRevisionError), and changes nothing.';

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

/** The pages of typedoc-plugin-markdown with tables of this site. */
class SiteContext extends MarkdownThemeContext {
  tables = new FieldTables(this);

  constructor(...page) {
    super(...page);
    const { signatureReturns, signatureTitle } = this.partials;
    Object.assign(this.partials, {
      parametersTable: (parameters) => this.tables.parameters(parameters),
      propertiesTable: (properties) => this.tables.properties(properties),
      signatureTitle: (signature, options) => nameObjects(signatureTitle(signature, options), signature),
      signatureReturns: (signature, options) =>
        [signatureReturns(signature, options), describeReturns(signature.type)].join('\n\n').trimEnd(),
    });
  }
}

class SiteTheme extends MarkdownTheme {
  getRenderContext(page) {
    return new SiteContext(this, page, this.application.options);
  }
}

export function load(app) {
  let sections = [];
  let isRead = false;
  app.renderer.defineTheme('site', SiteTheme);
  app.renderer.on(MarkdownPageEvent.BEGIN, (page) => {
    const { model, project } = page;
    if (!isRead) readTypes(project);
    isRead = true;
    if (model === project) return;
    hideInherited(model);
    if (isTypeOfResource(model.name)) sortMethods(model);
    if (model.name === 'OrgChatClient') {
      sections = describeResources(model, app.renderer.theme.getRenderContext(page).tables);
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
      page.contents = describeStart(symbols, toAddress, getFirstSentence);
      return;
    }
    const client = project.children.find((child) => child.name === 'OrgChatClient');
    const contents = rearrange(nameObjects(page.contents, { parameters: [model] }), model, {
      types: project.children.map((child) => child.name),
      uses: listUses(client, model),
      record: describeRecord(model),
      use: showUse(client, model),
      methods: model.name === 'OrgChatClient' ? '' : listMethods(model),
    });
    page.contents = defineNames(
      model.name === 'OrgChatClient'
        ? linkClauses(
            joinSignatures(
              showResources(
                contents,
                listResourceTables(model),
                sections,
                describeOthers(sortMembers(model), getFirstSentence),
              ),
            ),
          )
        : contents,
    );
  });
}
