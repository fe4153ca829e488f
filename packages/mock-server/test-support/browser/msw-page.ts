import { createMock } from '@orgchat/mock-server/browser';
import { handlers } from '@orgchat/mock-server/msw';
import { setupWorker } from 'msw/browser';

/* In a page with msw: its service worker passes requests of the page on to the mock. */

const baseUrl = 'https://api.example.com/api/v1';

async function run(): Promise<unknown> {
  const mock = createMock();
  await setupWorker(...handlers(mock, baseUrl)).start({ quiet: true, onUnhandledRequest: 'bypass' });
  const headers = { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' };
  const body = JSON.stringify({
    operationId: crypto.randomUUID(),
    change: { action: 'create-tags', data: { name: 'From msw', color: 'brown' } },
  });
  const send = async (): Promise<unknown> => {
    try {
      const response = await fetch(`${baseUrl}/chat/changes`, { method: 'POST', headers, body });
      const { replayed } = (await response.json()) as { replayed?: boolean };
      return [response.status, replayed];
    } catch (error) {
      return String(error);
    }
  };
  mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
  return [await send(), await send(), mock.requests.list().length];
}

Object.assign(globalThis, { result: run() });
