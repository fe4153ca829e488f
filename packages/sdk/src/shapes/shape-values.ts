import type { Shape } from '../generated/resources.ts';
import { isObject } from '../values.ts';

/** A value that does not have its shape: where it is, and what is wrong with it. */
export interface ShapeProblem {
  /** The path from the record, such as `steps[0].text`. */
  readonly path: string;
  /** Completes the sentence "The field … ". */
  readonly why: string;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The JSON type of a value, as messages name it. */
export function describeJson(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function hasType(shape: Shape, value: unknown): boolean {
  if (value === null) return shape.nullable === true || shape.type === 'null';
  if (shape.item) return Array.isArray(value);
  return shape.type === undefined ? isObject(value) : typeof value === shape.type;
}

const describeShape = ({ item, type, nullable }: Shape): string =>
  `${item ? 'a list' : type === undefined ? 'an object' : `a ${type}`}${nullable ? ' or null' : ''}`;

/** What is wrong with the field of an object; undefined if nothing is. */
function findFieldProblem(field: Shape, value: unknown, path: string): ShapeProblem | undefined {
  if (value === undefined) return field.optional ? undefined : { path, why: 'is missing' };
  if (hasType(field, value)) return undefined;
  return { path, why: `must be ${describeShape(field)}; got ${describeJson(value)}` };
}

/**
 * Finds the first field that is missing or of another JSON type: of the object itself, and with `isDeep` of the objects
 * in it. What is in lists is not looked at.
 */
export function findShapeProblem(
  shape: Shape,
  value: unknown,
  isDeep = false,
  path = '',
): ShapeProblem | undefined {
  const values = Object(value) as Readonly<Record<string, unknown>>;
  for (const [name, field] of Object.entries(shape.fields ?? {})) {
    const where = join(path, name);
    const problem =
      findFieldProblem(field, values[name], where) ??
      (isDeep && field.fields ? findShapeProblem(field, values[name], isDeep, where) : undefined);
    if (problem) return problem;
  }
  return undefined;
}

/** The shape of a variant: the one that the field `type` selects. */
const selectVariant = ({ variants }: Shape, value: unknown): Shape | undefined => {
  const type = isObject(value) ? value.type : undefined;
  return variants && typeof type === 'string' && Object.hasOwn(variants, type) ? variants[type] : undefined;
};

/**
 * Completes a value as it was read: a required field that may be null and is absent is null, and a null of an optional
 * field that may not be null is left out. Everything else stays, fields that the shape does not have included.
 */
export function completeShape(shape: Shape, value: unknown): unknown {
  if (shape.item && Array.isArray(value)) {
    const { item } = shape;
    return value.map((one) => completeShape(item, one));
  }
  const { fields } = shape.variants ? (selectVariant(shape, value) ?? {}) : shape;
  if (!fields || !isObject(value)) return value;
  const completed: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(fields)) {
    const given = completed[name];
    if (given === undefined && !field.optional && hasType(field, null)) completed[name] = null;
    else if (given === null && field.optional && !hasType(field, null)) delete completed[name];
    else if (given !== undefined) completed[name] = completeShape(field, given);
  }
  return completed;
}

/**
 * Copies of a value what the shape has, at every depth, so that a strict server accepts it. Calls `refuse` for what can be
 * neither sent nor left out: a required field that is missing, a value of another type, a null in a list, and a variant
 * that the shape does not have.
 */
export function pickShape(
  shape: Shape,
  value: unknown,
  refuse: (problem: ShapeProblem) => never,
  path = '',
): unknown {
  if (shape.variants) {
    const variant = selectVariant(shape, value);
    if (variant) return pickShape(variant, value, refuse, path);
    const type = isObject(value) ? value.type : undefined;
    const shown = typeof type === 'string' && /^[\w-]{1,40}$/.test(type) ? ` "${type}"` : '';
    return refuse({ path, why: `has a type${shown} that the contract does not have` });
  }
  if (shape.item) {
    const { item } = shape;
    return (value as readonly unknown[]).map((one, index) => {
      const where = `${path}[${index}]`;
      const problem = findFieldProblem(item, one ?? null, where);
      return problem ? refuse(problem) : pickShape(item, one, refuse, where);
    });
  }
  if (!shape.fields) return value;
  const values = value as Readonly<Record<string, unknown>>;
  const picked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape.fields)) {
    const where = join(path, name);
    const given = values[name];
    if (given === undefined && field.optional) continue;
    const problem = findFieldProblem(field, given, where);
    if (problem) refuse(problem);
    picked[name] = given === null ? null : pickShape(field, given, refuse, where);
  }
  return picked;
}
