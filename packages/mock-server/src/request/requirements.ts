import { type ConfigurationResource, singularNames } from '@orgchat/spec';
import { detach } from '../primitives/platform.ts';
import type { AccountScope } from '../records/collection.ts';
import { getEditor } from '../records/editor.ts';
import type { Entry } from '../records/entry.ts';
import type { Organization } from '../records/organization.ts';
import type { Cause } from '../why/cause.ts';
import { ApiError } from './api-error.ts';

/** A key with its organization and the accounts that its creator can read. */
export interface Reader {
  readonly organization: Organization;
  readonly key: { readonly accountScope: AccountScope };
}

/** Whether records of an account can be read; 0 stands for records of every account (clause 1.10, D30). */
export const canRead = (scope: AccountScope, account: number): boolean =>
  scope === undefined || scope.includes(account);

/** A 404 that names the record that was not found. */
export class RecordNotFound extends ApiError {
  constructor(
    record: string,
    id: string,
    cause: Cause = { reason: 'unknown-record', record, id },
    prefix = '',
  ) {
    super('NOT_FOUND', cause, (language) =>
      language === 'ja'
        ? `${prefix}IDが${id}の${record}は存在しません。`
        : `${prefix}No ${record} with id ${id}.`,
    );
  }
}

/** A 404 for a record that does not exist, or that the creator of the key cannot see. */
function notFound(record: string, id: string, hidden: Entry | undefined): RecordNotFound {
  const reason = hidden === undefined ? 'unknown-record' : 'unassigned-account';
  return new RecordNotFound(record, id, { reason, record, id });
}

/** The record, if the creator of the key can read it. */
export function onlyReadable<E extends Entry>({ key }: Reader, entry: E | undefined): E | undefined {
  return entry !== undefined && canRead(key.accountScope, entry.account) ? entry : undefined;
}

const findAccount = (reader: Reader, accountId: string): Entry | undefined =>
  onlyReadable(reader, reader.organization.stored.accounts.get(accountId));

const findConfiguration = (reader: Reader, resource: ConfigurationResource, id: string): Entry | undefined =>
  onlyReadable(reader, reader.organization.stored.configurations[resource].get(id));

/** Returns the number of a readable account; throws 404 otherwise. */
export function requireAccount(reader: Reader, accountId: string): number {
  const entry = findAccount(reader, accountId);
  if (entry === undefined)
    throw notFound('account', accountId, reader.organization.stored.accounts.get(accountId));
  return entry.account;
}

/** Returns a readable configuration record; throws 404 otherwise. */
export function requireConfiguration(reader: Reader, resource: ConfigurationResource, id: string): Entry {
  const entry = findConfiguration(reader, resource, id);
  if (entry === undefined) {
    const hidden = reader.organization.stored.configurations[resource].get(id);
    throw notFound(singularNames[resource], id, hidden);
  }
  return entry;
}

/** Returns a readable friend; throws 404 otherwise. */
export function requireFriend(reader: Reader, accountId: string, userId: string): Entry {
  const found = reader.organization.friend(accountId, userId);
  const entry = onlyReadable(reader, found);
  if (entry === undefined) throw notFound('friend', `${accountId}/${userId}`, found);
  return entry;
}

/** Answers 502, or the given status, while the runtime is down (D52). */
export function requireRuntime({ settings }: Organization, status?: number): void {
  if (settings.runtime === 'down') {
    const cause = { reason: 'runtime-down' } as const;
    throw new ApiError('RUNTIME_UNAVAILABLE', cause, undefined, status === undefined ? {} : { status });
  }
}

/** Answers 409 unless revision and label are those of the record as it is now (clause 6.3, D56). */
export function requireCurrent(
  resource: ConfigurationResource | 'friends',
  entry: Entry,
  { expectedRevision, expectedLabel }: { expectedRevision: string; expectedLabel: string },
): void {
  // A described server may store white space around a label, and no request is compared with it.
  if (entry.revision === expectedRevision && entry.label.trim() === expectedLabel) return;
  const { id, version, label } = entry;
  throw new ApiError('STALE_REVISION', {
    reason: entry.revision === expectedRevision ? 'stale-label' : 'stale-revision',
    ...{ record: singularNames[resource], id, version, label, expectedRevision, expectedLabel },
    // A slice of the record would keep all of it in memory.
    revision: detach(entry.revision),
    editor: getEditor(entry),
  });
}
