import { configurationResources } from '@orgchat/spec';
import type { Operation } from '../operations/lifecycle.ts';
import { Entry } from '../records/entry.ts';
import type { Key } from '../records/key.ts';
import { broadcastItem, keyItem, operationItem, recordItem } from '../saved-state/items.ts';
import { addTimes } from '../world/request-limits.ts';

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

/** The saved form of a piece. */
export function encodePiece({ kind, value }: StatePiece): unknown {
  if (value instanceof Entry) {
    if (kind === 'broadcasts') return broadcastItem(value);
    return records.has(kind) ? recordItem(value) : value.fields;
  }
  if (kind === 'key' && value !== undefined) return keyItem(value as Key);
  return kind === 'operation' && value !== undefined ? operationItem(value as Operation) : value;
}

export const childLists = {
  friends: { messages: ['accountId', 'userId'], automations: ['accountId', 'userId'] },
  forms: { submissions: ['formId'] },
  links: { clicks: ['linkId'] },
} as const;

const identity: Readonly<Record<string, (record: Json) => string>> = {
  friends: (friend) => `${friend.accountId}/${friend.userId}`,
};
const getRecordId = (kind: string, record: Json): string => identity[kind]?.(record) ?? String(record.id);

export type ChildList = 'messages' | 'automations' | 'submissions' | 'clicks';

/** A piece in a batch. */
export type Line = readonly [kind: string, organization: string, key: string, value: unknown];

/** The pieces of one kind and organization, by their keys. */
type Pieces = Map<string, unknown>;

/** Assembles a state document from pieces in the order of their arrival. */
export class StateAssembler {
  /** By organization, then by kind. */
  readonly #organizations = new Map<string, Map<string, Pieces>>([['', new Map()]]);
  readonly #windows = new Map<string, number[]>();

  add({ kind, organization, key, value }: StatePiece): void {
    if (kind === 'window') this.#windows.set(key, [...(value as number[])]);
    else if (kind === 'times') addTimes(this.#windows, key, value as number[]);
    else if (value === undefined || value === null) this.#get(organization, kind).delete(key);
    else this.#get(organization, kind).set(key, value);
  }

  #get(organization: string, kind: string): Pieces {
    let kinds = this.#organizations.get(organization);
    if (kinds === undefined) {
      kinds = new Map();
      this.#organizations.set(organization, kinds);
    }
    let pieces = kinds.get(kind);
    if (pieces === undefined) {
      pieces = new Map();
      kinds.set(kind, pieces);
    }
    return pieces;
  }

  get empty(): boolean {
    return this.#organizations.get('')?.size === 0;
  }

  document(head: Json): Json {
    const of = (kind: string, organization = ''): Pieces =>
      this.#organizations.get(organization)?.get(kind) ?? new Map();
    const values = (kind: string, organization?: string): Json[] =>
      [...of(kind, organization).values()] as Json[];
    const organizations = [...this.#organizations].filter(([, kinds]) => kinds.has('organization'));
    return {
      ...head,
      ...Object.fromEntries(of('world')),
      windows: Object.fromEntries(this.#windows),
      audit: values('audit'),
      notifications: values('notification'),
      organizations: organizations.map(([id]) =>
        assembleOrganization(of('organization', id).get('') as Json, id, of, values),
      ),
    };
  }
}

type GetPieces = (kind: string, organization?: string) => Pieces;
type GetValues = (kind: string, organization?: string) => Json[];

function assembleOrganization(bare: Json, id: string, of: GetPieces, values: GetValues): Json {
  const keywords = groupBy([...of('keyword', id)], ([key]) => (JSON.parse(key) as string[])[0] ?? '');
  const documents = groupBy([...of('document', id)], ([key]) => key.split(' ')[0] ?? '');
  const listValues = (pieces: readonly [string, unknown][] = []): unknown[] =>
    pieces.map(([, value]) => value);
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
    conversations: listConversations(values('messages', id)),
    projects: values('project', id).map((project) => ({
      ...project,
      documents: listValues(documents.get(String(project.id))),
    })),
    operations: values('operation', id),
  };
}

/** The friends of the messages, those with the newest message last. */
function listConversations(messages: readonly Json[]): string[] {
  const found = new Set<string>();
  for (const message of messages) {
    const friend = getRecordId('friends', message);
    found.delete(friend);
    found.add(friend);
  }
  return [...found];
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
