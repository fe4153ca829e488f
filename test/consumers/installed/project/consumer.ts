/* Code of a user, compiled against the packed package. */
import {
  type Account,
  createClient,
  type Journal,
  memoryJournal,
  OrgChatError,
  OutcomeUnknownError,
  operationIdFrom,
} from '@orgchat/sdk';
import { journalConformance } from '@orgchat/sdk/journal-conformance';
import { fileJournal } from '@orgchat/sdk/node';

const journals: Journal[] = [memoryJournal(), fileJournal('./journal', { durable: true })];
const client = createClient({
  apiKey: 'k',
  baseUrl: 'https://example.com/api/v1',
  journal: journals[0],
  onEvent: (event) => event.type === 'attempt' && console.log(event.status),
});

export async function use(): Promise<void> {
  const account: Account = await client.account();
  console.log(account.plan, await operationIdFrom('a', 1));
  const { result } = await client.tags.create({ name: 'VIP', color: 'pink' }, { intent: ['vip'] });
  // @ts-expect-error no such color
  await client.tags.update(result, { name: 'VIP', color: 'red' });
  for await (const tag of client.tags.list({ maxItems: 10 })) console.log(tag.name);
  const { data, requestId } = await client.studio.projects().withResponse();
  console.log(data.projects[0]?.name, requestId);
  // @ts-expect-error rich menus cannot be deleted
  client.richMenus.delete;
  try {
    await client.changeChat({ action: 'create-templates', data: { name: 'T', text: 'x' } });
  } catch (error) {
    if (error instanceof OutcomeUnknownError && error.resume) await error.resume();
    if (error instanceof OrgChatError) console.log(error.code, error.retryAt?.getTime());
  }
  for (const { name, run } of journalConformance(() => memoryJournal())) console.log(name, run);
}
