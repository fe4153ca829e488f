import type { Operation } from '../operations/lifecycle.ts';
import type { Entry, Fields } from '../records/entry.ts';
import type { Key } from '../records/key.ts';
import type { SavedOperation } from '../seed/state-schema.ts';

/*
 * The parts of a saved state, with the names they have in a state document. The data file and the state document use the
 * same forms.
 */

/** Fields that are computed from the rest of a record and are not saved. */
const derivedFields = new Set(['revision', 'label']);

/** A loop, because a state has thousands of records, and a data file is written often. */
function omitFields(fields: Fields, omitted: ReadonlySet<string>): Fields {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (!omitted.has(name)) kept[name] = fields[name];
  return kept;
}

/** A configuration record or a friend: its fields and its version. */
export const recordItem = ({ fields, version }: Entry): Fields => ({
  ...omitFields(fields, derivedFields),
  version,
});

const derivedBroadcastFields = new Set([...derivedFields, 'status']);

export const broadcastItem = ({ fields, version }: Entry): Fields => ({
  ...omitFields(fields, derivedBroadcastFields),
  version,
});

const friendIdFields = new Set(['accountId', 'userId']);
const formIdFields = new Set(['formId']);
const linkIdFields = new Set(['linkId']);

/** A key: without what its organization and the key itself determine. */
export const keyItem = ({ organizationId: _, accountScope: __, masked: ___, ...key }: Key): object => key;

/** A child record: without the fields that its parent determines. */
export const childItems = {
  messages: ({ fields }: Entry): Fields => omitFields(fields, friendIdFields),
  automations: ({ fields }: Entry): Fields => omitFields(fields, friendIdFields),
  submissions: ({ fields }: Entry): Fields => omitFields(fields, formIdFields),
  clicks: ({ fields }: Entry): Fields => omitFields(fields, linkIdFields),
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
