import { IntrinsicType, ReflectionKind, UnionType } from 'typedoc';

/* The tables of parameters and properties: a row per option, with its type, its default and what it means. */

const callOptions = 'CallOptions';

const addressOfCalls = `/reference/sdk-api/interfaces/${callOptions}`;

const callFields = '`signal`, `timeoutMs`, `attemptTimeoutMs`, `retry`, `headers` and `language`';

const allCalls = `the [options of every call](${addressOfCalls})`;

/** Types whose fields are rows of the method that takes them. */
const isExpanded = ({ name, kind }) =>
  (/(?:Options|Input|Targets)$/.test(name) && name !== callOptions) || kind === ReflectionKind.TypeLiteral;

/** Whether a field is that of the options of every call, or inherited from there. */
const isOfEachCall = ({ name, parent, inheritedFrom, project }) =>
  parent.name === callOptions ||
  (inheritedFrom !== undefined && project.getChildByName([callOptions, name]) !== undefined);

/** Whether a member of a type is described on the page of that type: its own, and for options those of others. */
export const isDescribed = (child) =>
  child.inheritedFrom === undefined ||
  (/Options$/.test(child.parent.name) && !isOfEachCall(child)) ||
  child.inheritedFrom.reflection === undefined;

const isUndefined = (type) => type.type === 'intrinsic' && type.name === 'undefined';

/** A type without `undefined`, which the mark behind a name says. */
function toDefined(type) {
  if (type?.type !== 'union') return type;
  const types = type.types.filter((part) => !isUndefined(part));
  if (types.length === type.types.length) return type;
  return types.length === 1 ? types[0] : new UnionType(types);
}

/** The types that an object has the fields of; nothing for one of several. */
function listParts(type) {
  if (type?.type === 'reference') return type.reflection === undefined ? [] : [type.reflection];
  if (type?.type === 'intersection') return type.types.flatMap(listParts);
  return type?.type === 'reflection' && type.declaration.signatures === undefined ? [type.declaration] : [];
}

/** A signature in which objects without a name have their fields, instead of `object`. */
export function nameObjects(text, { parameters = [] }) {
  const objects = parameters
    .flatMap(({ type }) => (type?.type === 'intersection' ? type.types : []))
    .filter((part) => part.type === 'reflection' && part.declaration.children !== undefined);
  const toField = ({ name, flags, type }) => `${name}${flags.isOptional ? '?' : ''}: ${toDefined(type)}`;
  return objects.reduce(
    (named, { declaration }) =>
      named.replace(/\bobject\b/, () => `{ ${declaration.children.map(toField).join('; ')} }`),
    text,
  );
}

const isInherited = (field) => Number(field.inheritedFrom !== undefined);

/** The fields of each type, from before pages leave members out. */
const fieldsOfTypes = new Map();

/** Remembers the fields of all types, and names parameters that are taken apart. */
export function readTypes(project) {
  const kinds = ReflectionKind.Interface | ReflectionKind.TypeLiteral;
  for (const type of project.getReflectionsByKind(kinds)) {
    const fields = (type.children ?? []).filter(({ signatures }) => signatures === undefined);
    fieldsOfTypes.set(
      type,
      [...fields].sort((one, other) => isInherited(one) - isInherited(other)),
    );
  }
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter))
    if (parameter.name === '__namedParameters') parameter.name = 'options';
}

/** The fields of a type without those of every call. */
export const listOwnFields = (type) =>
  (fieldsOfTypes.get(type) ?? []).filter((field) => type.name === callOptions || !isOfEachCall(field));

const toCell = (text) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<!\\)\|/g, '\\|')
    .trim();

