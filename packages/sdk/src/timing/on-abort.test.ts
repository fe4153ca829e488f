import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { fromSources } from '../../../../test/test-support/from-sources.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { account, elsewhere, hang, scripted } from '../../test-support/servers/scripted.ts';
import { onAbort } from './on-abort.ts';

test('one signal of any number of calls has one listener, and none after them', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  const { client, sent } = scripted([hang], elsewhere());
  const calls = Array.from({ length: 50 }, () => getRejection(client.account({ signal })));
  await vi.waitFor(() => expect(sent).toHaveLength(50));
  expect(add).toHaveBeenCalledTimes(1);
  controller.abort();
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'ABORTED' });
  expect(remove).toHaveBeenCalledWith('abort', add.mock.calls[0]?.[1]);
});

test('50 calls that share a signal make Node warn of nothing', () => {
  const sdk = fileURLToPath(new URL('../index.ts', import.meta.url));
  const program = `
    import { createServer } from 'node:http';
    import { createClient } from ${JSON.stringify(sdk)};
    const server = createServer((_, response) => setTimeout(() => response.end(${JSON.stringify(JSON.stringify(account))}), 20));
    server.listen(0, '127.0.0.1', async () => {
      const { signal } = new AbortController();
      const baseUrl = 'http://127.0.0.1:' + server.address().port;
      const clients = [undefined, (request) => fetch(request)].map((own) =>
        createClient({ apiKey: 'test-key', baseUrl, pacing: false, fetch: own }));
      for (const client of clients) await Promise.all(Array.from({ length: 50 }, () => client.account({ signal })));
      console.log('done');
      server.close();
      server.closeAllConnections();
    });`;
  const args = [...fromSources, '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([stdout.trim(), stderr]).toEqual(['done', '']);
});

test('a removed callback is not called, and the others are', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const takeBack = onAbort(controller.signal, () => called.push('first'));
  onAbort(controller.signal, () => called.push('second'));
  takeBack();
  takeBack();
  controller.abort();
  expect(called).toEqual(['second']);
});
