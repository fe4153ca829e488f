import { idFields, isObject, patterns } from '@orgchat/spec';
import { deriveFriendId, deriveUuid } from '../primitives/digest.ts';

/** Parts of an organization whose `id` is not a UUID. */
const verbatimParts = new Set(['sites', 'credits']);

/** A placeholder for a link, with the link's id or its name. */
const link = /^\{link:(.+)\}$/;

function resolveValue(value: unknown, field: string): unknown {
  if (typeof value === 'string') {
    if (idFields.has(field)) return patterns.uuid.test(value) ? value : deriveUuid(value);
    if (field === 'userId') return patterns.friendId.test(value) ? value : deriveFriendId(value);
    const named = field === 'uri' ? link.exec(value)?.[1] : undefined;
    return named === undefined || patterns.linkId.test(named) ? value : `{link:${deriveUuid(named)}}`;
  }
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, field));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, inner]) => [
    name,
    // The keys of submitted values are the field keys of the form.
    name === 'values' ? inner : resolveValue(inner, name),
  ]);
  return Object.fromEntries(parts);
}

/** Replaces the names in one record of an organization by identifiers. */
export const resolveRecordNames = (record: unknown): unknown => resolveValue(record, '');

/** The identifier that a name stands for; a UUID stands for itself, in lower case. */
export const resolveId = (name: string): string => String(resolveValue(name, 'id')).toLowerCase();

/** The identifier of a friend that a name stands for. */
export const resolveFriendId = (name: string): string => String(resolveValue(name, 'userId'));

/**
 * Replaces names by identifiers. In a seed, a name may be used instead of a UUID, a friend's identifier, or the id in
 * `{link:…}`. The same name always gives the same identifier.
 */
export function resolveNames<T>(seed: T): T;
export function resolveNames(seed: unknown): unknown {
  if (!isObject(seed) || !Array.isArray(seed.organizations)) return seed;
  const organizations = seed.organizations.map((organization: unknown) => {
    if (!isObject(organization)) return organization;
    const parts = Object.entries(organization).map(([part, value]) => [
      part,
      part === 'id' || verbatimParts.has(part) ? value : resolveValue(value, part),
    ]);
    return Object.fromEntries(parts);
  });
  return { ...seed, organizations };
}
