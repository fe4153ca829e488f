import { createClient, UncertainOperationError } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';

/*
 * Creates tags, each exactly once, at whatever moment the program is killed and started again. Find out with:
 * orgchat mock drill -- npx tsx examples/drill/index.ts
 */
const client = createClient({
  journal: fileJournal(process.env.ORGCHAT_STATE_DIR ?? '.orgchat'),
  attemptTimeoutMs: Number(process.env.ATTEMPT_TIMEOUT ?? 10) * 1_000,
});
const tags = [
  { name: 'Spring campaign', color: 'pink' },
  { name: 'Summer campaign', color: 'blue' },
] as const;

for (const tag of tags) {
  // The intent names the change, so another process continues the same operation.
  const { replayed } = await client.tags
    .create(tag, { intent: ['campaign tag', tag.name] })
    .catch((error: unknown) => {
      // Nobody knows yet whether it was applied. Sending the same operation again settles it.
      if (error instanceof UncertainOperationError && error.resume) return error.resume();
      throw error;
    });
  console.log(`${tag.name}: ${replayed ? 'applied by an earlier attempt' : 'applied'}`);
}
