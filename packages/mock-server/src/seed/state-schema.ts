import { contractVersion } from '@orgchat/spec';
import * as z from 'zod';
import { memoize } from '../memoize.ts';
import { onDeleteModes } from '../records/on-delete.ts';
import { seedSchemas } from './schema.ts';

/*
 * A saved state is a complete seed plus the history of a running mock: operations, audit log, notifications, counters and
 * the clock. Its arrays are in the order of arrival.
 */

/** The schemas of saved states. */
export const stateSchemas = memoize(() => {
  const { organization, plan } = seedSchemas();
  const text = z.string();
  const id = z.int().min(1);

  const operation = z.strictObject({
    state: z.enum(['applied', 'uncertain', 'refused']),
    operationId: text,
    input: text,
    action: text,
    requestId: text,
    createdAt: text,
    answer: z.strictObject({ auditRecorded: z.boolean(), result: z.unknown() }).optional(),
    resolution: z
      .union([
        z.literal('never'),
        z.strictObject({ afterRequests: z.int() }),
        z.strictObject({ at: z.number() }),
      ])
      .optional(),
  });

  const auditEntry = z.strictObject({
    id,
    at: text,
    requestId: text,
    organizationId: text,
    operationId: text,
    key: text,
    keyName: text,
    action: text,
    resource: text,
    recordId: text,
    recordName: text.nullable().default(null).meta({
      description: 'The name of the record when it was changed; of an enrollment, that of the friend.',
    }),
    revisionBefore: text.nullable(),
    revisionAfter: text.nullable(),
  });

  const notification = z.strictObject({
    id,
    at: text,
    kind: z.enum(['friend-tags-changed', 'scenario-entered']),
    organizationId: text,
    operationId: text,
    accountId: text,
    userId: text,
    addedTagIds: z.array(text).optional(),
    removedTagIds: z.array(text).optional(),
    scenarioId: text.optional(),
    automationId: text.optional(),
  });

  const stateOrganization = organization.extend({
    usage: z.strictObject({ month: text, used: z.int().min(0) }),
    operations: z.array(operation),
    /** The friends with messages, `accountId/userId`, in the order of their newest message. Default: by its time. */
    conversations: z.array(text).optional(),
  });

  const stateDocument = z.strictObject({
    format: z.literal('orgchat-state'),
    version: z.literal(1),
    contract: z.literal(contractVersion),
    savedAt: text,
    clock: z.strictObject({ shiftMs: z.number(), frozenAt: z.number().nullable() }),
    chance: z.strictObject({ seed: z.int(), drawn: z.int().min(0) }),
    plans: z.record(text, plan),
    onDelete: z.enum(onDeleteModes).optional(),
    organizations: z.array(stateOrganization).min(1),
    /** The counted requests of each key in the last minute, in milliseconds since 1970. */
    windows: z.record(text, z.array(z.number())),
    audit: z.array(auditEntry),
    notifications: z.array(notification),
  });

  return { operation, auditEntry, notification, stateOrganization, stateDocument };
});

type Schemas = ReturnType<typeof stateSchemas>;

/** A saved state, as `GET /state` answers it. */
export type StateDocument = z.output<Schemas['stateDocument']>;
export type StateOrganization = z.output<Schemas['stateOrganization']>;
export type SavedOperation = z.output<Schemas['operation']>;