/** The default that a text ends with, and the text without it, unless it says more about the default. */
function splitDefault(text) {
  const [sentence, value] = /(?:^| )Default:? ((?:[^.`]|`[^`]*`|\.(?! |$))+)\.(?= |$)/.exec(text) ?? [];
  if (value === undefined) return { text, value: '' };
  if (value.replaceAll('`', '').length <= 44) return { text: text.replace(sentence, '').trim(), value };
  const [first = ''] = /^(?:`[^`]*`|\d[\d,]*\d|\w+(?=[,:;]))/.exec(value) ?? [];
  return { text, value: first };
}

/** The first sentence of a text, with the next one if it is only a few words. */
const toFirstSentence = (text) => /^(?:.{25,}?|.*)[.](?= |$)/.exec(text)?.[0] ?? text;

/** Renders tables of fields on a page. */
export class FieldTables {
  constructor(context) {
    this.context = context;
  }

  #describe({ comment, signatures }) {
    const found = comment ?? signatures?.find((signature) => signature.comment)?.comment;
    return found === undefined ? '' : toCell(this.context.partials.comment(found, { isTableColumn: true }));
  }

  /** What a field is or a function returns, with links. */
  type({ type, flags, signatures }) {
    const { partials } = this.context;
    if (signatures?.length) return toCell(partials.functionType(signatures));
    const shown = flags?.isOptional ? toDefined(type) : type;
    return (
      toCell(
        shown?.type === 'reflection'
          ? partials.reflectionType(shown, { forceCollapse: true })
          : partials.someType(shown ?? new IntrinsicType('any'), { forceCollapse: true }),
      )
        .replaceAll(/(?<=^|\\<)\s*\\\| /g, '')
        .replaceAll(/, `any`(?=\\>|, `any`)/g, '')
        // The rows below say what such an object has.
        .replaceAll(/ & `object`|`object` & /g, '')
    );
  }

  /** A row of a field: its name, type, default and text. */
  #toRow(field, name, shorten = (text) => text) {
    const { text, value } = splitDefault(this.#describe(field));
    return [name, this.type(field), value, shorten(text)];
  }

  #toTable(headings, rows) {
    const shown = headings.map((_, column) => column < 2 || rows.some((row) => row[column] !== ''));
    const toLine = (cells) => `| ${cells.filter((_, column) => shown[column]).join(' | ')} |`;
    const rule = toLine(headings.map(() => '---'));
    return [toLine(headings), rule, ...rows.map(toLine)].join('\n');
  }

  /** What a parameter is, some of whose fields may be rows below it. */
  #describeObject(text, parts, own, hasCalls) {
    const below = own.length > 0 ? 'The fields below' : '';
    if (hasCalls)
      return `${text} ${below === '' ? 'Has' : `${below}, and`} ${allCalls}, such as \`signal\`.`.trimStart();
    if (text !== '' || parts.length !== 1) return text;
    const [{ name }] = parts;
    return below !== '' && /Options$/.test(name) ? `${below}.` : toFirstSentence(this.#describe(parts[0]));
  }

  /** The parameters of a function, each with the fields of its object below it. */
  parameters(parameters) {
    const firstOptional = parameters.findIndex(({ flags }) => flags.isOptional);
    const rows = parameters.flatMap((parameter, index) => {
      const isOptional =
        parameter.flags.isOptional ||
        parameter.defaultValue !== undefined ||
        (firstOptional >= 0 && index > firstOptional);
      const mark = isOptional ? '?' : '';
      const name = `${parameter.flags.isRest ? '...' : ''}\`${parameter.name}${mark}\``;
      const type = toDefined(parameter.type);
      const parts = listParts(type);
      const row = this.#toRow(parameter, name);
      if (parts.length === 1 && parts[0].name === callOptions)
        return [[...row.slice(0, 3), row[3] || `The options of every call: ${callFields}.`]];
      const fields = new Map(
        parts
          .filter((part) => isExpanded(part) || part.name === callOptions)
          .flatMap((part) => (fieldsOfTypes.get(part) ?? []).map((field) => [field.name, field])),
      );
      const all = [...fields.values()];
      const own = all.filter((field) => !isOfEachCall(field));
      return [
        [...row.slice(0, 3), this.#describeObject(row[3], parts, own, own.length < all.length)],
        ...own
          .filter((field) => !isUndefined(field.type))
          .map((field) =>
            this.#toRow(
              field,
              `\`${parameter.name}.${field.name}${field.flags.isOptional ? '?' : ''}\``,
              toFirstSentence,
            ),
          ),
      ];
    });
    return this.#toTable(['Parameter', 'Type', 'Default', 'Description'], rows);
  }

  /** The properties of a type. */
  properties(properties) {
    const { helpers, router } = this.context;
    const owner = properties[0]?.parent;
    const sorted = [...properties].sort((one, other) => isInherited(one) - isInherited(other));
    const rows = helpers.getFlattenedDeclarations(sorted).map((property) => {
      const anchor = router.hasUrl(property) ? router.getAnchor(property) : undefined;
      const name = `\`${property.name}${property.flags.isOptional ? '?' : ''}\``;
      return this.#toRow(property, anchor === undefined ? name : `<a id="${anchor}"></a> ${name}`);
    });
    const isCall = owner?.name !== callOptions && (fieldsOfTypes.get(owner) ?? []).some(isOfEachCall);
    const table = this.#toTable(['Property', 'Type', 'Default', 'Description'], rows);
    return isCall ? `${table}\n\nIt also has ${allCalls}: ${callFields}.` : table;
  }
}
