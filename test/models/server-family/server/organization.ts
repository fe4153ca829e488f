import { createHash } from 'node:crypto';
import type { Resource } from './inputs.ts';

/* What is stored of one organization, and what changes do to it. */

export type Data = Readonly<Record<string, unknown>>;

/** A configuration or a friend. */
export interface Stored {
  /** `id`, or `accountId` and `userId` of a friend. */
  readonly identity: Readonly<Record<string, string>>;
  readonly data: Data;
  readonly revision: string;
  readonly label: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export type StoredResource = Resource | 'friends';
/** Lists that only the service adds to. */
export type EventResource =
  `${'account' | 'conversation' | 'message' | 'form-submission' | 'friend-automation' | 'link-click'}s`;

/** Everything in the order of creation. */
export interface Organization {
  readonly records: Readonly<Record<StoredResource, Stored[]>>;
  readonly events: Readonly<Record<EventResource, Data[]>>;
  readonly keywords: string[];
  readonly projects: readonly Data[];
  /** With `projectId` and `body`, which are not answered in lists. */
  readonly documents: readonly Data[];
}

/** An error answer, by its meaning. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly meaning: string,
    message: string,
  ) {
    super(message);
  }
}

/** The data field that names a record; of others it is `name`. */
const labelFields: Data = { 'auto-replies': 'keyword', broadcasts: 'title', friends: 'displayName' };
export const labelField = (resource: StoredResource): string => String(labelFields[resource] ?? 'name');

/** Creates what is stored; `version` is a text that no other revision of the record had. */
export function toStored(
  resource: StoredResource,
  { identity, createdAt }: Pick<Stored, 'identity' | 'createdAt'>,
  data: Data,
  version: string,
): Stored {
  const revision = createHash('sha256')
    .update(JSON.stringify([identity, version]))
    .digest('hex');
  const label = String(data[labelField(resource)]);
  return { identity, data, revision, label, createdAt, updatedAt: createdAt };
}

export type Change = Data & { readonly action: string };
/** What a change left behind. */
export interface Effect {
  readonly resource: StoredResource | EventResource;
  readonly record: Stored | Data;
}

/** Applies a valid change. `version` is a new UUID, which becomes the id of a new record. */
export function applyChange({ records, events }: Organization, change: Change, version: string): Effect {
  const { action, accountId, userId } = change;
  const [, verb, named] = /^(create|update)-(?!friend)(.+)$/.exec(action) ?? [];
  const resource = (userId === undefined ? (named ?? change.resource) : 'friends') as StoredResource;
  const createdAt = new Date().toISOString();
  if (verb === 'create') {
    const record = toStored(resource, { identity: { id: version }, createdAt }, change.data as Data, version);
    records[resource].push(record);
    return { resource, record };
  }
  const at = records[resource].findIndex(({ identity: { id, ...of } }) =>
    id === undefined ? of.accountId === accountId && of.userId === userId : id === change.id,
  );
  const record = records[resource][at];
  if (record === undefined) throw new Refusal(404, 'notFound', 'The record does not exist.');
  if (action === 'enroll-scenario') {
    const scenario = records.scenarios.find(({ identity }) => identity.id === change.scenarioId);
    if (scenario === undefined) throw new Refusal(404, 'notFound', 'The scenario does not exist.');
    const state = { scenarioName: scenario.label, status: 'active', nextStep: 0, enrolledAt: createdAt };
    const automation = { id: version, accountId, userId, scenarioId: change.scenarioId, ...state };
    events['friend-automations'].push(automation);
    return { resource: 'friend-automations', record: automation };
  }
  if (change.expectedRevision !== record.revision || change.expectedLabel !== record.label)
    throw new Refusal(409, 'staleRevision', 'The record has changed.');
  if (action === 'delete-configuration') {
    records[resource].splice(at, 1);
    return { resource, record };
  }
  const given = action === 'set-friend-tags' ? { tagIds: change.tagIds } : change.data;
  const data = { ...(userId !== undefined && record.data), ...(given as Data) };
  const changed = toStored(resource, record, data, version);
  records[resource][at] = changed;
  return { resource, record: changed };
}
