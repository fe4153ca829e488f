import { createInvalidInputError } from '../errors/refused.ts';
import type { FriendRef } from '../types.ts';
import { describeType, isObject } from '../values.ts';
import { findRecordGuard, type RecordGuard } from './record-guards.ts';

/** Returns the id of a record, or the id that was given itself. Throws if there is none. */
export function requireId(named: string | { readonly id: string }): string {
  const id: unknown = isObject(named) ? named.id : named;
  if (typeof id === 'string') return id;
  const found = isObject(named) ? 'an object without one' : describeType(named);
  throw createInvalidInputError(`Expected an id, or a record with an id; got ${found}.`);
}

/** Returns the record. Throws if it is undefined, as the `result` of a change may be. */
export function requireRecord<Record>(record: Record | undefined): Record {
  if (record !== undefined) return record;
  throw createInvalidInputError(
    'Expected a record; got undefined. If a change had no result, read the record with get().',
  );
}

/** Returns the two fields that identify a friend. Throws if one of them is missing. */
export function requireFriendRef(friend: FriendRef): FriendRef {
  const { accountId, userId }: Partial<FriendRef> = Object(friend);
  if (typeof accountId === 'string' && typeof userId === 'string') return { accountId, userId };
  const found = isObject(friend) ? 'an object without both ids' : describeType(friend);
  throw createInvalidInputError(`Expected a friend as it was read, or { accountId, userId }; got ${found}.`);
}

/** Returns the fields that guard a change, from the record it is made from. Throws if the record does not have them. */
export function requireRecordGuard(record: object): RecordGuard {
  const guard = findRecordGuard(record);
  if (guard) return guard;
  throw createInvalidInputError(
    'Expected a record as it was read, with revision and label. Read it with get() first.',
  );
}
