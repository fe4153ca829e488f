import { ReflectionKind } from 'typedoc';
import { resourceExamples, typeExamples } from './resource-examples.mjs';
import { describeReturns } from './returns.mjs';

/* The page of a client: what it can do as one table, and then each resource with an example that can be copied. */

const base = '/reference/sdk-api';

/** Methods in the order of their use; the others of a type follow in the order of its source. */
const methodOrder =
  'list get find messages create add import addTags removeTags setTags editTags update edit upsert sync delete enroll automations resume resumeAll reconcile'.split(
    ' ',
  );

/** Sorts methods by their use. */
export function sortByUse(methods, getName) {
  const rank = (method) => {
    const found = methodOrder.indexOf(getName(method));
    return found < 0 ? methodOrder.length : found;
  };
  return [...methods].sort((one, other) => rank(one) - rank(other));
}

const pageOfClient = `${base}/interfaces/OrgChatClient`;

/** A resource is a member with methods of its own, not a second name, such as `auto-replies`. */
export const isResource = ({ kind, name }) =>
  kind === ReflectionKind.Property && /^(?!operations$|readChat$)\w+$/.test(name);

const order = Object.keys(resourceExamples);

const listResources = (client) => {
  const rank = ({ name }) => (order.includes(name) ? order.indexOf(name) : order.length);
  return client.children.filter(isResource).sort((one, other) => rank(one) - rank(other));
};

/** The types that a type is made of: those of an intersection, or itself. */
const listParts = (type) => (type?.type === 'intersection' ? type.types : [type]);

/** The methods of a resource, each with its address. */
function listMethods(resource) {
  return listParts(resource.type).flatMap((part) => {
    if (part.type === 'reflection')
      return part.declaration.children.map((method) => ({
        method,
        address: `${pageOfClient}#${resource.name}-${method.name}`,
        isInline: true,
      }));
    const { children = [], name } = part.reflection ?? {};
    return children
      .filter(({ signatures }) => signatures !== undefined)
      .map((method) => ({
        method,
        address: `${base}/interfaces/${name}#${method.name.toLowerCase()}`,
        isInline: false,
      }));
  });
}

const linkMethods = (methods) =>
  sortByUse(methods, ({ method }) => method.name)
    .map(({ method, address }) => `[\`${method.name}\`](${address})`)
    .join(', ');

export const toTable = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const isConfiguration = ({ type }) => listParts(type).some(({ name }) => name === 'Configuration');

/** What each resource is, and its methods: those that all of the configuration have are listed once. */
export function listResourceTables(client) {
  const resources = listResources(client);
  const toName = ({ name }) => `[\`client.${name}\`](${pageOfClient}#${name.toLowerCase()})`;
  const configuration = resources.filter(isConfiguration);
  const [first] = configuration;
  const shared = listMethods(first);
  const describe = (resource) => {
    const own = listMethods(resource);
    const more = own.filter(({ isInline }) => isInline);
    const less = shared.filter(({ method }) => own.every((one) => one.method.name !== method.name));
    return [
      toText(resource.comment),
      ...(more.length === 0 ? [] : [`It also has ${linkMethods(more)}.`]),
      ...less.map(({ method }) => `It has no \`${method.name}\`.`),
    ].join(' ');
  };
  return [
    'A resource is a member of the client, such as `client.tags`. Its methods read and change one kind of record.',
    '### Configuration',
    `Unless the table says otherwise, all of these have ${linkMethods(shared).replace(/, (?=[^,]*$)/, ' and ')}:`,
    toTable(
      ['Resource', 'What it is'],
      configuration.map((resource) => [toName(resource), describe(resource)]),
    ),
    '### People and content',
    toTable(
      ['Resource', 'What it is', 'Methods'],
      resources
        .filter((resource) => !isConfiguration(resource))
        .map((resource) => [toName(resource), toText(resource.comment), linkMethods(listMethods(resource))]),
    ),
    'The API cannot do more than these methods. For example, you cannot create a friend: people add your account.',
  ].join('\n\n');
}

/** How members are used whose types have the methods. */
export const memberExamples = { operations: typeExamples.OperationsApi, readChat: typeExamples.ReadChat };

/** A call of a client that shows what a type is for; nothing if it is not the type of a member. */
export function showUse(client, reflection) {
  const member = listResources(client).find(({ type }) =>
    listParts(type).some((part) => part.reflection === reflection),
  );
  return typeExamples[reflection.name] ?? resourceExamples[member?.name] ?? '';
}

/** Where the fields of the records are described, if all lists of a resource have the same ones. */
export function describeRecord({ children = [] }) {
  const [signature] = children.find(({ name }) => name === 'list')?.signatures ?? [];
  const [listed] = signature?.type.typeArguments ?? [];
  const { name, reflection } = listed?.name === 'RecordPage' ? listed.typeArguments[0] : (listed ?? {});
  return reflection === undefined
    ? ''
    : `For the fields of a record, see [\`${name}\`](${base}/interfaces/${name}).\n`;
}

