import type { Operation } from '../operations/lifecycle.ts';
import type { Entry, Fields } from '../store/entry.ts';
import type { SavedOperation } from './schema.ts';

/*
 * Pieces of a state as they are saved, each under the name it has in a state document. A recorder that keeps
 * pieces apart and a document that holds them all say the same.
 */

/** What follows from the rest of a record and is not saved. */
const derived = new Set(['revision', 'label']);

const without = (fields: Fields, left: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !left.has(name)));

/** A configuration record or a friend: what it holds, and its version. */
export const recordItem = ({ fields, version }: Entry): Fields => ({ ...without(fields, derived), version });

const derivedOfBroadcast = new Set([...derived, 'status']);

export const broadcastItem = ({ fields, version }: Entry): Fields => ({
  ...without(fields, derivedOfBroadcast),
  version,
});

const inFriend = new Set(['accountId', 'userId']);
const inForm = new Set(['formId']);
const inLink = new Set(['linkId']);

/** A record below a parent: without what the parent says. */
export const childItems = {
  messages: ({ fields }: Entry): Fields => without(fields, inFriend),
  automations: ({ fields }: Entry): Fields => without(fields, inFriend),
  submissions: ({ fields }: Entry): Fields => without(fields, inForm),
  clicks: ({ fields }: Entry): Fields => without(fields, inLink),
} as const;

/** An operation that is over or uncertain; one that still runs has happened for nobody and is not saved. */
export function operationItem(operation: Operation): SavedOperation | undefined {
  const { state, answer, ...rest } = operation;
  if (state === 'running') return undefined;
  const saved = answer && {
    auditRecorded: answer.auditRecorded,
    result: JSON.parse(answer.result) as unknown,
  };
  return { ...rest, state, answer: saved };
}
