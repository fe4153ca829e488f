import { isObject } from '@orgchat/spec/is-object';

/** A field that differs between two revisions. A missing value is undefined. */
export interface FieldChange {
  /** `messages[0].text`, or `color`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Compares two records field by field, down to single values. */
export function diffFields(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (Object.is(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => diffFields(own(before, name), own(after, name), join(path, name)));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, at) => diffFields(before[at], after[at], `${path}[${at}]`)).flat();
  }
  return [{ path, before, after }];
}

const own = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
