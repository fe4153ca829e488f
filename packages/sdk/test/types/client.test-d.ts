import {
  type ChangeOutcome,
  type CodeMeaning,
  DeadlineError,
  type ErrorCode,
  type Guarded,
  type OrgChatClient,
  OrgChatError,
  type OutcomeUnknownError,
  type RecordPage,
  type ResourceRecords,
  requireResult,
  type SdkErrorCode,
  type ServerErrorCode,
} from '../../src/index.ts';

/* Compiled, never run: each expected error is a mistake that must not compile. */

declare const client: OrgChatClient;
declare const uuid: string;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_T extends true>(): void => undefined;

const guards = { id: uuid, expectedRevision: 'a', expectedLabel: 'VIP' };
const step = { delayValue: 1, delayUnit: 'days', sendTime: null, text: 'Hello' } as const;
const scenario = { name: 'S', accountId: null, trigger: 'manual', triggerTagId: null, active: true } as const;

export function changes(): void {
  void client.changeChat({ action: 'update-tags', ...guards, data: { name: 'VIP', color: 'pink' } });
  // @ts-expect-error a template's data is not a tag's
  void client.changeChat({ action: 'update-tags', ...guards, data: { name: 'VIP', text: 'Hello' } });
  // @ts-expect-error no such color
  void client.changeChat({ action: 'create-tags', data: { name: 'VIP', color: 'red' } });
  // @ts-expect-error no such action
  void client.changeChat({ action: 'send-broadcasts', data: {} });
  // @ts-expect-error the guards are missing
  void client.changeChat({ action: 'update-tags', id: uuid, data: { name: 'VIP', color: 'pink' } });
  // @ts-expect-error one guard is missing
  void client.changeChat({
    action: 'delete-configuration',
    resource: 'tags',
    id: uuid,
    expectedRevision: 'a',
  });
  // @ts-expect-error rich menus cannot be deleted
  void client.changeChat({ action: 'delete-configuration', resource: 'rich-menus', ...guards });
  // @ts-expect-error an extra field
  void client.changeChat({ action: 'create-tags', data: { name: 'VIP', color: 'pink' }, note: 'x' });
  // @ts-expect-error an extra field in the data
  void client.changeChat({ action: 'create-tags', data: { name: 'VIP', color: 'pink', note: 'x' } });
  // A change is checked as deep as it goes.
  const draft = { accountId: uuid, title: 'T', target: 'all' as const, tagIds: [uuid] };
  const messages = [{ type: 'text' as const, text: 'Hello' }];
  void client.broadcasts.create({ ...draft, messages, scheduledAt: null });
  // @ts-expect-error scheduling is not accepted
  void client.broadcasts.create({ ...draft, messages, scheduledAt: '2026-01-01' });
  // @ts-expect-error an image has no text
  void client.broadcasts.create({ ...draft, messages: [{ type: 'image', text: 'x' }], scheduledAt: null });

  const byTag = { type: 'tag_exists', tagId: uuid } as const;
  void client.changeChat({
    action: 'create-scenarios',
    data: { ...scenario, steps: [{ ...step, condition: byTag }] },
  });
  const keyed = { key: 'plan', value: 'gold' };
  const halves = {
    byTag: { type: 'tag_exists', ...keyed },
    byKey: { type: 'metadata_equals', tagId: uuid },
  } as const;
  // @ts-expect-error a tag condition has no key and value
  void client.scenarios.create({ ...scenario, steps: [{ ...step, condition: halves.byTag }] });
  // @ts-expect-error a metadata condition has no tag
  void client.scenarios.create({ ...scenario, steps: [{ ...step, condition: halves.byKey }] });
  const action = 'create-scenarios';
  // @ts-expect-error nor in the bare operation
  void client.changeChat({ action, data: { ...scenario, steps: [{ ...step, condition: halves.byTag }] } });
}

