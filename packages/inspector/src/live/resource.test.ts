import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a shared path is read once for all that show it, and again for the next one after them', async () => {
  const called: string[] = [];
  vi.stubGlobal('location', { href: 'http://h:1/_mock/' });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('fetch', async (url: string) => {
    called.push(url);
    return Response.json({ number: called.length });
  });
  const { shareControl } = await import('./resource.ts');
  const { publishResync } = await import('./changes.ts');
  const shared = shareControl('audit', ['operation']);
  const stops = [shared.follow(), shared.follow(), shared.follow()];
  await vi.waitFor(() => expect(shared.loaded.value.data).toEqual({ number: 1 }));
  stops[0]?.();
  publishResync();
  await vi.waitFor(() => expect(shared.loaded.value.data).toEqual({ number: 2 }));
  for (const stop of stops.slice(1)) stop();
  publishResync();
  const stop = shared.follow();
  await vi.waitFor(() => expect(shared.loaded.value.data).toEqual({ number: 3 }));
  stop();
  expect(called).toEqual(Array(3).fill('http://h:1/_mock/audit'));
});
