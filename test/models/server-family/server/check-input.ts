/** Thrown for an input that the contract does not allow. */
export class InvalidInput extends Error {}

/**
 * How an input is written down: a leaf such as `text 1 100`, a list with its item, minimum and maximum, an object, or a
 * union. The name of a field that may be absent ends with `?`, of one that may be null with `~`, of both with `?~`.
 */
export type Notation = string | readonly [item: Notation, min: number, max: number] | Union | Fields;
export interface Fields {
  readonly [field: string]: Notation;
}

/** Objects that name their variant in the field `by`. */
export class Union {
  constructor(
    readonly by: string,
    readonly variants: Fields,
  ) {}
}

export interface Field {
  readonly name: string;
  readonly notation: Notation;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object that is written as `notation`; undefined if there is no such variant. */
export function listFields(notation: Fields | Union, value: Record<string, unknown>): Field[] | undefined {
  if (notation instanceof Union) {
    const variant = new Map(Object.entries(notation.variants)).get(String(value[notation.by]));
    return variant === undefined
      ? variant
      : listFields({ [notation.by]: 'text 1 40', ...(variant as Fields) }, value);
  }
  return Object.entries(notation).map(([written, inner]) => ({
    name: written.replace(/[?~]+$/, ''),
    notation: inner,
    isOptional: written.includes('?'),
    isNullable: written.includes('~'),
  }));
}

const patterns: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  rev: /^[0-9a-f]{64}$/,
  friend: /^U[0-9a-f]{32}$/,
  color: /^#[0-9a-fA-F]{6}$/,
  time: /^([01]\d|2[0-3]):[0-5]\d$/,
  key: /^[a-z][a-z0-9_]{0,39}$/,
  url: /^https?:\/\/.{0,1990}$/,
  uri: /^(?!.{1001})(?:(?:https?:\/\/|chat:\/\/|tel:)\S+|\{link:[0-9a-f-]{36}\}|\{miniapp:\/[\w/-]{0,100}\})$/,
};

/** Whether a value is one of the leaf, by its words. Texts are trimmed before. */
function isLeaf(value: unknown, [kind = '', ...words]: readonly string[]): boolean {
  const [min = 0, max = Infinity] = words.map(Number);
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'integer') return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  if (typeof value !== 'string') return false;
  if (kind === 'text') return [...value].length >= min && [...value].length <= max;
  return kind === 'one' ? words.includes(value) : patterns[kind]?.test(value) === true;
}

/** Returns an input as it is stored; throws `InvalidInput`. */
export function checkInput(value: unknown, notation: Notation, at = 'body'): unknown {
  const fail = (rule: string): never => {
    throw new InvalidInput(`${at} ${rule}.`);
  };
  if (typeof notation === 'string') {
    const trimmed = typeof value === 'string' && notation.startsWith('text') ? value.trim() : value;
    if (!isLeaf(trimmed, notation.split(' '))) fail(`must be ${notation}`);
    return notation === 'uuid' ? String(trimmed).toLowerCase() : trimmed;
  }
  if (Array.isArray(notation)) {
    const [item, min, max] = notation as [Notation, number, number];
    if (!Array.isArray(value) || value.length < min || value.length > max)
      return fail(`must be a list of ${min} to ${max}`);
    return value.map((one, index) => checkInput(one, item, `${at}[${index}]`));
  }
  if (!isObject(value)) return fail('must be an object');
  const fields = listFields(notation as Fields | Union, value) ?? fail('is of an unknown kind');
  const unknown = Object.keys(value).find((given) => !fields.some(({ name }) => name === given));
  if (unknown !== undefined) return fail(`has the unknown field ${unknown}`);
  return Object.fromEntries(
    fields.flatMap(({ name, isOptional, isNullable, ...field }) => {
      const inner = value[name];
      if (inner === undefined && isOptional) return [];
      if (inner === null && isNullable) return [[name, null]];
      return [[name, checkInput(inner, field.notation, `${at}.${name}`)]];
    }),
  );
}
