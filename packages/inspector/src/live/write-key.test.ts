import { afterEach, expect, test, vi } from 'vitest';
import { writeKey } from './write-key.ts';

const { startPage } = vi.hoisted(() => ({ startPage: vi.fn<() => object>() }));
vi.mock('../control-api/client.ts', () => ({
  sendControl: async () => Response.json(startPage()),
}));
const { resync } = vi.hoisted(() => ({ resync: { read: () => {} } }));
vi.mock('./changes.ts', () => ({
  onResync: (read: () => void) => {
    resync.read = read;
  },
}));

afterEach(() => {
  writeKey.value = undefined;
});

test.each([
  ['the key of the start page, whatever the command beside it says', 'own-key', 'own-key'],
  ['a placeholder if no key may write', null, 'KEY'],
])('is %s', async (_name, key, shown) => {
  startPage.mockReturnValue({ writeKey: key, tryThis: 'curl -H "Authorization: Bearer \'other\'"' });
  resync.read();
  await vi.waitFor(() => expect(writeKey.value).toBe(shown));
});
