import { isObject } from '@orgchat/spec';

/* A value at a path of a body. */

type Path = readonly PropertyKey[];

const getField = (value: unknown, key: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown> | null | undefined)?.[key];

/** The value at a path. The fields of prototypes are not part of a body. */
export function getAt(body: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && !Object.hasOwn(value, key) ? undefined : getField(value, key)),
    body,
  );
}

/** A copy of a value with another value at a path. */
export function setAt(value: unknown, [key, ...rest]: Path, given: unknown): unknown {
  if (key === undefined) return given;
  const changed = setAt(getField(value, key), rest, given);
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? changed : item));
  return { ...(value as object), [key]: changed };
}
