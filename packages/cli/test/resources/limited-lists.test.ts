import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answerRead } from '../../../sdk/test-support/servers/list-server.ts';
import { Harness } from '../../test-support/harness.ts';

interface Organization {
  [resource: string]: Record<string, unknown>[];
}

const cli = new Harness({ inProcess: true });
/** More than the API lists of anything that has no offset. */
const count = 60;
const many = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const minute = (index: number): string => new Date(Date.UTC(2025, 3, 1, 9, index)).toISOString();

/** The demo organization with sixty of everything that the API bounds without an offset. */
async function largeSeed(): Promise<string> {
  const { stdout } = await cli.run(['mock', 'seed']);
  const seed = JSON.parse(stdout) as { organizations: Organization[] };
  const [organization] = seed.organizations;
  const [friend] = organization?.friends ?? [];
  if (organization === undefined || friend === undefined) throw new Error('the demo has no friends');
  organization.accounts?.push(...many((index) => ({ id: `extra-${index}`, name: `Extra ${index}` })));
  friend.messages = many((index) => ({ direction: 'incoming', text: `${index}`, sentAt: minute(index) }));
  friend.automations = many((index) => ({
    scenarioId: 'welcome',
    status: 'completed',
    nextStep: 2,
    enrolledAt: minute(index),
  }));
  organization.friends?.push(
    ...many((index) => ({ ...friend, displayName: `Friend ${index}`, userId: `friend-${index}` })),
  );
  const who = { accountId: 'shop', userId: 'aiko' };
  for (const form of organization.forms ?? [])
    form.submissions = many((index) => ({
      ...who,
      values: { mail: 'a@example.com', topics: [] },
      submittedAt: minute(index),
    }));
  for (const link of organization.links ?? [])
    link.clicks = many((index) => ({ ...who, clickedAt: minute(index) }));
  const file = join(cli.folder, 'seed.json');
  writeFileSync(file, JSON.stringify(seed));
  return file;
}

beforeAll(async () => {
  mkdirSync(cli.folder, { recursive: true });
  await cli.start('--seed', await largeSeed());
}, 60_000);
afterAll(() => cli.end());
beforeEach(() => cli.control('DELETE', '/requests'));

const reads = async (): Promise<number> => (await cli.received('readChat')).length;

async function aiko(): Promise<string> {
  const { json } = await cli.run(['friends', 'list', '--search', 'Aiko Tanaka', '--json']);
  await cli.control('DELETE', '/requests');
  return String(json[0]?.userId);
}

describe('lists that the API bounds', () => {
  test.each([
    [['accounts', 'list'], 1, 'accounts'],
    [['conversations', 'list'], 1, 'conversations'],
    // These find the form and the link by name first.
    [['forms', 'submissions', 'Survey'], 2, 'submissions'],
    [['links', 'clicks', 'Spring page'], 2, 'clicks'],
  ])(
    '%j prints what there is with %i requests, and says that it is limited',
    async (args, requests, what) => {
      const { code, json, stderr } = await cli.run([...args, '--json']);
      expect([code, json.length]).toEqual([0, 50]);
      expect(stderr).toMatch(
        new RegExp(`^Showing 50 of 6\\d ${what}\\. The API does not return more of this list\\.\n$`),
      );
      expect(await reads()).toBe(requests);
    },
  );

  test.each([
    ['automations', 'scenarios of this friend'],
    ['messages', 'messages'],
  ])('friends %s prints what there is, and does not read it twice', async (name, what) => {
    const user = await aiko();
    const { code, json, stderr } = await cli.run(['friends', name, user, '--json']);
    expect([code, json.length]).toEqual([0, 50]);
    expect(stderr).toContain(`Showing 50 of 60 ${what}.`);
    // The other request finds the account of the friend.
    expect(await reads()).toBe(2);
  });

  test('a list of messages names the option that shows more', async () => {
    const { json, stderr } = await cli.run(['friends', 'messages', await aiko(), '--limit', '2', '--json']);
    expect(json).toHaveLength(2);
    expect(stderr).toBe('Showing 2 of 60 messages. Use --limit 50 to show the latest 50.\n');
  });
});

