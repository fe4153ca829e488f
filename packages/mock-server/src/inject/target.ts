import type * as z from 'zod';
import { ControlError, invalid, notFound } from '../input-checks/control-error.ts';
import { findOrganization } from '../input-checks/find-organization.ts';
import { parseControl } from '../input-checks/parse-control.ts';
import { toIsoString } from '../primitives/clock.ts';
import type { Entry } from '../records/entry.ts';
import type { Organization } from '../records/organization.ts';
import { resolveRecordNames } from '../seed/resolve-names.ts';
import { changeFromOutside } from '../world/outside-changes.ts';
import type { World } from '../world/world.ts';

/** A record that was injected, as the API shows it. */
export type InjectedRecord = Readonly<Record<string, unknown>>;

/** What names a friend, such as the one to whom a message belongs. */
export interface FriendName {
  readonly accountId: string;
  readonly userId: string;
}

/** Where a record is injected, and when. */
export interface Target {
  readonly world: World;
  readonly organization: Organization;
  /** The time of the mock's clock. */
  readonly now: string;
}

export const openTarget = (world: World, query: unknown): Target => ({
  world,
  organization: findOrganization(world, query),
  now: toIsoString(world.clock.now()),
});

/** Adds what happens outside the API to a world; `path` is that of the control call. */
export const inject = <T extends object>(world: World, resource: string, path: string, add: () => T): T =>
  changeFromOutside(world, { action: 'inject', resource, path }, add);

/** Parses a record in which names may be used instead of ids, as in seeds. */
export const parseRecord = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> =>
  parseControl(schema, resolveRecordNames(value));

/** Adds an event about a record that was injected. */
export function announceRecord(
  { world, organization }: Target,
  resource: string,
  { id, revision }: Pick<Entry, 'id' | 'revision'>,
): void {
  world.events?.add('record', {
    organizationId: organization.id,
    resource,
    id,
    action: 'created',
    revision: revision === '' ? null : revision,
    by: 'control',
    requestId: null,
    keyName: null,
  });
}

/** Creates the 409 of a record that exists already. */
export const exists = (what: string, advice: string): ControlError =>
  new ControlError(409, 'ALREADY_EXISTS', `There is already ${what}. ${advice}`);

/** Maximum number of examples in a message. */
const maxExamples = 5;

/** Some of the ids that would have worked. */
export function listSome(what: string, entries: Iterable<Pick<Entry, 'id'>>): string {
  const ids: string[] = [];
  for (const { id } of entries) {
    if (ids.length === maxExamples) return `${what}: ${ids.join(', ')}, and more.`;
    ids.push(id);
  }
  return ids.length === 0 ? `There are no ${what.toLowerCase()}.` : `${what}: ${ids.join(', ')}.`;
}

/** The number of an account that a body names. */
export function requireAccountNumber({ organization }: Target, accountId: string): number {
  const account = organization.accountNumber(accountId);
  if (account !== undefined) return account;
  const known = listSome('Accounts', organization.stored.accounts.values());
  throw invalid(`accountId: no account with id ${accountId}. ${known}`);
}

/** A friend that a path or a body names. */
export function requireFriend(
  { organization }: Target,
  accountId: string,
  userId: string,
  createError: (message: string, advice: string) => ControlError = notFound,
): Entry {
  const friend = organization.friend(accountId, userId);
  if (friend !== undefined) return friend;
  const { entries } = organization.stored.friends.page(undefined, 0, maxExamples + 1);
  throw createError(`friend ${accountId}/${userId}`, listSome('Friends', entries));
}

/**
 * The time of a new record: the given one, or now. Lists are newest first, and what is new comes first, so a given time
 * must not be earlier than that of the newest record.
 */
export function getTime({ now }: Target, field: string, given: string | undefined, newest: unknown): string {
  if (given === undefined) return now;
  if (typeof newest !== 'string' || given >= newest) return given;
  throw invalid(
    `${field} must not be earlier than that of the newest record (${newest}), because lists are newest first. Omit ${field} to use the current time of the mock's clock.`,
  );
}

export const toRecord = ({ json }: Entry): InjectedRecord => JSON.parse(json) as InjectedRecord;
