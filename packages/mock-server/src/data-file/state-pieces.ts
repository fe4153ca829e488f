import { configurationResources } from '@orgchat/spec';
import type { Operation } from '../operations/lifecycle.ts';
import { Entry } from '../records/entry.ts';
import type { Key } from '../records/key.ts';
import { allProjects } from '../records/organization.ts';
import { broadcastItem, keyItem, operationItem, recordItem } from '../saved-state/items.ts';

/*
 * A state is split into pieces that change separately; each has a kind, an organization and a key. The recorder of a
 * world writes them as they change, and all pieces together make a state document again.
 */

export type Json = Readonly<Record<string, unknown>>;

export interface StatePiece {
  readonly kind: string;
  readonly organization: string;
  readonly key: string;
  /** Undefined if the piece was removed. */
  readonly value: unknown;
}

const records: ReadonlySet<string> = new Set([...configurationResources, 'friends']);

/** The saved form of a changed piece. */
export function encodePiece({ kind, value }: StatePiece): unknown {
  if (value instanceof Entry) {
    if (kind === 'broadcasts') return broadcastItem(value);
    return records.has(kind) ? recordItem(value) : value.fields;
  }
  if (kind === 'key' && value !== undefined) return keyItem(value as Key);
  return kind === 'operation' && value !== undefined ? operationItem(value as Operation) : value;
}

const childLists = {
  friends: { messages: ['accountId', 'userId'], automations: ['accountId', 'userId'] },
  forms: { submissions: ['formId'] },
  links: { clicks: ['linkId'] },
} as const;

const identity: Readonly<Record<string, (record: Json) => string>> = {
  friends: (friend) => `${friend.accountId}/${friend.userId}`,
};
const getRecordId = (kind: string, record: Json): string => identity[kind]?.(record) ?? String(record.id);

const parentFields = (kind: string, record: Json): Json =>
  kind === 'friends'
    ? { accountId: record.accountId, userId: record.userId }
    : kind === 'forms'
      ? { formId: record.id }
      : { linkId: record.id };

/** Splits a state document into pieces. */
export function* splitState(state: Json): Generator<StatePiece> {
  const piece = (kind: string, key: string, value: unknown, organization = ''): StatePiece => ({
    kind,
    organization,
    key,
    value,
  });
  yield piece('world', 'plans', state.plans);
  yield piece('world', 'chance', state.chance);
  yield piece('world', 'clock', state.clock);
  for (const [key, times] of Object.entries(state.windows as Json)) yield piece('window', key, times);
  for (const entry of state.audit as Json[]) yield piece('audit', String(entry.id), entry);
  for (const entry of state.notifications as Json[]) yield piece('notification', String(entry.id), entry);
  for (const organization of state.organizations as Json[]) {
    for (const each of splitOrganization(organization)) {
      yield { ...each, organization: String(organization.id) };
    }
  }
}

function* splitOrganization(organization: Json): Generator<Omit<StatePiece, 'organization'>> {
  const { id, name, credits, accounts, plan, runtime, studio, deleted, usage } = organization;
  const sites = organization.sites as (Json & { keywords: Json[] })[];
  const sitesWithoutKeywords = sites.map(({ keywords: _, ...site }) => site);
  yield {
    kind: 'organization',
    key: '',
    value: { id, name, credits, accounts, sites: sitesWithoutKeywords },
  };
  yield { kind: 'settings', key: '', value: { plan, runtime, studio, deleted } };
  yield { kind: 'usage', key: '', value: usage };
  for (const key of organization.keys as Json[]) yield { kind: 'key', key: String(key.key), value: key };
  for (const { id: siteId, keywords } of sites) {
    for (const keyword of keywords) {
      yield { kind: 'keyword', key: JSON.stringify([siteId, keyword.keyword]), value: keyword };
    }
  }
  for (const kind of records) yield* splitRecords(kind, organization[kind] as Json[]);
  for (const { documents, ...project } of organization.projects as (Json & { documents: Json[] })[]) {
    yield { kind: 'project', key: `${allProjects} ${String(project.id)}`, value: project };
    for (const document of documents) {
      yield { kind: 'document', key: `${String(project.id)} ${String(document.id)}`, value: document };
    }
  }
  for (const operation of organization.operations as Json[]) {
    yield { kind: 'operation', key: String(operation.operationId), value: operation };
  }
}

