import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createMock, type SeedDocument } from '@orgchat/mock-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness } from '../../test-support/harness.ts';
import { createRichOrganization, createTexts, ownId } from '../../test-support/rich-organization.ts';
import { seedFrom, toSeed } from '../../test-support/seeded.ts';

const cli = new Harness({ inProcess: true });
beforeAll(() => cli.start(), 60_000);
afterAll(() => cli.end());

test('lists that the API cuts are named', async () => {
  const organization = createRichOrganization(createTexts().text);
  const messages = Array.from({ length: 51 }, (_, n) => ({
    direction: 'incoming' as const,
    text: `Message ${n}`,
    sentAt: new Date(Date.UTC(2026, 1, 1, 0, n)).toISOString(),
  }));
  const friends = (organization.friends ?? []).slice(0, 1).map((friend) => ({ ...friend, messages }));
  const { json, stderr } = await seedFrom(
    cli,
    toSeed({ ...organization, friends }),
    '--from-organization',
    '--with-friends',
    'all',
  );
  expect(stderr).toContain('Lists with more: 1. The seed has only their newest 50.');
  const [copied] = (json as unknown as SeedDocument).organizations;
  expect(copied?.friends?.[0]?.messages).toHaveLength(50);
});

test('data that a seed cannot hold is refused, and no file is written', async () => {
  const answer = {
    records: [{ id: ownId(1), name: 'Gold', label: 'Gold', revision: '1', color: 'gold' }],
    total: 1,
    limited: false,
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      const credits = { allowance: 1, used: 0, remaining: 1, resetsAt: '2026-05-01T00:00:00.000Z' };
      const api = { used: 1, limit: 10, perMinute: 60 };
      const account = {
        organizationId: 'org_new',
        key: { name: 'k', scope: 'read' },
        plan: 'new',
        credits,
        api,
      };
      const list = body.includes('"tags"') ? answer : { records: [], total: 0, limited: false };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(request.url?.endsWith('/me') ? account : list));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const args = ['mock', 'seed', '--from-organization', '--pacing', 'off', '-o', 'refused.json', '--json'];
  const { code, json } = await cli.run(args, {
    env: { ORGCHAT_BASE_URL: `http://127.0.0.1:${port}/api/v1` },
  });
  await new Promise((resolve) => server.close(resolve));
  expect([code, json.error?.code]).toEqual([1, 'INVALID_SEED']);
  expect(String(json.error?.message)).toContain('tags[0].color');
  expect(existsSync(join(cli.folder, 'refused.json'))).toBe(false);
});

describe('a seed from a configuration file', () => {
  const exported = async (...args: string[]): Promise<string> => {
    const { stdout } = await cli.run(['config', 'export', '--pacing', 'off', ...args]);
    const file = join(cli.folder, 'orgchat.yaml');
    writeFileSync(file, stdout);
    return file;
  };

  test('is what config export wrote, with its ids, and exports the same again', async () => {
    const file = await exported();
    const seed = await cli.run(['mock', 'seed', '--from-config', file]);
    expect(seed.stderr).toContain('The seed contains 3 tags');
    const sandbox = (await cli.control('POST', '/sandboxes', { state: seed.json })) as { baseUrl: string };
    const again = await cli.run(['config', 'export', '--pacing', 'off'], {
      env: { ORGCHAT_BASE_URL: sandbox.baseUrl },
    });
    expect(again.stdout).toBe(readFileSync(file, 'utf8'));
  });

  test('may be a part, whose other records count as deleted', async () => {
    const file = await exported('--resources', 'links');
    const { json, stderr } = await cli.run(['mock', 'seed', '--from-config', file]);
    expect(stderr).toContain('refers to records that it does not contain: tag "Newsletter"');
    const [organization] = (json as unknown as SeedDocument).organizations;
    expect([organization?.links?.length, organization?.missingIds]).toEqual([1, ['tags/Newsletter']]);
  });

  test('may be written by hand, without ids, and masked', async () => {
    const file = join(cli.folder, 'hand.yaml');
    const records = {
      tags: [{ name: 'Grandma', color: 'pink' }],
      routes: [{ accountId: 'Main store', name: 'Door', tagId: 'Grandma', scenarioId: null }],
      links: [{ id: ownId(1), name: 'Page', url: 'https://acme.jp/', tagId: null, scenarioId: null }],
    };
    writeFileSync(file, JSON.stringify(records));
    const plain = await cli.run(['mock', 'seed', '--from-config', file]);
    expect(createMock({ seed: JSON.parse(plain.stdout) as SeedDocument }).writeKey).toBe('demo-write-key');
    const { stdout } = await cli.run(['mock', 'seed', '--from-config', file, '--mask']);
    expect(stdout).not.toMatch(/Grandma|Main store|Door|Page|acme|5eed/);
    createMock({ seed: JSON.parse(stdout) as SeedDocument });
  });

  test('that is not valid is refused with its lines', async () => {
    const file = join(cli.folder, 'bad.yaml');
    writeFileSync(file, 'tags:\n  - name: VIP\n    color: gold\n');
    const { code, stderr } = await cli.run(['mock', 'seed', '--from-config', file]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('bad.yaml:2')]);
  });
});

test.each([
  [['--from-organization', '--from-config', 'x.yaml'], 'cannot be used together'],
  [
    ['--from-organization', '--friends', '5'],
    '--friends cannot be used with --from-organization: it sets the size',
  ],
  [['--from-config', 'x.yaml', '--random-seed', '5'], '--random-seed cannot be used with --from-config'],
  [['--with-friends', 'all'], '--with-friends requires --from-organization'],
  [['--with-friends', '0', '--from-organization'], 'It must be a number of friends, or all'],
  [['--with-friends', 'some', '--from-organization'], 'It must be a number of friends, or all'],
  [['--with-studio', '--from-config', 'x.yaml'], '--with-studio requires --from-organization'],
  [['--no-mask'], '--no-mask requires --from-organization or --from-config'],
  [['--mask', '--tags', '3'], '--mask requires --from-organization or --from-config'],
  [['--from-config', 'no-such-file.yaml'], 'no-such-file.yaml'],
])('%j is refused before anything is read', async (args, message) => {
  const requestsBefore = await cli.received('getAccount');
  const { code, stderr, stdout } = await cli.run(['mock', 'seed', ...args]);
  expect([code, stdout, stderr]).toEqual([3, '', expect.stringContaining(message)]);
  expect(await cli.received('getAccount')).toEqual(requestsBefore);
});
