import { pascalCase } from '@orgchat/spec';
import * as z from 'zod';
import type { ControlCallName } from '../src/control/calls.ts';
import { operationName } from '../src/control-input/request-criteria.ts';
import { faultInput } from '../src/faults/schema.ts';
import { verification } from '../src/request-log/verify.ts';
import { stateSchemas } from '../src/seed/state-schema.ts';

/*
 * The answers of the control API. Nothing of this is loaded by a running mock: the document is generated from it, a type
 * test compares it with the types of `Mock`, and every test checks the answers it gets against the document.
 */

const text = z.string();
const textOrNull = z.string().nullable();
const count = z.int().min(0);
const moment = z.string().meta({ format: 'date-time' });

/** Why a request ended as it did. */
const decidedBy = z
  .object({
    step: text.meta({ description: 'The step of the pipeline that decided, such as `enforceLimits`.' }),
    clause: text.optional().meta({ description: 'The number of a clause in spec/SPECIFICATION.md.' }),
    decision: text.optional().meta({ description: 'The number of a decision in spec/DECISIONS.md.' }),
    because: text.meta({
      description: 'Why, in a sentence or two. A refusal says what would have passed.',
    }),
  })
  .meta({
    id: 'DecidedBy',
    description: 'Why a request ended as it did. It always has a clause, a decision or both.',
  });

/** A request in the log. */
export const requestLogEntry = z
  .object({
    id: z.int().min(1).meta({ description: 'Increases with each request; never used twice.' }),
    requestId: text.meta({ description: 'The X-Request-Id of the answer.' }),
    receivedAt: moment,
    method: text,
    path: text.meta({ description: 'Below the base URL.' }),
    operation: operationName().nullable(),
    action: textOrNull,
    resource: textOrNull.meta({ description: 'What the request reads or changes.' }),
    operationId: textOrNull,
    key: textOrNull.meta({ description: 'The masked key; null if none was sent.' }),
    keyName: textOrNull,
    answered: z.boolean().meta({ description: 'Whether a whole answer was sent.' }),
    status: z.int().nullable().meta({
      description: 'The status that was sent, or that the lost answer had; null if there was none.',
    }),
    error: textOrNull.meta({ description: 'The error code of an error; null for a success.' }),
    applied: z.boolean().meta({
      description: 'Whether this request, not an earlier one, changed something.',
    }),
    replayOf: textOrNull.meta({ description: 'The request whose stored answer this request got again.' }),
    recordId: textOrNull,
    revisionBefore: textOrNull,
    revisionAfter: textOrNull,
    faults: z.array(text).meta({ description: 'The effects of the faults that hit it.' }),
    rewoundTo: textOrNull.meta({
      description: 'Of a rewind, whose action is rewind: the requestId of the request it went back to.',
    }),
    decidedBy,
  })
  .meta({ id: 'RequestLogEntry', description: 'A request in the request log.' });

export const droppedRequests = z
  .object({
    entries: count.meta({ description: 'Number of dropped entries, the oldest first.' }),
    bodies: count.meta({ description: 'Number of dropped bodies, including those of dropped entries.' }),
  })
  .meta({ id: 'DroppedRequests', description: 'What a full request log dropped to make room.' });

const loggedBody = {
  headers: z.record(text, text).meta({ description: 'By lowercase names; keys are masked.' }),
  body: z.unknown().meta({
    description: 'A JSON value if the body is JSON, else text; null if there is none or it was dropped.',
  }),
  bodyBytes: count.meta({ description: 'The size of the body as it came, in bytes.' }),
  bodyKept: z.enum(['complete', 'truncated', 'dropped']).meta({
    id: 'KeptPart',
    description: 'How much of the body the log has: all of it, the first 64 KiB, or nothing.',
  }),
};

export const requestDetail = requestLogEntry
  .extend({
    request: z
      .object({ query: text, ...loggedBody })
      .meta({ id: 'LoggedRequest', description: 'The request as it came.' }),
    response: z
      .object(loggedBody)
      .meta({ id: 'LoggedResponse', description: 'The response, without headers of the transport.' })
      .nullable()
      .meta({ description: 'Null if no response was made. A response that a fault lost is here too.' }),
  })
  .meta({ id: 'RequestDetail', description: 'A request in the log with headers and bodies.' });

