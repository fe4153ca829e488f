import { afterEach, expect, test, vi } from 'vitest';
import { ownSandbox, writeKey } from './start-page.ts';

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

test.each([
  ['the sandbox that the start page names', { id: 's1', name: 'orders', parentInspector: 'http://x/_mock/' }],
  ['nothing for the mock itself', undefined],
])('the sandbox of the page is %s', async (_name, sandbox) => {
  startPage.mockReturnValue({ writeKey: 'k', ...(sandbox && { sandbox }) });
  ownSandbox.value = { id: 'earlier', name: null, parentInspector: '' };
  resync.read();
  await vi.waitFor(() => expect(ownSandbox.value).toEqual(sandbox));
});
