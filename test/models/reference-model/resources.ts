/* The configuration resources in the model, written independently from the contract and not derived from its schemas. */

export type Json = Readonly<Record<string, unknown>>;

export const resources = [
  'tags',
  'templates',
  'auto-replies',
  'scenarios',
  'forms',
  'rich-menus',
  'links',
  'routes',
  'broadcasts',
] as const;
export type Resource = (typeof resources)[number];

/** The field that is the label (D54). */
export function getLabel(resource: Resource, data: Json): string {
  if (resource === 'broadcasts') return String(data.title);
  return String(resource === 'auto-replies' ? data.keyword : data.name);
}

/** Free text, which is trimmed and stored trimmed (D16). */
const freeText = new Set([
  'name',
  'title',
  'text',
  'url',
  'keyword',
  'responseText',
  'description',
  'label',
  'options',
  'placeholder',
  'thanksText',
  'chatBarText',
  'template',
  'altText',
  'value',
  'key',
  'icon',
  'caption',
  'notes',
  'expectedLabel',
  'keywords',
  'group',
  'search',
]);

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The canonical form of an input: free text trimmed, UUIDs in lower case, fields sorted by name. */
export function understood<T>(value: T, field = ''): T {
  if (typeof value === 'string') {
    const text = freeText.has(field) ? value.trim() : value;
    return (uuid.test(text) ? text.toLowerCase() : text) as T;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => understood(item, field)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, item]) => [name, understood(item, name)])) as T;
}

/** A record that data refers to. */
export type RecordReference = readonly [kind: Resource | 'accounts', id: unknown];

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const ids = (kind: RecordReference[0], value: unknown): RecordReference[] =>
  (Array.isArray(value) ? value : []).map((id: unknown) => [kind, id]);

/** All records that data refers to and that must exist (D62), without null and absent references. */
export function listReferences(resource: Resource, data: Json): RecordReference[] {
  const all: RecordReference[] = [['accounts', data.accountId]];
  switch (resource) {
    case 'scenarios':
      all.push(['tags', data.triggerTagId]);
      for (const step of list(data.steps)) all.push(['tags', (step.condition as Json | null)?.tagId]);
      break;
    case 'forms':
      all.push(['tags', data.submitTagId], ['scenarios', data.submitScenarioId]);
      break;
    case 'rich-menus':
      for (const area of list(data.areas)) all.push(['rich-menus', (area.action as Json).menuId]);
      break;
    case 'links':
    case 'routes':
      all.push(['tags', data.tagId], ['scenarios', data.scenarioId]);
      break;
    case 'broadcasts':
      all.push(...ids('tags', data.tagIds), ...ids('accounts', data.accountIds));
      break;
    default:
  }
  return all.filter(([, id]) => id !== null && id !== undefined);
}