const har = z
  .looseObject({ log: z.looseObject({ version: z.literal('1.2'), entries: z.array(z.looseObject({})) }) })
  .meta({ id: 'HttpArchive', description: 'The kept requests as HAR 1.2.' });

const hit = z
  .object({ requestId: text, at: moment, operation: text })
  .meta({ id: 'FaultHit', description: 'A request that a fault hit.' });

const armed = {
  id: text,
  seen: count.meta({ description: 'Number of requests that matched, including skipped ones.' }),
  remaining: z.union([count, z.literal('always')]),
  hits: z.array(hit),
};

const toArmed = (option: ReturnType<typeof faultInput>['options'][number]) => {
  const name = pascalCase(option.shape.effect.value);
  return z.object({ ...option.shape, ...armed }).meta({ id: `Armed${name}Fault` });
};

/** A fault as it was armed, with what it hit. The key is masked. */
export const armedFault = z
  .discriminatedUnion('effect', faultInput().options.map(toArmed) as [ReturnType<typeof toArmed>])
  .meta({ id: 'ArmedFault', description: 'An armed fault, with the requests it hit. Its key is masked.' });

export const organizationSettings = z
  .object({
    id: text,
    plan: text,
    runtime: z.enum(['up', 'down']),
    studio: z.boolean(),
    deleted: z.boolean(),
  })
  .meta({ id: 'OrganizationSettings', description: 'The settings of the organization.' });

export const keySettings = z
  .object({
    name: text,
    organizationId: text,
    scope: z.enum(['read', 'write']),
    revoked: z.boolean(),
    suspended: z.boolean(),
    editor: z.boolean(),
    accountIds: z.array(text).nullable(),
  })
  .meta({ id: 'KeySettings', description: 'A key without its text.' });

export const clockReading = z
  .object({
    now: z.int().meta({ description: 'Milliseconds since 1970.' }),
    iso: moment,
    frozen: z.boolean(),
  })
  .meta({ id: 'ClockReading', description: "The time of the mock's clock." });

const operation = z
  .object({
    state: z.enum(['running', 'applied', 'uncertain']),
    operationId: text,
    action: text,
    requestId: text,
    createdAt: moment,
    resolution: z.unknown().optional().meta({
      description: 'When an uncertain operation is resolved: "never", { afterRequests } or { at }.',
    }),
    auditRecorded: z.boolean().nullable(),
    result: z.unknown().meta({ description: 'The result in the stored answer; null if there is none.' }),
  })
  .meta({ id: 'ChangeOperation', description: 'A change, by its operationId.' });

const sandbox = z
  .object({ id: text, name: text.optional(), baseUrl: text, controlUrl: text })
  .meta({ id: 'Sandbox', description: 'The addresses of a sandbox.' });

export const sandboxEntry = z
  .object({
    id: text,
    name: textOrNull,
    baseUrl: text,
    controlUrl: text,
    expiresAt: moment.nullable().meta({
      description: 'When it is dropped if no request comes; null if it has no ttlMs.',
    }),
  })
  .meta({ id: 'SandboxEntry', description: 'A sandbox in a list; name is null if it has none.' });

export const limits = z
  .object({
    rateLimit: z.union([count, z.literal('off')]),
    monthlyLimit: z.union([count, z.enum(['plan', 'off'])]),
    history: count.meta({ description: 'Number of states that the history keeps; 0 if it is off.' }),
  })
  .meta({ id: 'Limits', description: 'Limits and history of the mock, as in its options.' });

export const rewoundRequest = z
  .object({ id: z.int().min(1), requestId: text })
  .meta({ id: 'RewoundRequest', description: 'The request that the state went back to, just before it.' });

const done = z.object({ ok: z.literal(true) }).meta({ id: 'Done' });
const disarmed = z
  .object({ disarmed: count.meta({ description: 'Number of faults that were disarmed.' }) })
  .meta({ id: 'Disarmed' });

