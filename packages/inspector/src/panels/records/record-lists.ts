/** The fields of a record, as the API shows them. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** A record as the panel lists it. */
export interface ListedRecord {
  /** What `POST /edit` and the audit log call it: a friend is `accountId/userId`. */
  readonly id: string;
  /** What distinguishes it: of a friend, the part that is its own. */
  readonly shownId: string;
  readonly title: string;
  readonly fields: RecordFields;
  /** The latest moment that the record has, and what it is; both empty if it has none. */
  readonly changedAt: string;
  readonly changedWord: string;
}

const findName = (fields: RecordFields, names: readonly string[]): string | undefined =>
  names.find((one) => typeof fields[one] === 'string' && fields[one] !== '');

const findText = (fields: RecordFields, names: readonly string[]): string => {
  const name = findName(fields, names);
  return name === undefined ? '' : String(fields[name]);
};

/** Resources whose records are about one friend, and have no id of their own. */
export const friendResources: ReadonlySet<string> = new Set(['friends', 'conversations']);

const titles = ['label', 'displayName', 'name', 'title', 'keyword', 'text', 'scenarioName'];
const moments = [
  'updatedAt',
  'lastMessageAt',
  'sentAt',
  'clickedAt',
  'submittedAt',
  'enrolledAt',
  'addedAt',
  'createdAt',
];

/** How the panel lists a record of a resource. */
export function toListed(resource: string, fields: RecordFields): ListedRecord {
  const { accountId, userId } = fields;
  const { siteId, keyword } = fields;
  const id = friendResources.has(resource)
    ? `${accountId}/${userId}`
    : resource === 'keywords'
      ? `${siteId}/${keyword}`
      : findText(fields, ['id']);
  return {
    id,
    shownId: friendResources.has(resource) ? String(userId) : resource === 'keywords' ? String(siteId) : id,
    title: findText(fields, titles) || id,
    fields,
    changedAt: findText(fields, moments),
    changedWord: toWords(findName(fields, moments) ?? ''),
  };
}

/** `updatedAt` as `updated`, `lastMessageAt` as `last message`. */
const toWords = (moment: string): string =>
  moment.replace(/At$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Lists records by the moment that is shown of them, latest first; those without one are last. */
export const toRows = (resource: string, records: readonly RecordFields[]): ListedRecord[] =>
  records
    .map((fields) => toListed(resource, fields))
    .sort((a, b) => Number(b.changedAt > a.changedAt) - Number(b.changedAt < a.changedAt));

/** Fields that the mock sets. */
const ownFields: ReadonlySet<string> = new Set([
  'id',
  'revision',
  'label',
  'createdAt',
  'updatedAt',
  'projectId',
]);

/** The fields of a record that an editor may change. For configurations, the account is one of them. */
export function toEditable(resource: string, fields: RecordFields): RecordFields {
  const isOwn = (name: string): boolean =>
    ownFields.has(name) ||
    (resource === 'friends' && (name === 'accountId' || name === 'userId')) ||
    (resource === 'broadcasts' && name === 'status');
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isOwn(name)));
}

/** The fields that differ from before. `POST /edit` keeps the others. */
export function changedFields(before: RecordFields, after: RecordFields): RecordFields {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

/** An empty value as the API answers it: a client must know `null` from `""`. Undefined for any other value. */
export const toEmptyLiteral = (value: unknown): string | undefined =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
    ? JSON.stringify(value)
    : undefined;

/** Whether a field is an id or the revision, which a client sends again. */
export const isCopied = (name: string, value: string): boolean =>
  value !== '' && (name === 'id' || name === 'revision' || name.endsWith('Id'));