export async function results(): Promise<void> {
  const created = await client.changeChat({ action: 'create-tags', data: { name: 'VIP', color: 'pink' } });
  is<Equal<typeof created, ChangeOutcome<ResourceRecords['tags']>>>();
  const deleted = await client.changeChat({ action: 'delete-configuration', resource: 'tags', ...guards });
  const isDeleted: true | undefined = deleted.result?.deleted;
  void isDeleted;
  const friend = { accountId: uuid, userId: 'U' };
  const enrolled = await client.changeChat({ action: 'enroll-scenario', ...friend, scenarioId: uuid });
  is<Equal<typeof enrolled.result, ResourceRecords['friend-automations'] | undefined>>();
  // @ts-expect-error the contract does not promise a result
  void created.result.id;
  is<Equal<ReturnType<typeof requireResult<ResourceRecords['tags']>>, ResourceRecords['tags']>>();
  void requireResult(created).id;
  const tag = await client.tags.create({ name: 'VIP', color: 'pink' }).requireResult();
  is<Equal<typeof tag, ResourceRecords['tags']>>();
  const { data: outcome } = await client.tags.create({ name: 'VIP', color: 'pink' }).withResponse();
  is<Equal<typeof outcome, ChangeOutcome<ResourceRecords['tags']>>>();
  const enrollment = await client.friends.enroll({ accountId: uuid, userId: 'U' }, uuid).requireResult();
  is<Equal<typeof enrollment, ResourceRecords['friend-automations']>>();
  const removed = await client
    .changeChat({ action: 'delete-configuration', resource: 'tags', ...guards })
    .requireResult();
  is<Equal<typeof removed.deleted, true>>();
  // @ts-expect-error a read has no result to require
  void client.tags.get(uuid).requireResult;
  const menu = await client.richMenus.get(uuid);
  is<Equal<typeof menu, Guarded<ResourceRecords['rich-menus']>>>();
  const [listed] = (await client.richMenus.list()).records;
  const shown: string | undefined = listed?.revision;
  void shown;
  // @ts-expect-error a row may lack its revision
  void listed?.revision.length;
  // @ts-expect-error an id alone guards nothing
  void client.tags.update({ id: uuid }, { name: 'VIP+', color: 'pink' });
  // The record that came back is what the next change needs.
  void client.tags.update(created.result, { name: 'VIP+', color: 'pink' });
  void client.tags.edit(uuid, (data) => ({ ...data, color: 'blue' }));
  void client.tags.edit(uuid, (data) => data, { intent: ['recolour', 1], maxAttempts: 2 });
  // @ts-expect-error an edit has no operationId: each try is a new operation
  void client.tags.edit(uuid, (data) => data, { operationId: uuid });
  // @ts-expect-error an edit returns the resource's data
  void client.tags.edit(uuid, () => ({ name: 'VIP' }));
  // @ts-expect-error an id alone has no guards
  void client.tags.update(uuid, { name: 'VIP+', color: 'pink' });
}

export async function reads(): Promise<void> {
  const page = await client.readChat({ resource: 'tags', limit: 5 });
  is<Equal<typeof page, RecordPage<ResourceRecords['tags']>>>();
  const one = await client.readChat({ resource: 'forms', id: uuid });
  is<Equal<typeof one.record, ResourceRecords['forms']>>();
  const friend = await client.readChat({ resource: 'friends', accountId: uuid, userId: 'U' });
  is<Equal<typeof friend.record, ResourceRecords['friends']>>();
  const friends = await client.readChat({ resource: 'friends', accountId: uuid, search: 'A' });
  is<Equal<typeof friends, RecordPage<ResourceRecords['friends']>>>();
  // @ts-expect-error messages need the friend
  void client.readChat({ resource: 'messages', accountId: uuid });
  // @ts-expect-error accounts accept no limit
  void client.readChat({ resource: 'accounts', limit: 5 });
  // @ts-expect-error no such resource
  void client.readChat({ resource: 'people' });
  // @ts-expect-error tags are not searched
  void client.readChat({ resource: 'tags', search: 'x' });

  const documents = await client.readStudio({ resource: 'documents', projectId: uuid, kind: 'brand' });
  const title: string | undefined = documents.documents[0]?.title;
  void title;
  // @ts-expect-error documents belong to a project
  void client.readStudio({ resource: 'documents' });
  // @ts-expect-error no such kind
  void client.readStudio({ resource: 'documents', projectId: uuid, kind: 'poem' });
}

export async function lists(): Promise<void> {
  for await (const tag of client.tags.list({ maxItems: 10 }))
    is<Equal<typeof tag, ResourceRecords['tags']>>();
  const { data, status, attempts, requestId } = await client.tags.list().withResponse();
  is<Equal<typeof data, RecordPage<ResourceRecords['tags']>>>();
  is<Equal<typeof status | typeof attempts, number>>();
  is<Equal<typeof requestId, string | undefined>>();
  // @ts-expect-error the API bounds messages without an offset: there is nothing to iterate
  for await (const message of client.friends.messages({ accountId: uuid, userId: 'U' })) void message;
  // @ts-expect-error nor conversations
  for await (const conversation of client.conversations.list()) void conversation;
  // @ts-expect-error nor accounts
  for await (const account of client.accounts.list()) void account;
  // @ts-expect-error nor submissions
  for await (const submission of client.forms.submissions(uuid)) void submission;
  // @ts-expect-error rich menus cannot be deleted
  void client.richMenus.delete;
}

export async function unknownOutcomes(error: OutcomeUnknownError): Promise<void> {
  // @ts-expect-error a keyword write has no way to be resumed
  await error.resume();
  const outcome = await error.resume?.();
  is<Equal<typeof outcome, ChangeOutcome | undefined>>();
}

