/*
 * A client that passes `orgchat mock drill`: each tag is created once, whenever the program is killed. Find out with:
 * orgchat mock drill -- npx tsx examples/drill/client.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, UncertainOperationError } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';

const client = createClient({
  journal: fileJournal(process.env.ORGCHAT_STATE_DIR ?? '.orgchat'),
  attemptTimeoutMs: Number(process.env.ATTEMPT_TIMEOUT ?? 10) * 1_000,
});
const tags = [
  { name: 'Spring campaign', color: 'pink' },
  { name: 'Summer campaign', color: 'blue' },
] as const;

/** Nobody knows yet whether a change was applied. Sending the same operation again settles it once the server knows. */
async function settle(error: unknown, attemptsLeft = 20): Promise<{ readonly replayed: boolean }> {
  if (!(error instanceof UncertainOperationError) || error.resume === undefined || attemptsLeft === 0)
    throw error;
  await sleep(500);
  return error.resume().catch((next: unknown) => settle(next, attemptsLeft - 1));
}

for (const tag of tags) {
  // The intent names the change, so another process continues the same operation.
  const { replayed } = await client.tags
    .create(tag, { intent: ['campaign tag', tag.name] })
    .catch((error: unknown) => settle(error));
  console.log(`${tag.name}: ${replayed ? 'applied by an earlier attempt' : 'applied'}`);
}