const savedState = z
  .looseObject({
    format: z.literal('orgchat-state'),
    version: z.literal(1),
    savedAt: moment,
    organizations: z.array(z.looseObject({ id: text })).min(1),
  })
  .meta({ id: 'SavedState', description: 'The whole state; PUT /state and POST /sandboxes accept it.' });

const openRecord = z
  .looseObject({})
  .meta({ id: 'EditedRecord', description: 'The record after the edit, as a read of it answers.' });

const { auditEntry, notification } = stateSchemas();
const listedAuditEntry = auditEntry.meta({ id: 'AuditEntry', description: 'One applied change.' });
const listedNotification = notification.meta({
  id: 'Notification',
  description: 'A notification that the service may send; the mock records it and sends nothing.',
});

/** The schema of each call's success, except of those in control-events.ts and control-record-answers.ts. */
export const controlAnswers = {
  getHealth: z.object({ status: z.literal('ready') }).meta({ id: 'Health' }),
  getOpenApiYaml: text,
  getOpenApiJson: z.looseObject({ openapi: text }).meta({ id: 'OpenApiDocument' }),
  getOpenApi30Yaml: text,
  resetMock: done,
  rewindMock: rewoundRequest,
  getState: savedState,
  replaceState: done,
  patchOrganization: organizationSettings,
  patchKey: keySettings,
  listFaults: z.object({ faults: z.array(armedFault) }).meta({ id: 'FaultList' }),
  armFault: armedFault,
  disarmFaults: disarmed,
  disarmFault: disarmed,
  listRequests: z
    .object({ requests: z.array(requestLogEntry), dropped: droppedRequests })
    .meta({ id: 'RequestList', description: 'Entries of the request log, oldest first.' }),
  getRequest: requestDetail,
  getRequestsHar: har,
  clearRequests: done,
  verifyRequests: done,
  listOperations: z.object({ operations: z.array(operation) }).meta({ id: 'OperationList' }),
  listAudit: z.object({ audit: z.array(listedAuditEntry) }).meta({ id: 'AuditList' }),
  listNotifications: z
    .object({ notifications: z.array(listedNotification) })
    .meta({ id: 'NotificationList' }),
  getClock: clockReading,
  moveClock: clockReading,
  patchLimits: limits,
  createSandbox: sandbox,
  listSandboxes: z.object({ sandboxes: z.array(sandboxEntry) }).meta({ id: 'SandboxList' }),
  dropSandboxes: z
    .object({ dropped: count.meta({ description: 'Number of sandboxes that were removed.' }) })
    .meta({ id: 'DroppedSandboxes' }),
  dropSandbox: done,
  editRecord: openRecord,
} satisfies Partial<Readonly<Record<ControlCallName, z.ZodType>>>;

/** The body of every error. Some have more fields, such as `maxBytes` or `limit`. */
export const controlError = z
  .looseObject({ error: text.meta({ examples: ['INVALID_INPUT'] }), message: text })
  .meta({ id: 'ControlError', description: 'What is wrong with a call, and what would work.' });

const difference = z
  .object({
    field: text.meta({ description: 'A field, or a path in the body: body.change.data.name.' }),
    expected: z.unknown(),
    found: z.unknown().optional().meta({
      description: 'Null if the request has no such value; absent if its body has no such field.',
    }),
  })
  .meta({ id: 'Difference', description: 'How a request differs from what was expected. Keys are masked.' });

export const verificationFailure = z
  .looseObject({
    error: text,
    message: text,
    expected: verification().shape.times,
    count: count.meta({ description: 'Number of matches among the kept entries.' }),
    complete: z.boolean().meta({
      description: 'Whether the count is certain; false if dropped entries could match.',
    }),
    dropped: droppedRequests,
    nearMisses: z.array(
      z.object({
        missed: z.array(text).meta({ description: 'The criteria that the request does not match.' }),
        differences: z.array(difference),
        request: requestLogEntry,
      }),
    ),
  })
  .meta({ id: 'VerificationFailure', description: 'The count differs, or is not certain.' });
