import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { useBrowser } from '../test-support/browser.ts';

const browser = useBrowser();

const headers = { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' };
const createTag = (baseUrl: string, name: string): Promise<Response> => {
  const change = { action: 'create-tags', data: { name, color: 'pink' } };
  const body = JSON.stringify({ operationId: crypto.randomUUID(), change });
  return fetch(`${baseUrl}/chat/changes`, { method: 'POST', headers, body });
};

test('the first visit has commands to copy that work', async () => {
  const { page, server } = await browser.inspect({ permissions: ['clipboard-read', 'clipboard-write'] });
  const snippet = page.getByRole('region', { name: 'curl' });
  expect(await snippet.textContent()).toContain(`curl -s ${server.baseUrl}/me`);
  expect(await snippet.textContent()).toContain('demo-write-key');
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await snippet.textContent());
  await fetch(`${server.baseUrl}/me`, { headers });
  await page.getByRole('row').filter({ hasText: 'getAccount' }).waitFor();
});

test('a stopped mock is said, and the page connects again by itself', async () => {
  const { page, server } = await browser.inspect();
  await fetch(`${server.baseUrl}/me`, { headers });
  await page.getByRole('row').filter({ hasText: 'getAccount' }).waitFor();
  await server.close();
  await page.getByText('The mock does not answer.').waitFor();
  // What was there stays readable.
  expect(await page.getByRole('row').filter({ hasText: 'getAccount' }).count()).toBe(1);
  const again = createMock();
  const restarted = await again.listen({ port: server.port });
  try {
    await page.getByText('The mock does not answer.').waitFor({ state: 'detached' });
    await page.getByText('No requests yet').waitFor();
    await createTag(restarted.baseUrl, 'After the restart');
    await page.getByRole('row').filter({ hasText: 'create-tags' }).waitFor();
  } finally {
    await restarted.close();
  }
});

test('a person breaks a read-modify-write by editing as a rival', async () => {
  const { page, server, mock, problems } = await browser.inspect({ panel: 'records/tags' });
  await page.getByRole('row').filter({ hasText: 'VIP' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const fields = page.getByRole('textbox', { name: 'Fields' });
  await fields.fill((await fields.inputValue()).replace('VIP', 'Taken over'));
  await page.getByRole('button', { name: 'Change it' }).click();
  await page.getByRole('row').filter({ hasText: 'Taken over' }).waitFor();
  const read = await fetch(`${server.baseUrl}/chat/read`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ resource: 'tags' }),
  });
  expect(await read.text()).toContain('Taken over');
  expect(mock.audit()).toEqual([]);
  expect(problems).toEqual([]);
});

test('the keyboard is enough: menu, list, detail and back', async () => {
  const { page, server } = await browser.inspect();
  for (const name of ['One', 'Two', 'Three']) await createTag(server.baseUrl, name);
  await page.getByRole('row').nth(3).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  for (let presses = 0; presses < 12; presses++) {
    if ((await page.evaluate('document.activeElement.getAttribute("role")')) === 'row') break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('ArrowDown');
  const focused = (): Promise<unknown> =>
    page.evaluate('document.activeElement.getAttribute("aria-rowindex")');
  expect(await focused()).toBe('3');
  // Another request arrives above: the focus stays on the same request, now one row further down.
  await createTag(server.baseUrl, 'Four');
  await page.getByRole('row').nth(4).waitFor();
  expect(await focused()).toBe('4');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('detail-title');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'What happened' }).waitFor({ state: 'detached' });
  expect(await focused()).toBe('4');
});

