import type {
  ChangeOutcome,
  ConfigurationInputs,
  ConfigurationResource,
  DeletableResource,
  DeletionResult,
  LabelField,
  OrgChatClient,
  RecordRef,
  ResourceRecords,
  SyncOutcome,
  Tag,
  UpsertResult,
} from '../../src/index.ts';

/* `client[resource]` in code that does not know which resource it gets. Compiled, never run. */

declare const client: OrgChatClient;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_T extends true>(): void => undefined;

export async function anyResource<R extends ConfigurationResource>(
  resource: R,
  data: ConfigurationInputs[R],
  by: LabelField<R>,
): Promise<ResourceRecords[R]> {
  const created: ChangeOutcome<ResourceRecords[R]> = await client[resource].create(data, { intent: ['one'] });
  const updated: ChangeOutcome<ResourceRecords[R]> = await client[resource].update(created.result, data);
  const edited: ChangeOutcome<ResourceRecords[R]> = await client[resource].edit(
    updated.result,
    (before, record) => (record.id ? { ...before, ...data } : data),
  );
  const found: ResourceRecords[R] | undefined = await client[resource].find(data);
  const wanted: UpsertResult<ResourceRecords[R]> = await client[resource].upsert(data, { by });
  const synced: SyncOutcome<R> = await client[resource].sync([data], { by, dryRun: true });
  const records: ResourceRecords[R][] = await client[resource].list({ limit: 5 }).toArray();
  for await (const record of client[resource].list()) console.log(record.id, record.revision, record.label);
  const { data: page } = await client[resource].list().withResponse();
  const label: string | undefined = page.records[0]?.label;
  console.log(label, edited.replayed, records.length, wanted.outcome, synced.created);
  // @ts-expect-error not every resource can be deleted
  void client[resource].delete;
  return found ?? client[resource].get(wanted.record.id);
}

export async function someResources<R extends 'templates' | 'scenarios'>(
  resource: R,
  data: ConfigurationInputs[R],
): Promise<ResourceRecords[R] | undefined> {
  const { name } = data;
  const { result } = await client[resource].create({ ...data, name: `${name} (copy)` });
  await client[resource].delete(result);
  return result;
}

export async function deletables<R extends DeletableResource>(
  resource: R,
  record: RecordRef,
): Promise<ChangeOutcome<DeletionResult>> {
  return client[resource].delete(record);
}

export async function called(): Promise<void> {
  const tag = await anyResource('tags', { name: 'VIP', color: 'pink' }, 'name');
  is<Equal<typeof tag, Tag>>();
  // @ts-expect-error the data of another resource
  void anyResource('templates', { name: 'VIP', color: 'pink' }, 'name');
  // @ts-expect-error auto-replies are named by their keyword
  void anyResource('auto-replies', {} as ConfigurationInputs['auto-replies'], 'name');
  // @ts-expect-error rich menus cannot be deleted
  void deletables('rich-menus', tag);
  for (const resource of ['tags', 'auto-replies', 'rich-menus'] as const) {
    for await (const record of client[resource].list()) console.log(record.label);
  }
}

export interface Wrapped extends OrgChatClient {
  readonly name: string;
}