describe('more than 50 accounts', () => {
  test('a name among the first 50 is found with one request; others get an error that says why', async () => {
    const { json } = await cli.run(['accounts', 'list', '--json']);
    const name = String(json[49]?.name);
    const found = await cli.run(['conversations', 'list', '--account', name, '--json']);
    expect(found.code).toBe(0);
    await cli.control('DELETE', '/requests');
    const missing = await cli.run(['friends', 'list', '--account', 'Nowhere', '--json']);
    expect([missing.code, missing.json.error?.code]).toEqual([6, 'NOT_FOUND']);
    expect(missing.json.error?.message).toContain('No account named "Nowhere" among the first 50');
    expect(missing.json.error?.hint).toContain('Use the id');
    expect(await reads()).toBe(1);
  });

  test('the configuration is exported, compared, planned and applied', async () => {
    const config = (...args: string[]) => cli.run(['config', ...args, '--pacing', 'off', '--json']);
    const exported = await config('export', '-o', 'orgchat.yaml');
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining('"tags": 3')]);
    // Accounts once, and each of nine resources once.
    expect(await reads()).toBe(10);
    // The accounts of the demo are the oldest. The API does not list them, so their names are not known.
    expect(readFileSync(join(cli.folder, 'orgchat.yaml'), 'utf8')).toMatch(/accountId: [0-9a-f-]{36}\n/);
    for (const args of [
      ['diff', 'orgchat.yaml', '--exit-code'],
      ['plan', 'orgchat.yaml', '--exit-code'],
      ['apply', 'orgchat.yaml', '--yes'],
    ]) {
      const { code, stdout } = await config(...args);
      expect([args[0], code, code === 0 ? '' : stdout]).toEqual([args[0], 0, '']);
    }
  });
});

describe('a server that is not the mock', () => {
  /** Answers every read with a list of its own page size, and says nothing of it. */
  async function foreign(count: number, pageSize: number) {
    const asked: { resource: string; offset?: number; limit?: number }[] = [];
    const server = createServer(async (request, response) => {
      const query = (await json(request)) as { resource: string; offset?: number; limit?: number };
      asked.push(query);
      const says = { total: () => undefined, limited: () => undefined };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(answerRead({ count, pageSize, ...says }, query)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { ORGCHAT_BASE_URL: `http://127.0.0.1:${port}/api/v1` };
    return { asked, env, close: () => server.close() };
  }

  test('is read to the end without total and limited, in pages of 20', async () => {
    const { asked, env, close } = await foreign(110, 20);
    try {
      const all = await cli.run(['tags', 'list', '--all', '--json', '--pacing', 'off'], { env });
      expect(all.json).toHaveLength(110);
      expect(asked.map(({ offset = 0, limit }) => [offset, limit])).toEqual(
        [0, 20, 40, 60, 80, 100, 110].map((offset) => [offset, 50]),
      );
      const some = await cli.run(['tags', 'list', '--json', '--pacing', 'off'], { env });
      expect(some.json).toHaveLength(50);
      expect(some.stderr).toBe(
        'Showing 50 tags; there may be more. Use --all to show all, or --offset 50 for the next page.\n',
      );
    } finally {
      close();
    }
  });

  test('is asked once for a list without an offset', async () => {
    const { asked, env, close } = await foreign(110, 20);
    try {
      const { json: accounts, stderr } = await cli.run(['accounts', 'list', '--json'], { env });
      expect([accounts.length, stderr]).toEqual([20, '']);
      expect(asked).toEqual([{ resource: 'accounts' }]);
    } finally {
      close();
    }
  });
});

describe('the deadline of a list with --all', () => {
  /** Accepts requests and never answers them. */
  async function silentServer() {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  }

  test.each([
    ['tags', 'list'],
    ['friends', 'list'],
    ['studio', 'projects'],
  ])('%s %s: is that of --timeout', async (...command) => {
    const env = { ORGCHAT_BASE_URL: await silentServer() };
    const { code, json } = await cli.run([...command, '--all', '--timeout', '200ms', '--json'], { env });
    expect([code, json.error?.code]).toEqual([9, 'DEADLINE_EXCEEDED']);
  });
});
