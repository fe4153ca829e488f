/* The commands of the service: `serve`, `sync` and `import`. */
import { once } from 'node:events';
import { type ClientOptions, createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { importKeywords } from './keyword-import.ts';
import { syncCatalog } from './nightly-sync.ts';
import { createWebhook } from './orders.ts';

/** Runs a command; returns its exit code. `options` are for tests. */
export async function runService(args: readonly string[], options: ClientOptions = {}): Promise<number> {
  const { JOURNAL_DIR, WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
  const client = createClient({ journal: fileJournal(JOURNAL_DIR), ...options });
  const [command, path = '', siteId = ''] = args;
  if (command === 'sync') return (await syncCatalog(client, path)) ? 0 : 1;
  const retryUnknown = args.includes('--retry-unknown');
  if (command === 'import') return (await importKeywords(client, siteId, path, retryUnknown)) ? 0 : 1;
  if (command !== 'serve' || WEBHOOK_SECRET === '') {
    console.error(
      'Usage: service serve (with WEBHOOK_SECRET) | sync FILE | import FILE SITE [--retry-unknown]',
    );
    return 2;
  }
  const server = createWebhook(client, WEBHOOK_SECRET).listen(Number(PORT), '127.0.0.1');
  await once(server, 'listening');
  console.log(JSON.stringify(server.address()));
  const stopping = new AbortController();
  process.once('SIGTERM', () => {
    stopping.abort();
    server.close();
    // A connection that the shop keeps open does not delay the end.
    setInterval(() => server.closeIdleConnections(), 100).unref();
  });
  const closed = once(server, 'close');
  // What a killed process left. The shop delivers it again as well, and both find the same operation.
  const resuming = client.operations.resumeAll({ wait: true, signal: stopping.signal });
  await resuming.catch((error: unknown) => console.error('Left to the next process:', error));
  await closed;
  await client.operations.drain({ timeoutMs: 20_000 });
  return 0;
}
