import type { CodesOption as Codes, OperationName as Operations } from '@orgchat/spec';
import type * as z from 'zod';
import type * as control from '../src/control/input.ts';
import type * as faults from '../src/faults/schema.ts';
import type * as journal from '../src/journal/verify.ts';
import type { seedSchemas } from '../src/seed/schema.ts';

/** The five operations of the API. */
export type OperationName = Operations;

/** Error codes by what they mean: a code, or several of which the first is sent. */
export type CodesOption = Codes;

/** A fault to arm: which requests it hits, and what becomes of them. */
export type FaultInput = z.input<typeof faults.faultInput>;

/** A fault with what was left out. */
export type Fault = z.output<typeof faults.faultInput>;

/** Which requests are looked for, and how many. */
export type Verification = z.input<typeof journal.verification>;

/** What can be changed of the organization. */
export type OrganizationPatch = z.input<typeof control.organizationPatch>;

/** What can be changed of a key and its creator. */
export type KeyPatch = z.input<typeof control.keyPatch>;

/** How the clock is moved, and whether it stands still. */
export type ClockMove = z.input<typeof control.clockMove>;

/** A rival's edit: a record, and the fields that change. A friend's id is `accountId/userId`, or a `userId` that one account alone has. */
export type EditInput = z.input<typeof control.editInput>;

/** What a sandbox begins with; the seed where nothing is given. */
export type SandboxInput = z.input<typeof control.sandboxInput>;

/** A seed as it is written: what has a default may be left out, and a name may stand for an id. */
export type SeedDocument = z.input<ReturnType<typeof seedSchemas>['seedDocument']>;
