import type { BrowserMock } from '../../src/browser/index.ts';

/** An answer, or the name of the error if the connection was cut: browsers word it otherwise. */
export type Seen = readonly [status: number, body: string] | string;

const create = {
  operationId: '11111111-1111-4111-8111-111111111111',
  change: { action: 'create-tags', data: { name: '春', color: 'blue' } },
};

/** Sends the same requests to a mock anywhere, and returns the answers and the log. */
export async function sendRequests(mock: Pick<BrowserMock, 'baseUrl' | 'fetch' | 'faults' | 'requests'>) {
  const answers: Seen[] = [];
  const send = async (path: string, body?: string | object, key = 'demo-write-key'): Promise<void> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const isText = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const init = { method: body === undefined ? 'GET' : 'POST', headers };
    const sent = body === undefined ? init : { ...init, body: isText ? body : JSON.stringify(body) };
    try {
      const response = await mock.fetch(mock.baseUrl + path, sent);
      answers.push([response.status, await response.text()]);
    } catch (error) {
      answers.push((error as Error).name);
    }
  };
  await send('/me');
  await send('/me', undefined, 'nobody');
  await send('/elsewhere');
  for (const effect of ['drop-request', 'lose-response', 'cut-response'] as const) {
    mock.faults.arm({ effect, operation: 'changeChat' });
    await send('/chat/changes', create);
  }
  await send('/chat/changes', create);
  await send('/chat/changes', {
    ...create,
    change: { ...create.change, data: { name: 'Other', color: 'blue' } },
  });
  await send('/chat/changes', new Uint8Array([0xff]));
  await send('/chat/changes', '{');
  await send('/chat/read', { resource: 'tags', limit: 2 });
  await send('/studio/read', { resource: 'projects' });
  return { answers, why: mock.requests.list().map(({ decidedBy }) => decidedBy.because) };
}