/** Which members of a client have a type; nothing if none has. */
export function listUses(client, reflection) {
  const hasType = ({ type }) => listParts(type).some((part) => part.reflection === reflection);
  const resources = listResources(client);
  const links = resources
    .filter(hasType)
    .map(({ name }) => `[\`client.${name}\`](${pageOfClient}#${name.toLowerCase()})`);
  if (links.length < 4) return links.length === 0 ? '' : `Use it as ${links.join(', ')}.\n`;
  const without = resources.filter((resource) => isConfiguration(resource) && !hasType(resource));
  const except = without.map(({ name }) => ` except \`${name}\``).join('');
  const others = `another [configuration resource](${pageOfClient}#configuration)${except}`;
  return `Use it as ${links.slice(0, 2).join(', ')} or ${others}.\n`;
}

/** The members that send a request as the API has it. */
export const isRaw = ({ name }) => /^(?:addKeywords|readChat|changeChat|readStudio)$/.test(name);

/** Members that are no resources, each with what it does. */
function listMembers(members, describe) {
  return toTable(
    ['Member', 'What it does'],
    members.map((member) => {
      const { type } = member.type?.reflection ?? {};
      const isCalled = (member.signatures ?? type?.declaration?.signatures) !== undefined;
      const shown = `client.${member.name}${isCalled ? '()' : ''}`;
      return [`[\`${shown}\`](${pageOfClient}#${member.name.toLowerCase()})`, describe(member)];
    }),
  );
}

/** The members that are no resources, and those that few programs need. */
export function describeOthers(members, describe) {
  const others = members.filter((member) => /^\w+$/.test(member.name) && !isResource(member));
  return {
    others: listMembers(
      others.filter((member) => !isRaw(member)),
      describe,
    ),
    raw: [
      'Use these only if you need the raw request. The resources above send these requests for you.',
      listMembers(others.filter(isRaw), describe),
    ].join('\n\n'),
  };
}

const toText = (comment) => (comment?.summary ?? []).map(({ text }) => text).join('');

const toProgram = (comment) =>
  (comment?.getTag('@example')?.content ?? [])
    .map(({ text }) => text)
    .join('')
    .replace(/^\x60{3}\w*\n|\n\x60{3}$/g, '');

/** A method that only this resource has: its call, its text and its example. Called before examples are left out of tables. */
function describeInline(resource, { method, address }, tables) {
  const [signature] = method.signatures ?? method.type?.declaration?.signatures ?? [];
  if (signature === undefined) throw new Error(`No signature of ${resource.name}.${method.name}.`);
  const parameters = signature.parameters.map(
    ({ name, flags, type }) => `${name}${flags.isOptional ? '?' : ''}: ${type}`,
  );
  const comment = signature.comment ?? method.comment;
  return [
    `#### ${resource.name}.${method.name}() {#${address.split('#')[1]}}`,
    `\`\`\`ts signature\n${method.name}(${parameters.join(', ')}): ${signature.type};\n\`\`\``,
    toText(comment),
    `\`\`\`ts\n${toProgram(comment)}\n\`\`\``,
    tables.parameters(signature.parameters),
    `Returns: ${describeReturns(signature.type)}`,
  ];
}

/** Where the fields of what is created are described: by the type of the input in `ConfigurationInputs`. */
function findFields(project, resource) {
  const inputs = project.children.find(({ name }) => name === 'ConfigurationInputs');
  const name = resource.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const { type } = inputs.children.find((one) => one.name === name) ?? {};
  return type?.name;
}

/** A section for each resource: what it is, how a record is made, and the types with all methods. */
export function describeResources(client, tables) {
  return listResources(client).flatMap((resource) => {
    const fields = findFields(client.project, resource);
    const types = listParts(resource.type).flatMap(({ reflection }) =>
      reflection === undefined ? [] : [`[\`${reflection.name}\`](${base}/interfaces/${reflection.name})`],
    );
    const links = [
      ...(fields === undefined ? [] : [`Fields: [\`${fields}\`](${base}/interfaces/${fields}).`]),
      ...(types.length === 0 ? [] : [`For all its methods, see ${types.join(' and ')}.`]),
    ];
    const example = resourceExamples[resource.name];
    const inline = listMethods(resource).filter(({ isInline }) => isInline);
    if (example === undefined && inline.length === 0)
      throw new Error(`No example of ${resource.name} in resource-examples.mjs.`);
    return [
      `### ${resource.name} {#${resource.name.toLowerCase()}}`,
      [toText(resource.comment), ...links].join(' '),
      ...(example === undefined ? [] : [`\`\`\`ts\n${example}\n\`\`\``]),
      ...inline.flatMap((one) => describeInline(resource, one, tables)),
    ];
  });
}
