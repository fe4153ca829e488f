import { type ConfigurationResource, placeOf } from '@orgchat/spec';
import { Refusal } from '../refusal.ts';
import type { Sight } from '../store/collection.ts';
import type { Entry } from '../store/entry.ts';
import type { Organization } from '../store/organization.ts';

/** Who looks: into an organization, at what the creator of a key can see of it. */
export interface Viewer {
  readonly organization: Organization;
  readonly key: { readonly sight: Sight };
}

/** Whether a key can see what belongs to an account; 0 belongs to every account (clause 1.10, D30). */
export const sees = (sight: Sight, account: number): boolean =>
  sight === undefined || sight.includes(account);

/** A 404 that says among what nothing was found. */
export class Missing extends Refusal {
  constructor(what: string, where = '') {
    super('NOT_FOUND', {
      en: `${where}There is no such record among ${what}.`,
      ja: `${where}${what}に該当するレコードがありません。`,
    });
  }
}

/** The same for a record that data names, with the place where it does. */
export class MissingReference extends Missing {
  readonly resource: string;
  readonly path: readonly PropertyKey[];

  constructor(resource: string, path: readonly PropertyKey[]) {
    super(resource, `${placeOf(path)}: `);
    this.resource = resource;
    this.path = path;
  }
}

function seen<E extends Entry>({ key }: Viewer, entry: E | undefined): E | undefined {
  return entry !== undefined && sees(key.sight, entry.account) ? entry : undefined;
}

export const findAccount = (viewer: Viewer, accountId: string): Entry | undefined =>
  seen(viewer, viewer.organization.stored.accounts.get(accountId));

export const findConfiguration = (
  viewer: Viewer,
  resource: ConfigurationResource,
  id: string,
): Entry | undefined => seen(viewer, viewer.organization.stored.configurations[resource].get(id));

/** The number of an account the key can see: 404 for any other. */
export function needAccount(viewer: Viewer, accountId: string): number {
  const entry = findAccount(viewer, accountId);
  if (entry === undefined) throw new Missing('accounts');
  return entry.account;
}

/** A configuration record the key can see: 404 for any other. */
export function needConfiguration(viewer: Viewer, resource: ConfigurationResource, id: string): Entry {
  const entry = findConfiguration(viewer, resource, id);
  if (entry === undefined) throw new Missing(resource);
  return entry;
}

/** A friend the key can see: 404 for any other. */
export function needFriend(viewer: Viewer, accountId: string, userId: string): Entry {
  const entry = seen(viewer, viewer.organization.friend(accountId, userId));
  if (entry === undefined) throw new Missing('friends');
  return entry;
}
