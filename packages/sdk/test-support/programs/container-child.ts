/*
 * A program in a container: begins a change and never ends it, or finishes what was left. Arguments: base URL,
 * folder, `begin` or `finish`. Prints as JSON that the change was recorded, or its outcome.
 */
import { createClient, OrgChatError } from '../../src/index.ts';
import { fileJournal } from '../../src/node.ts';

const [baseUrl = '', folder = '', act = ''] = process.argv.slice(2);
const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const client = createClient({
  baseUrl,
  apiKey: 'demo-write-key',
  pacing: false,
  // Long enough for a busy machine to record the change.
  timeoutMs: 3_000,
  journal: fileJournal(folder),
  fetch: act === 'begin' ? neverAnswered : globalThis.fetch,
});
const create = () =>
  client.tags.create({ name: 'Restarted', color: 'pink' }, { intent: ['restarted'], waitForOther: false });

function neverAnswered(): Promise<Response> {
  say('recorded');
  // Longer than the test: it is ended before.
  return new Promise((_resolve, reject) => setTimeout(reject, 600_000));
}

if (act === 'begin') {
  await create();
} else {
  const first = await client.operations.resumeAll();
  const again = await create().catch((error: unknown) => error);
  const { code } = again instanceof OrgChatError ? again : {};
  say({ first, again: { code } });
  say({ last: await client.operations.resumeAll({ wait: true }), endedAt: new Date() });
}
