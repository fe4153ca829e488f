import { namedFriendId, namedUuid } from '../digest.ts';

/** Fields that hold a UUID, alone or in an array. */
const uuidFields = new Set([
  'id',
  'accountId',
  'accountIds',
  'tagId',
  'tagIds',
  'triggerTagId',
  'submitTagId',
  'scenarioId',
  'submitScenarioId',
  'menuId',
  'imageId',
]);

/** Parts of an organization whose `id` is no UUID. */
const verbatimParts = new Set(['sites', 'credits']);

const isUuid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
/** A placeholder for a link, with the link's id or its name. */
const link = /^\{link:(.+)\}$/;
const isLinkId = /^[0-9a-f-]{36}$/;

const isFriendId = /^U[0-9a-f]{32}$/;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function resolve(value: unknown, field: string): unknown {
  if (typeof value === 'string') {
    if (uuidFields.has(field)) return isUuid.test(value) ? value : namedUuid(value);
    if (field === 'userId') return isFriendId.test(value) ? value : namedFriendId(value);
    const named = field === 'uri' ? link.exec(value)?.[1] : undefined;
    return named === undefined || isLinkId.test(named) ? value : `{link:${namedUuid(named)}}`;
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, field));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, inner]) => [
    name,
    // What was written into a form is named by the fields of that form.
    name === 'values' ? inner : resolve(inner, name),
  ]);
  return Object.fromEntries(parts);
}

/**
 * In a seed a name may stand wherever a UUID or a friend's identifier does: it becomes the identifier that is
 * derived from it, the same one everywhere and every time; so does the name in `{link:…}`. Everything else stays.
 */
export function resolveNames<T>(seed: T): T;
export function resolveNames(seed: unknown): unknown {
  if (!isObject(seed) || !Array.isArray(seed.organizations)) return seed;
  const organizations = seed.organizations.map((organization: unknown) => {
    if (!isObject(organization)) return organization;
    const parts = Object.entries(organization).map(([part, value]) => [
      part,
      part === 'id' || verbatimParts.has(part) ? value : resolve(value, part),
    ]);
    return Object.fromEntries(parts);
  });
  return { ...seed, organizations };
}
