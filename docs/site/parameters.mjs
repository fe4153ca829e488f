import { Comment, ReflectionKind } from 'typedoc';

/* What a parameter means whose docstring does not say it: what its type is, and the fields of options. */

const most = 6;

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

function describeType(type, describe) {
  const objects = listObjects(type);
  const names = [
    ...new Set(
      objects
        .filter(isOptions)
        .flatMap(listFields)
        .map((field) => `\`${field.name}\``),
    ),
  ];
  if (names.length > 0)
    return `Fields: ${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}.`;
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
