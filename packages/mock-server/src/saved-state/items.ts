import type { Operation } from '../operations/lifecycle.ts';
import type { Entry, Fields } from '../records/entry.ts';
import type { Key } from '../world/key.ts';
import type { SavedOperation } from './schema.ts';

/*
 * The parts of a saved state, with the names they have in a state document. The data file and the state document use the
 * same forms.
 */

/** Fields that are computed from the rest of a record and are not saved. */
const derived = new Set(['revision', 'label']);

const without = (fields: Fields, left: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !left.has(name)));

/** A configuration record or a friend: its fields and its version. */
export const recordItem = ({ fields, version }: Entry): Fields => ({ ...without(fields, derived), version });

const derivedOfBroadcast = new Set([...derived, 'status']);

export const broadcastItem = ({ fields, version }: Entry): Fields => ({
  ...without(fields, derivedOfBroadcast),
  version,
});

const inFriend = new Set(['accountId', 'userId']);
const inForm = new Set(['formId']);
const inLink = new Set(['linkId']);

/** A key: without what its organization and the key itself determine. */
export const keyItem = ({ organizationId: _, accountScope: __, masked: ___, ...key }: Key): object => key;

/** A child record: without the fields that its parent determines. */
export const childItems = {
  messages: ({ fields }: Entry): Fields => without(fields, inFriend),
  automations: ({ fields }: Entry): Fields => without(fields, inFriend),
  submissions: ({ fields }: Entry): Fields => without(fields, inForm),
  clicks: ({ fields }: Entry): Fields => without(fields, inLink),
} as const;

/** An applied or uncertain operation. A running operation is not saved. */
export function operationItem(operation: Operation): SavedOperation | undefined {
  const { state, answer, ...rest } = operation;
  if (state === 'running') return undefined;
  const saved = answer && {
    auditRecorded: answer.auditRecorded,
    result: JSON.parse(answer.result) as unknown,
  };
  return { ...rest, state, answer: saved };
}
