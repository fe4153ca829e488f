import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The client as it is in a page at an address, and the addresses that it calls. */
async function openPage(href: string) {
  const called: string[] = [];
  vi.stubGlobal('location', { href });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('fetch', async (url: string) => {
    called.push(String(url));
    return Response.json({});
  });
  return { ...(await import('./client.ts')), called };
}

test.each([
  ['of the mock', 'http://h:1/_mock/#/x'],
  ['of a sandbox, of which the other one is part', 'http://h:1/_sandbox/one/_mock/'],
  ['that a proxy serves under another host', 'https://proxy/_mock/'],
])('a page %s calls another sandbox at its own host', async (_name, href) => {
  const { callControl, controlPath, called } = await openPage(href);
  await callControl('GET', `${controlPath('http://h:1/_sandbox/two/_mock')}/requests?last=5`);
  expect(called).toEqual([`${new URL(href).origin}/_sandbox/two/_mock/requests?last=5`]);
});

test('a page below a path of a proxy calls what is below that path', async () => {
  const { callControl, controlPath, called } = await openPage('https://proxy/mock/_sandbox/one/_mock/#/x');
  await callControl('GET', 'requests');
  await callControl('GET', `${controlPath('https://proxy/mock/_sandbox/two/_mock')}/keys`);
  expect(called).toEqual([
    'https://proxy/mock/_sandbox/one/_mock/requests',
    'https://proxy/mock/_sandbox/two/_mock/keys',
  ]);
});

test.each(['https://proxy/mock/_mock/', 'https://proxy/mock/_sandbox/one/_mock/#/x'])(
  'at %s, the address that the mock gives does not need the path of the proxy',
  async (href) => {
    const { controlPath } = await openPage(href);
    expect(controlPath('http://h:1/_sandbox/two/_mock')).toBe('/mock/_sandbox/two/_mock');
    expect(controlPath('http://h:1/_mock')).toBe('/mock/_mock');
  },
);