test('a paused list does not move, and says how many requests are new', async () => {
  const { page, server } = await browser.inspect();
  await createTag(server.baseUrl, 'Before');
  await page.getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await createTag(server.baseUrl, 'Meanwhile');
  await page.getByRole('button', { name: 'Paused · 1 new' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByRole('button', { name: 'Paused · 1 new' }).click();
  await page.getByRole('row').nth(2).waitFor();
});

test('switches, clock, sandboxes and reset act on the mock', async () => {
  const { page, mock, problems } = await browser.inspect({ panel: 'keys' });
  const organization = page.getByRole('region', { name: 'Demo organization' });
  const studio = organization.getByRole('checkbox', { name: 'Has Studio' });
  // The box shows what the mock has confirmed, so not at once.
  await studio.click();
  await expect.poll(() => studio.isChecked()).toBe(false);
  await expect.poll(() => mock.patchOrganization({}).studio).toBe(false);

  await page.getByRole('link', { name: 'Clock and limits' }).click();
  await page.getByRole('button', { name: 'Freeze it' }).click();
  await page.getByRole('button', { name: 'Let it run' }).waitFor();
  const before = mock.clock.read().now;
  await page.getByRole('button', { name: '+ 1 day' }).click();
  await expect.poll(() => mock.clock.read().now).toBe(before + 86_400_000);
  await page.getByRole('textbox', { name: 'Per minute per key' }).fill('twelve');
  await page.getByRole('button', { name: 'Change the limits' }).click();
  await page.getByRole('alert').filter({ hasText: 'rateLimit must be "off" or a whole number' }).waitFor();

  await page.getByRole('link', { name: 'Sandboxes' }).click();
  await page.getByRole('textbox', { name: 'New sandbox' }).fill('try it');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Open try it' }).click();
  await page.waitForURL(/_sandbox/);
  await page.getByText('No requests yet').waitFor();
  await page.goBack();

  await page.getByRole('link', { name: 'State', exact: true }).click();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByRole('button', { name: 'Reset everything' }).click();
  await expect.poll(() => mock.patchOrganization({}).studio).toBe(true);
  // The refused limit was a 400, which the browser reports.
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('each organization has its switches, and a site its keywords', async () => {
  const { page, mock, problems } = await browser.inspect({ panel: 'keys' });
  const other = page.getByRole('region', { name: 'Deleted organization' });
  const deleted = other.getByRole('checkbox', { name: 'Organization is deleted' });
  await deleted.click();
  await expect.poll(() => deleted.isChecked()).toBe(false);
  await expect.poll(() => mock.organizations().map(({ deleted }) => deleted)).toEqual([false, false, false]);
  await page.evaluate("location.hash = '#/records/sites/demo-site'");
  await page.getByRole('link', { name: 'All keywords (2 of this site)' }).click();
  await page.getByRole('row').filter({ hasText: 'spring sale' }).click();
  await page.getByRole('heading', { name: 'spring sale' }).waitFor();
  expect(problems).toEqual([]);
});

test('an injection can be undone from its row', async () => {
  const { page, mock } = await browser.inspect({ mock: { history: 10 } });
  mock.inject.friend({ displayName: 'Written by mistake' });
  await page.getByRole('row').filter({ hasText: 'inject friends' }).click();
  await page.getByText('It came from outside the API').waitFor();
  await page.getByRole('button', { name: 'Go back to before this request' }).click();
  await page.getByRole('button', { name: 'Go back: what came after it is undone' }).click();
  await page.getByRole('row').filter({ hasText: 'rewind' }).waitFor();
  expect(JSON.stringify(mock.records({ resource: 'friends' }))).not.toContain('Written by mistake');
});

test('a person goes back to before a change, and makes a sandbox of another moment', async () => {
  const { page, server, mock, problems } = await browser.inspect();
  await createTag(server.baseUrl, 'Kept');
  await page.getByRole('row').nth(1).click();
  await page.getByRole('button', { name: 'Turn history on' }).click();
  await page.getByRole('button', { name: 'Make a sandbox of that moment' }).waitFor();
  await createTag(server.baseUrl, 'Undone');
  await page.getByRole('row').nth(2).waitFor();
  await page.getByRole('row').nth(1).click();
  await page.getByRole('button', { name: 'Make a sandbox of that moment' }).click();
  await page.getByRole('link', { name: 'Open the sandbox' }).waitFor();
  await page.getByRole('button', { name: 'Go back to before this request' }).click();
  await page.getByRole('button', { name: 'Go back: what came after it is undone' }).click();
  await page.getByRole('row').filter({ hasText: 'rewind' }).waitFor();
  expect(mock.audit()).toHaveLength(1);
  expect(mock.listSandboxes()).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('the form of a fault has the fields of its effect, and arms what was typed', async () => {
  const { page, mock, problems } = await browser.inspect({ panel: 'faults' });
  const arm = async (effect: string): Promise<void> => {
    await page.getByRole('button', { name: 'Arm the fault' }).click();
    await page.getByRole('heading', { name: effect }).waitFor();
  };
  await page.getByLabel('Effect').selectOption('delay');
  await page.getByLabel('Delay in ms').fill('10');
  await page.getByLabel('At most, in ms').fill('20');
  await page.getByLabel('Operation').selectOption('changeChat');
  await page.getByLabel('Times').fill('always');
  await arm('delay');
  await page.getByLabel('Effect').selectOption('uncertain');
  await page.getByLabel('Resolved').selectOption('afterRequests');
  await page.getByLabel('Requests', { exact: true }).fill('3');
  await page.getByLabel('Answer').selectOption('502');
  await page.getByLabel('The change is applied').uncheck();
  await arm('uncertain');
  await page.getByLabel('Effect').selectOption('respond');
  await page.getByLabel('Status', { exact: true }).fill('429');
  await page.getByLabel('Retry-After').fill('7');
  await arm('respond');
  expect(await page.getByLabel('Delay in ms').count()).toBe(0);
  const common = { operation: 'changeChat', times: 'always' };
  expect(mock.faults.list()).toMatchObject([
    { ...common, effect: 'delay', delayMs: { min: 10, max: 20 }, applied: true },
    { ...common, effect: 'uncertain', resolve: { afterRequests: 3 }, answer: 502, applied: false },
    { ...common, effect: 'respond', status: 429, retryAfter: '7' },
  ]);
  expect(problems).toEqual([]);
});