export function writeOptions(): void {
  void client.tags.create(
    { name: 'VIP', color: 'pink' },
    { intent: ['import', 1], signal: new AbortController().signal },
  );
  // @ts-expect-error a date cannot be a part of an intent
  void client.tags.create({ name: 'VIP', color: 'pink' }, { intent: [new Date()] });
  // @ts-expect-error reads have no operationId
  void client.account({ operationId: uuid });
  // @ts-expect-error the site is missing
  void client.keywords.add({ keywords: ['x'] });
}

export function errors(error: OutcomeUnknownError): void {
  // Known codes are suggested, and a server may have others.
  const { code } = error;
  is<Equal<typeof code, ErrorCode>>();
  if (code === 'OUTCOME_UNKNOWN' || code === 'A_CODE_OF_ANOTHER_SERVER') return;
  const known: SdkErrorCode | ServerErrorCode = 'STALE_REVISION';
  void known;
  // @ts-expect-error no such code
  const misspelled: SdkErrorCode | ServerErrorCode = 'STALE_REVISON';
  void misspelled;
}

export function narrowed(error: unknown): string | undefined {
  if (!(error instanceof OrgChatError)) return undefined;
  switch (error.meaning) {
    case 'staleRevision':
      return 'read it again';
    case 'A_MEANING_OF_A_LATER_VERSION':
      return error.meaning;
    default:
  }
  if (error instanceof DeadlineError && error.waitingFor === 'pacing') return error.retryAt?.toISOString();
  if (error.code === 'AMBIGUOUS_MATCH' || error.code === 'A_CODE_OF_ANOTHER_SERVER') return error.code;
  const known: CodeMeaning = 'uncertain';
  // @ts-expect-error no such meaning
  const misspelled: CodeMeaning = 'unsure';
  return known + misspelled;
}

export async function resumed(): Promise<void> {
  for (const outcome of await client.operations.resumeAll()) {
    if (outcome.state === 'applied') is<Equal<typeof outcome.error, undefined>>();
    else is<Equal<typeof outcome.replayed, undefined>>();
  }
}

export async function bulk(): Promise<string[]> {
  const create = (name: string) => client.tags.create({ name, color: 'pink' }).requireResult();
  const outcome = await client.bulk(['Gold', 'Silver'], create);
  const { isComplete, results } = outcome;
  for (const { value } of results) is<Equal<typeof value, ResourceRecords['tags'] | undefined>>();
  if (isComplete) return results.map(({ item, value }) => item + value.id);
  const resumed = await outcome.resume();
  if (!resumed.isComplete) throw resumed.sourceError ?? resumed.results.find(({ error }) => error)?.error;
  is<Equal<typeof resumed.sourceError, undefined>>();
  return resumed.results.map(({ value }) => value.id);
}

export async function synced(accountId: string): Promise<Guarded<ResourceRecords['tags']>[]> {
  const rows = [{ name: 'VIP', color: 'pink' }] as const;
  const outcome = await client.tags.sync(rows, {
    by: 'name',
    deleteOthers: { max: 3 },
    where: { color: 'pink' },
  });
  is<Equal<typeof outcome.created, number>>();
  void client.tags.sync(new Set(rows), { by: 'name', deleteOthers: true, dryRun: true });
  void client.richMenus.sync([], { by: 'name', where: { accountId }, deleteOthers: false });
  // @ts-expect-error rich menus cannot be deleted
  void client.richMenus.sync([], { by: 'name', deleteOthers: true });
  // @ts-expect-error rich menus cannot be deleted
  void client.richMenus.sync([], { by: 'name', deleteOthers: { max: 3 } });
  // @ts-expect-error by is missing
  void client.tags.sync(rows, { deleteOthers: true });
  // @ts-expect-error templates have no account
  void client.templates.sync([], { by: 'name', where: { accountId } });
  return outcome.results.flatMap(({ value }) => value?.record ?? []);
}

export function knownIntents(friend: { accountId: string; userId: string }): void {
  const once = { intent: ['order', 1], acceptKnownIntent: true } as const;
  const color = { name: 'VIP', color: 'pink' } as const;
  void client.changeChat({ action: 'create-tags', data: color }, once);
  void client.tags.create(color, once);
  void client.tags.edit(uuid, (data) => data, once);
  void client.tags.upsert(color, { by: 'name', ...once });
  void client.friends.addTags(friend, [uuid], once);
  void client.friends.enroll(friend, uuid, once);
  // @ts-expect-error the server does not know the intents of keyword writes
  void client.keywords.add('site', { keywords: ['a'] }, { acceptKnownIntent: true });
  // @ts-expect-error only true or false
  void client.tags.create(color, { acceptKnownIntent: 'yes' });
}

export function errorFacts(error: OrgChatError): void {
  is<Equal<typeof error.outcome, 'applied' | 'refused' | 'abandoned' | 'unknown' | undefined>>();
  is<Equal<typeof error.headers, Headers | undefined>>();
  is<Equal<typeof error.bodyStart, string | undefined>>();
}
