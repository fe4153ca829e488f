import type { ConfigurationResource } from '@orgchat/spec';
import { Refusal } from '../refusal.ts';
import type { Caller } from '../steps/authenticate.ts';
import type { Sight } from '../store/collection.ts';
import type { Entry } from '../store/entry.ts';

/** Whether a key can see what belongs to an account; 0 belongs to every account (clause 1.10, D30). */
export const sees = (sight: Sight, account: number): boolean =>
  sight === undefined || sight.includes(account);

/** The 404 that says what is missing, and where it was named. */
export function missing(what: string, where?: string): Refusal {
  return new Refusal('NOT_FOUND', {
    en: `${where === undefined ? '' : `${where}: `}There is no such record among ${what}.`,
    ja: `${where === undefined ? '' : `${where}: `}${what}に該当するレコードがありません。`,
  });
}

/** The number of an account the key can see: 404 for any other. */
export function findAccount({ key, organization }: Caller, accountId: string, where?: string): number {
  const number = organization.accountNumber(accountId);
  if (number === undefined || !sees(key.sight, number)) throw missing('accounts', where);
  return number;
}

/** A configuration record the key can see: 404 for any other. */
export function findConfiguration(
  { key, organization }: Caller,
  resource: ConfigurationResource,
  id: string,
  where?: string,
): Entry {
  const entry = organization.stored.configurations[resource].get(id);
  if (entry === undefined || !sees(key.sight, entry.account)) throw missing(resource, where);
  return entry;
}

/** A friend the key can see: 404 for any other. */
export function findFriend({ key, organization }: Caller, accountId: string, userId: string): Entry {
  const entry = organization.friend(accountId, userId);
  if (entry === undefined || !sees(key.sight, entry.account)) throw missing('friends');
  return entry;
}
