import { Comment, ReflectionKind } from 'typedoc';

/* What a parameter means whose docstring does not say it: what its type is, and the fields of options. */

const most = 8;

const callOptions = 'CallOptions';

/** The types that a type names, and objects without a name. */
function listObjects(type) {
  if (type.type === 'reference') return type.reflection === undefined ? [] : [type.reflection];
  if (type.type === 'union' || type.type === 'intersection') return type.types.flatMap(listObjects);
  return type.type === 'reflection' && type.declaration.signatures === undefined ? [type.declaration] : [];
}

const isOptions = ({ name, kind }) => /Options$/.test(name) || kind === ReflectionKind.TypeLiteral;

/** Those of a type before those that it extends. */
function listFields({ children, type }) {
  if (children === undefined) return type === undefined ? [] : listObjects(type).flatMap(listFields);
  const isInherited = (field) => Number(field.inheritedFrom !== undefined);
  return [...children].sort((one, other) => isInherited(one) - isInherited(other));
}

/** A type of one word; nothing of another. */
function toWord(type) {
  const parts = (type?.type === 'union' ? type.types : [type]).filter((part) => part?.name !== 'undefined');
  const [word = ''] = parts.length === 1 ? (/^\w+(?:\[\])?$/.exec(`${parts[0]}`) ?? []) : [];
  return word;
}

/** Whether a field is that of the options of every call, or inherited from there. */
const isOfEachCall = ({ name, parent, inheritedFrom, project }) =>
  parent.name === callOptions ||
  (inheritedFrom !== undefined && project.getChildByName([callOptions, name]) !== undefined);

/** The fields of options, its own with their types; those of every call are named together. */
function describeFields(objects) {
  const fields = new Map(objects.flatMap(listFields).map((field) => [field.name, field]));
  const all = [...fields.values()];
  const own = all.filter((field) => !isOfEachCall(field));
  const shown = (own.length === 0 ? all : own).map(({ name, type }) => `\`${name}\` ${toWord(type)}`.trim());
  const others = own.length > 0 && own.length < all.length;
  return [
    ...shown.slice(0, most),
    ...(shown.length > most ? [`${shown.length - most} more`] : []),
    ...(others ? [`the [call options](/reference/sdk-api/interfaces/${callOptions})`] : []),
  ];
}

function describeType(type, describe) {
  const objects = listObjects(type);
  const names = describeFields(objects.filter(isOptions));
  if (names.length > 0)
    return `${[names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ')}.`;
  const [text = ''] = objects.map(describe).filter((found) => found !== '');
  return text;
}

/** Gives each parameter without a text one. Called before pages leave members out. */
export function describeParameters(project, describe) {
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    if (parameter.name === '__namedParameters') parameter.name = 'options';
    if (parameter.comment !== undefined || parameter.type === undefined) continue;
    const text = describeType(parameter.type, describe);
    if (text !== '') parameter.comment = new Comment([{ kind: 'text', text }]);
  }
}
