import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { useBrowser } from '../test-support/browser.ts';

const browser = useBrowser();

/** What a page of another address tries: to read, to write, to load, and to frame the inspector. */
const foreignPage = (mock: string): string => `<!doctype html><title>foreign</title><script type="module">
  const outcome = (promise) => promise.then((answer) => answer.type + ' ' + answer.status, () => 'failed');
  const loaded = (tag, source) => new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = () => resolve('loaded');
    element.onerror = () => resolve('failed');
    element.src = source;
    document.body.append(element);
  });
  const frame = document.createElement('iframe');
  frame.src = '${mock}/';
  const framed = new Promise((resolve) => { frame.onload = resolve; });
  document.body.append(frame);
  await framed;
  globalThis.result = {
    read: await outcome(fetch('${mock}/state')),
    write: await outcome(fetch('${mock}/reset', { method: 'POST', mode: 'no-cors' })),
    script: await loaded('script', '${mock}/inspector.js'),
    image: await loaded('img', '${mock}/requests'),
    opened: (() => { try { return frame.contentDocument === null ? 'closed' : String(frame.contentDocument.body.children.length); } catch { return 'closed'; } })(),
  };
</script><body>`;

test('a page of another address can neither read, change, load nor frame anything', async () => {
  const { page, server, mock } = await browser.inspect();
  mock.patchOrganization({ studio: false });
  const foreign = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(foreignPage(server.controlUrl));
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = foreign.address() as AddressInfo;
    // Another port is another origin of the same site; another name is another site.
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${port}/`);
      await expect.poll(() => page.evaluate('globalThis.result?.image')).toBeDefined();
      const result = (await page.evaluate('globalThis.result')) as Record<string, string>;
      expect(result).toMatchObject({ read: 'failed', script: 'failed', image: 'failed', opened: 'closed' });
    }
    // The page cannot see it, but the reset was refused.
    expect(mock.patchOrganization({}).studio).toBe(false);
  } finally {
    foreign.close();
  }
});

test('a link of another page leads to the inspector', async () => {
  const { page, server } = await browser.inspect();
  const foreign = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<a href="${server.inspectorUrl}">look</a>`);
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`http://localhost:${(foreign.address() as AddressInfo).port}/`);
    await page.getByRole('link', { name: 'look' }).click();
    await page.getByText('No requests yet').waitFor();
  } finally {
    foreign.close();
  }
});

test('the token comes after #, is kept for the tab, and is sent in a header only', async () => {
  const { page, server, problems } = await browser.inspect({ mock: { controlToken: 'secret-token' } });
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  expect(server.inspectorUrl).toContain('#token=secret-token');
  await page.getByText('No requests yet').waitFor();
  expect(page.url()).toBe(`${server.controlUrl}/`);
  await page.reload();
  await page.getByText('No requests yet').waitFor();
  expect(urls.length).toBeGreaterThan(3);
  expect(urls.filter((url) => url.includes('secret-token'))).toEqual([]);
  expect(problems).toEqual([]);
});

test('without the token the page asks for it, and says if it is wrong', async () => {
  const { page, server } = await browser.inspect({ mock: { controlToken: 'secret-token' } });
  await page.evaluate('sessionStorage.clear()');
  await page.goto('about:blank');
  await page.goto(`${server.controlUrl}/`);
  await page.getByRole('textbox', { name: 'Control token' }).fill('wrong');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The mock did not accept this token.').waitFor();
  await page.getByRole('textbox', { name: 'Control token' }).fill('secret-token');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No requests yet').waitFor();
});

test('the browser enforces Trusted Types: even a mistake of the page makes no markup of a text', async () => {
  const { page } = await browser.inspect();
  await page.getByText('No requests yet').waitFor();
  expect(await page.evaluate('window.trustedTypes !== undefined')).toBe(true);
  const outcome = await page.evaluate(`(() => {
    try { document.body.innerHTML = '<b>markup</b>'; return 'made'; } catch (error) { return error.name; }
  })()`);
  expect(outcome).toBe('TypeError');
});
