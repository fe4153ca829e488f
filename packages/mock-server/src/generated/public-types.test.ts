import { expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type * as answers from '../../generate/control-answers.ts';
import type * as events from '../../generate/control-events.ts';
import type * as recordAnswers from '../../generate/control-record-answers.ts';
import type * as source from '../../generate/public-types.source.ts';
import type * as api from '../index.ts';
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

/** What a schema of an answer accepts. */
type Answer<S extends z.ZodType> = Frozen<z.output<S>>;

it('the types of the methods match the schemas of the answers', () => {
  expectTypeOf<api.RequestLogEntry>().toEqualTypeOf<Answer<typeof answers.requestLogEntry>>();
  expectTypeOf<api.RequestDetail>().toExtend<Answer<typeof answers.requestDetail>>();
  expectTypeOf<api.DroppedRequests>().toEqualTypeOf<Answer<typeof answers.droppedRequests>>();
  expectTypeOf<api.EventData>().toEqualTypeOf<Answer<typeof events.eventData>>();
  expectTypeOf<api.ClockReading>().toEqualTypeOf<Answer<typeof answers.clockReading>>();
  expectTypeOf<api.SandboxEntry>().toEqualTypeOf<Answer<typeof answers.sandboxEntry>>();
  expectTypeOf<api.Limits>().toEqualTypeOf<Answer<typeof answers.limits>>();
  expectTypeOf<api.OrganizationEntry>().toEqualTypeOf<Answer<typeof recordAnswers.organizationEntry>>();
  expectTypeOf<api.KeyEntry>().toEqualTypeOf<Answer<typeof recordAnswers.keyEntry>>();
  expectTypeOf<api.RecordsPage>().toExtend<Answer<typeof recordAnswers.recordAnswers.listRecords>>();
  expectTypeOf<Keyword>().toEqualTypeOf<Answer<typeof recordAnswers.keyword>>();
  expectTypeOf<Frozen<api.ArmedFault>>().toExtend<Answer<typeof answers.armedFault>>();
  expectTypeOf<ReturnType<api.Mock['patchOrganization']>>().toExtend<
    Answer<typeof answers.organizationSettings>
  >();
  expectTypeOf<ReturnType<api.Mock['patchKey']>>().toEqualTypeOf<Answer<typeof answers.keySettings>>();
});
