import { expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type * as source from '../../generate/public-types.source.ts';
import type { ControlCallName, controlCalls } from '../control/calls.ts';
import type { eventAnswers } from '../control/calls/events.ts';
import type { ListedKey } from '../control/organizations.ts';
import type * as api from '../index.ts';
import type { RewoundRequest } from '../mock-interface.ts';
import type { Keyword } from '../records/keywords.ts';
import type * as types from './public-types.ts';

/** The same type with everything in it read-only and no optional field undefined, as the generated types are. */
type Frozen<T> = T extends (infer I)[]
  ? readonly Frozen<I>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<Exclude<T[K], undefined>> }
    : T;

it('the public types match the schemas', () => {
  expectTypeOf<types.OperationName>().toEqualTypeOf<source.OperationName>();
  expectTypeOf<Frozen<types.FaultInput>>().toEqualTypeOf<Frozen<source.FaultInput>>();
  expectTypeOf<Frozen<types.Fault>>().toEqualTypeOf<Frozen<source.Fault>>();
  expectTypeOf<Frozen<types.Verification>>().toEqualTypeOf<Frozen<source.Verification>>();
  expectTypeOf<Frozen<types.EventsInput>>().toEqualTypeOf<Frozen<source.EventsInput>>();
  expectTypeOf<Frozen<types.InOrganization>>().toEqualTypeOf<Frozen<source.InOrganization>>();
  expectTypeOf<Frozen<types.RecordsQuery>>().toEqualTypeOf<Frozen<source.RecordsQuery>>();
  expectTypeOf<Frozen<types.FriendInput>>().toEqualTypeOf<Frozen<source.FriendInput>>();
  expectTypeOf<Frozen<types.MessageInput>>().toEqualTypeOf<Frozen<source.MessageInput>>();
  expectTypeOf<Frozen<types.SubmissionInput>>().toEqualTypeOf<Frozen<source.SubmissionInput>>();
  expectTypeOf<Frozen<types.ClickInput>>().toEqualTypeOf<Frozen<source.ClickInput>>();
  expectTypeOf<Frozen<types.ProjectInput>>().toEqualTypeOf<Frozen<source.ProjectInput>>();
  expectTypeOf<Frozen<types.DocumentInput>>().toEqualTypeOf<Frozen<source.DocumentInput>>();
  expectTypeOf<Frozen<types.SiteInput>>().toEqualTypeOf<Frozen<source.SiteInput>>();
  expectTypeOf<Frozen<types.KeyInput>>().toEqualTypeOf<Frozen<source.KeyInput>>();
  expectTypeOf<Frozen<types.OrganizationPatch>>().toEqualTypeOf<Frozen<source.OrganizationPatch>>();
  expectTypeOf<Frozen<types.KeyPatch>>().toEqualTypeOf<Frozen<source.KeyPatch>>();
  expectTypeOf<Frozen<types.ClockMove>>().toEqualTypeOf<Frozen<source.ClockMove>>();
  expectTypeOf<Frozen<types.EditInput>>().toEqualTypeOf<Frozen<source.EditInput>>();
  expectTypeOf<Frozen<types.SandboxInput>>().toEqualTypeOf<Frozen<source.SandboxInput>>();
  expectTypeOf<Frozen<types.SeedDocument>>().toEqualTypeOf<Frozen<source.SeedDocument>>();
});

/** What the answer of a call has, by its schema. */
type Answer<Name extends ControlCallName> = Frozen<
  z.output<ReturnType<(typeof controlCalls)[Name]['answer']>>
>;

it('the types of the methods match the schemas of the answers', () => {
  type Requests = Answer<'listRequests'>;
  expectTypeOf<api.RequestLogEntry>().toEqualTypeOf<Requests['requests'][number]>();
  expectTypeOf<api.RequestDetail>().toExtend<Answer<'getRequest'>>();
  expectTypeOf<api.DroppedRequests>().toEqualTypeOf<Requests['dropped']>();
  type EventData = Frozen<z.output<ReturnType<typeof eventAnswers>['eventData']>>;
  expectTypeOf<api.EventData>().toEqualTypeOf<EventData>();
  expectTypeOf<api.ClockReading>().toEqualTypeOf<Answer<'getClock'>>();
  expectTypeOf<api.SandboxEntry>().toEqualTypeOf<Answer<'listSandboxes'>['sandboxes'][number]>();
  expectTypeOf<api.Limits>().toEqualTypeOf<Answer<'patchLimits'>>();
  expectTypeOf<RewoundRequest>().toEqualTypeOf<Answer<'rewindMock'>>();
  expectTypeOf<api.OrganizationEntry>().toEqualTypeOf<Answer<'listOrganizations'>['organizations'][number]>();
  expectTypeOf<ListedKey>().toEqualTypeOf<Answer<'listKeys'>['keys'][number]>();
  expectTypeOf<api.KeyEntry>().toEqualTypeOf<Answer<'addKey'>>();
  expectTypeOf<api.RecordsPage>().toExtend<Answer<'listRecords'>>();
  expectTypeOf<Keyword>().toEqualTypeOf<Answer<'listKeywords'>['keywords'][number]>();
  expectTypeOf<Frozen<api.ArmedFault>>().toExtend<Answer<'armFault'>>();
  expectTypeOf<ReturnType<api.Mock['patchOrganization']>>().toExtend<Answer<'patchOrganization'>>();
  expectTypeOf<ReturnType<api.Mock['patchKey']>>().toEqualTypeOf<Answer<'patchKey'>>();
});
