import { isObject } from '@orgchat/spec/is-object';

/** A record that a run created, changed or deleted, or a write that it applied, without ids, times and revisions. */
export interface Item {
  /** Such as `tags`, `friends.automations`, `deleted tags` or `write create-tags`. */
  readonly kind: string;
  /** The scalar values by their path: `data.name`. */
  readonly fields: ReadonlyMap<string, string>;
}

/** What a run left behind. */
export interface Snapshot {
  readonly records: readonly Item[];
  readonly writes: readonly Item[];
  /** Number of keyword requests that may have been applied: not refused by a status from 400 to 499. */
  readonly keywordRequests: number;
  /** Readable names of records, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** The moments between which a run took place; times of the server within them are not compared. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

type Fields = Readonly<Record<string, unknown>>;

interface StoredRecord {
  readonly kind: string;
  readonly fields: Fields;
  /** The key of the record among those of its kind. */
  readonly key: string;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
/** Parts of an organization that are not records. */
const noRecords = new Set(['keys', 'operations', 'accounts']);
/** Fields that say how often a record was changed, not what it contains. */
const ignoredFields = new Set(['id', 'version', 'revision']);
/** Fields of a change that only guard it. */
const guardFields = new Set(['expectedRevision', 'expectedLabel']);

/** The snapshot of a state document, compared with the state that every run starts from. */
export function takeSnapshot(
  initial: unknown,
  final: unknown,
  period: Period,
  keywordRequests: readonly { readonly path: string; readonly applied: boolean }[],
): Snapshot {
  const before = listRecords(initial);
  const after = listRecords(final);
  const known = new Map(before.map((record) => [address(record), JSON.stringify(record.fields)]));
  const remaining = new Set(after.map(address));
  const names = new Map(after.map(({ key, fields }) => [key, getName(fields)]));
  const initialKeys = new Set(before.map(({ key }) => key));
  const createdIds = new Map(
    after
      .filter(({ key }) => !initialKeys.has(key))
      .map(({ kind, key, fields }) => [key, `<${kind} ${getName(fields)}>`]),
  );
  const normalize = (text: string): string => {
    if (dateTime.test(text)) {
      const time = Date.parse(text);
      if (time >= period.from && time <= period.to) return '<time of the run>';
    }
    return text.replaceAll(uuid, (id) => {
      const lower = id.toLowerCase();
      return initialKeys.has(lower) ? lower : (createdIds.get(lower) ?? '<id>');
    });
  };
  const changed = after.filter((record) => known.get(address(record)) !== JSON.stringify(record.fields));
  const deleted = before.filter((record) => !remaining.has(address(record)));
  return {
    records: [
      ...changed.map(({ kind, fields }) => ({ kind, fields: flatten(fields, ignoredFields, normalize) })),
      ...deleted.map(({ kind, key }) => ({ kind: `deleted ${kind}`, fields: new Map([['id', key]]) })),
    ],
    writes: [
      ...listOrganizations(final).flatMap((organization) => listChanges(organization, normalize)),
      ...keywordRequests
        .filter(({ applied }) => applied)
        .map(({ path }) => ({ kind: 'write addSeoKeywords', fields: new Map([['path', path]]) })),
    ],
    keywordRequests: keywordRequests.length,
    names,
  };
}

const address = ({ kind, key }: StoredRecord): string => `${kind} ${key}`;

function getName({ name, title, keyword, displayName }: Fields): string {
  const found = [name, title, keyword, displayName].find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}

const toObjects = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

const listOrganizations = (state: unknown): readonly Fields[] =>
  isObject(state) ? toObjects(state.organizations) : [];

function listRecords(state: unknown): StoredRecord[] {
  return listOrganizations(state).flatMap((organization) =>
    Object.entries(organization).flatMap(([kind, value]) =>
      noRecords.has(kind) ? [] : toObjects(value).flatMap((record) => toRecords(kind, record, '')),
    ),
  );
}

/** Lists of records inside other records. */
const nested = new Set(['messages', 'automations', 'submissions', 'clicks', 'documents', 'keywords']);

/** A record and the records inside it, such as the messages of a friend. */
function toRecords(kind: string, record: Fields, parent: string): StoredRecord[] {
  const inner = Object.entries(record).filter(([name, value]) => nested.has(name) && Array.isArray(value));
  const own = Object.fromEntries(
    Object.entries(record).filter(([name]) => !inner.some(([list]) => list === name)),
  );
  const key = getKey(own);
  const fields = parent === '' ? own : { ...own, parent };
  return [
    { kind, key: parent === '' || own.id !== undefined ? key : `${parent} ${key}`, fields },
    ...inner.flatMap(([name, list]) =>
      toObjects(list).flatMap((child) => toRecords(`${kind}.${name}`, child, key)),
    ),
  ];
}

function getKey(fields: Fields): string {
  const { id, accountId, userId, keyword } = fields;
  if (typeof id === 'string') return id.toLowerCase();
  if (typeof userId === 'string') return `${String(accountId)}/${userId}`;
  return typeof keyword === 'string' ? keyword : JSON.stringify(fields);
}

/** The applied changes of an organization. A change whose input is stored as a digest is described by its result. */
function listChanges(organization: Fields, normalize: (text: string) => string): Item[] {
  return toObjects(organization.operations).flatMap(({ action, input, answer }) => {
    // Only an applied operation, or an uncertain one that was applied, has an answer.
    if (!isObject(answer)) return [];
    const change = parseObject(input) ?? { result: answer.result };
    return [{ kind: `write ${String(action)}`, fields: flatten(change, guardFields, normalize) }];
  });
}

function parseObject(text: unknown): Fields | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : undefined;
}

/** The scalar values of an object by their path. A list of texts is a set, such as the tags of a friend. */
function flatten(
  value: Fields,
  ignored: ReadonlySet<string>,
  normalize: (text: string) => string,
): Map<string, string> {
  const fields = new Map<string, string>();
  const visit = (part: unknown, path: string): void => {
    if (typeof part === 'string') fields.set(path, normalize(part));
    else if (Array.isArray(part) && part.every((each) => typeof each === 'string'))
      fields.set(path, JSON.stringify(part.map((each) => normalize(each)).sort()));
    else if (typeof part !== 'object' || part === null) fields.set(path, JSON.stringify(part) ?? 'undefined');
    else
      for (const [name, inner] of Object.entries(part)) visit(inner, path === '' ? name : `${path}.${name}`);
  };
  for (const [name, part] of Object.entries(value)) if (!ignored.has(name)) visit(part, name);
  return fields;
}
