// biome-ignore-all assist/source/organizeImports: the generated types have this order.
import type { ServerDescription as Description, OperationName as Operations } from '@orgchat/spec';
import type * as z from 'zod';
import type * as records from '../src/control/records.ts';
import type * as organizations from '../src/input-checks/find-organization.ts';
import type * as events from '../src/events/event-streams.ts';
import type * as faults from '../src/faults/schema.ts';
import type { injectionSchemas } from '../src/inject/schemas.ts';
import type * as readLog from '../src/request-log/read-log.ts';
import type * as requestLog from '../src/request-log/verify.ts';
import type { seedSchemas } from '../src/seed/schema.ts';
import type { stateSchemas } from '../src/seed/state-schema.ts';

/** The five operations of the API. */
export type OperationName = Operations;

/** The description of a server. Of several codes for one meaning, the first is sent. */
export type ServerDescription = Description;

/** A fault to arm: which requests it hits, and its effect on them. */
export type FaultInput = z.input<ReturnType<typeof faults.faultInput>>;

/** A fault with all defaults filled in. */
export type Fault = z.output<ReturnType<typeof faults.faultInput>>;

/** Which requests to count, and the expected number. */
export type Verification = z.input<ReturnType<typeof requestLog.verification>>;

/** Which part of the request log to list: after an id, and up to a number. */
export type RequestPage = z.input<ReturnType<typeof readLog.requestPage>>;

/** Where a stream of events begins: after the event with an id, or now. */
export type EventsInput = z.input<ReturnType<typeof events.eventsInput>>;

/** Which organization a call applies to. Default: the first of the seed. */
export type InOrganization = z.input<ReturnType<typeof organizations.organizationQuery>>;

/** Which records to list: a resource, and a page. */
export type RecordsQuery = z.input<ReturnType<typeof records.recordsPage>>;

type Injections = ReturnType<typeof injectionSchemas>;

/** A friend to add: the fields of a seed, of which ids and times may be omitted. */
export type FriendInput = z.input<Injections['friend']>;

/** A message to add to a conversation. */
export type MessageInput = z.input<Injections['message']>;

/** A form submission to add. */
export type SubmissionInput = z.input<Injections['submission']>;

/** A link click to add. */
export type ClickInput = z.input<Injections['click']>;

/** A Studio project to add. */
export type ProjectInput = z.input<Injections['project']>;

/** A Studio document to add. */
export type DocumentInput = z.input<Injections['document']>;

/** A site to add. */
export type SiteInput = z.input<Injections['site']>;

/** An API key to add. */
export type KeyInput = z.input<Injections['key']>;

export type * from '../src/control/calls/organizations.ts';
export type * from '../src/control/calls/keys.ts';
export type * from '../src/control/calls/clock.ts';
export type * from '../src/control/calls/edit.ts';
export type * from '../src/control/calls/state.ts';
export type * from '../src/control/calls/limits.ts';
export type * from '../src/control/calls/sandboxes.ts';
export type * from '../src/control/calls/server.ts';
export type * from '../src/control/calls/faults.ts';
export type * from '../src/control/calls/requests.ts';
export type * from '../src/control/calls/events.ts';
export type * from '../src/control/calls/records.ts';
export type * from '../src/control/calls/injection.ts';

/** A seed: fields with a default may be omitted, and a name may be used instead of an id. */
export type SeedDocument = z.input<ReturnType<typeof seedSchemas>['seedDocument']>;

/** An entry of the audit log: one applied change. */
export type AuditEntry = z.output<ReturnType<typeof stateSchemas>['auditEntry']>;

/** A notification that the service may send for a change; the mock records it and sends nothing. */
export type Notification = z.output<ReturnType<typeof stateSchemas>['notification']>;
