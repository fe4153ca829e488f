import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createMock, type RequestMessage } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { RequestRecorder } from './request-recorder.ts';

/** The properties of entries that are made when they are read, in the order of the reads. */
const made: string[] = [];

/** Notes what is made of the entry of each request; it comes before the subscribers that get it. */
function noteReads(value: unknown): void {
  const message = value as { -readonly [N in keyof RequestMessage]: RequestMessage[N] };
  const { getEntry } = message;
  message.getEntry = () => {
    const entry = getEntry();
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(entry))) {
      if (get === undefined) continue;
      const read = (): unknown => {
        made.push(name);
        return get.call(entry) as unknown;
      };
      Object.defineProperty(entry, name, { get: read, enumerable: true });
    }
    return entry;
  };
}

test('the reason and the name of the record are made once for a failed request, and for no other', async () => {
  const mock = createMock();
  const { url, close } = await mock.listen();
  subscribe('orgchat.mock.request', noteReads);
  const recorder = new RequestRecorder(mock, url);
  try {
    const ask = (key: string) => fetch(`${url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    expect((await ask('demo-write-key')).status).toBe(200);
    expect((await ask('demo-write-key')).status).toBe(200);
    expect((await ask('no such key')).status).toBe(401);
  } finally {
    await close();
    recorder.stop();
    unsubscribe('orgchat.mock.request', noteReads);
  }
  expect(made.sort()).toEqual(['decidedBy', 'recordName']);
  expect(recorder.report().join('\n')).toMatch(/received 3 requests. Refused, .*: 1.\n.*401/);
});