function* splitRecords(kind: string, found: readonly Json[]): Generator<Omit<StatePiece, 'organization'>> {
  const lists = Object.keys(childLists[kind as keyof typeof childLists] ?? {});
  for (const record of found) {
    const own = Object.fromEntries(Object.entries(record).filter(([name]) => !lists.includes(name)));
    yield { kind, key: getRecordId(kind, record), value: own };
    for (const list of lists) {
      for (const child of record[list] as Json[]) {
        yield { kind: list, key: String(child.id), value: { ...parentFields(kind, record), ...child } };
      }
    }
  }
}

/** Assembles a state document from pieces in the order of their arrival. */
export class StateAssembler {
  readonly #pieces = new Map<string, StatePiece>();

  add(piece: StatePiece): void {
    const pieceId = JSON.stringify([piece.kind, piece.organization, piece.key]);
    if (piece.value === undefined || piece.value === null) this.#pieces.delete(pieceId);
    else this.#pieces.set(pieceId, piece);
  }

  get empty(): boolean {
    return this.#pieces.size === 0;
  }

  document(head: Json): Json {
    const kinds = new Map<string, StatePiece[]>();
    for (const piece of this.#pieces.values()) {
      const kindOfOrganization = `${piece.kind} ${piece.organization}`;
      const found = kinds.get(kindOfOrganization);
      if (found === undefined) kinds.set(kindOfOrganization, [piece]);
      else found.push(piece);
    }
    const of = (kind: string, organization = ''): StatePiece[] => kinds.get(`${kind} ${organization}`) ?? [];
    const values = (kind: string, organization?: string): Json[] =>
      of(kind, organization).map(({ value }) => value as Json);
    const world = Object.fromEntries(of('world').map(({ key, value }) => [key, value]));
    const organizations = [...this.#pieces.values()].filter(({ kind }) => kind === 'organization');
    return {
      ...head,
      ...world,
      windows: Object.fromEntries(of('window').map(({ key, value }) => [key, value])),
      audit: values('audit'),
      notifications: values('notification'),
      organizations: organizations.map(({ organization, value }) =>
        assembleOrganization(value as Json, organization, of, values),
      ),
    };
  }
}

type GetPieces = (kind: string, organization?: string) => StatePiece[];
type GetValues = (kind: string, organization?: string) => Json[];

function assembleOrganization(bare: Json, id: string, of: GetPieces, values: GetValues): Json {
  const keywords = groupBy(of('keyword', id), ({ key }) => (JSON.parse(key) as string[])[0] ?? '');
  const documents = groupBy(of('document', id), ({ key }) => key.split(' ')[0] ?? '');
  const listValues = (pieces: readonly StatePiece[] = []): unknown[] => pieces.map(({ value }) => value);
  const found = Object.fromEntries(
    [...records].map((kind) => [kind, assembleRecords(kind, values(kind, id), (list) => values(list, id))]),
  );
  return {
    ...bare,
    ...(values('settings', id)[0] ?? {}),
    usage: values('usage', id)[0],
    keys: values('key', id),
    sites: (bare.sites as Json[]).map((site) => ({
      ...site,
      keywords: listValues(keywords.get(String(site.id))),
    })),
    ...found,
    projects: values('project', id).map((project) => ({
      ...project,
      documents: listValues(documents.get(String(project.id))),
    })),
    operations: values('operation', id),
  };
}

function assembleRecords(
  kind: string,
  found: readonly Json[],
  listChildren: (list: string) => Json[],
): Json[] {
  const lists = Object.entries(childLists[kind as keyof typeof childLists] ?? {}).map(
    ([list, fields]: [string, readonly string[]]) =>
      [
        list,
        fields,
        groupBy(listChildren(list), (child) => fields.map((field) => child[field]).join('/')),
      ] as const,
  );
  return found.map((record) => ({
    ...record,
    ...Object.fromEntries(
      lists.map(([list, fields, byParent]) => [
        list,
        (byParent.get(getRecordId(kind, record)) ?? []).map((child) =>
          Object.fromEntries(Object.entries(child).filter(([name]) => !fields.includes(name))),
        ),
      ]),
    ),
  }));
}

function groupBy<T>(items: readonly T[], getKey: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
