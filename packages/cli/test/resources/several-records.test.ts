import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ConfigurationResource } from '@orgchat/spec';
import { describe, expect, test } from 'vitest';
import { getFields } from '../../src/resources/fields.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

/** Values of the JSON types of fields. */
const values: Readonly<Record<string, unknown>> = {
  text: 'x',
  choice: 'x',
  boolean: true,
  reference: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b20',
  references: [],
  texts: [],
  structure: [],
};

interface ListedQuery {
  readonly resource: ConfigurationResource;
  readonly id?: string;
  readonly offset?: number;
}
const run = (...args: string[]) => cli.run([...args, '--json']);
const tagNames = async () =>
  (await cli.run(['tags', 'list', '--format', 'value', '--fields', 'name'])).stdout.trim().split('\n').sort();

describe('get of several names', () => {
  test('prints them in the order in which they were named', async () => {
    const { json } = await run('tags', 'get', 'VIP', 'Trial');
    expect(json).toMatchObject([{ name: 'VIP' }, { name: 'Trial' }]);
    const lines = await cli.run(['tags', 'get', 'VIP', 'Trial', '--format', 'value', '--fields', 'name']);
    expect(lines.stdout).toBe('VIP\nTrial\n');
    expect((await cli.run(['tags', 'get', 'VIP', 'Trial', '--format', 'table'])).stdout).toMatch(
      /^NAME +COLOR/,
    );
  });

  test('prints nothing if one of them does not exist', async () => {
    const { code, json } = await run('tags', 'get', 'VIP', 'Nobody');
    expect([code, json.error?.message]).toEqual([6, 'No tag named "Nobody".']);
  });
});

describe('delete of several names', () => {
  test('prints a result per record, and asks once', async () => {
    const unasked = await run('tags', 'delete', 'VIP', 'Trial');
    expect([unasked.code, unasked.json.error]).toMatchObject([
      3,
      { code: 'CONFIRMATION_NEEDED', message: expect.stringContaining('Delete 2 tags: "VIP", "Trial"?') },
    ]);
    const { code, json, stderr } = await run('tags', 'delete', 'VIP', 'Trial', '--yes');
    expect([code, json]).toMatchObject([
      0,
      [
        { name: 'VIP', outcome: 'applied', result: { deleted: true } },
        { name: 'Trial', outcome: 'applied', operationId: expect.any(String) },
      ],
    ]);
    expect(stderr).toContain('tags: 2 applied.');
    expect(await tagNames()).toEqual(['Newsletter']);
  });

  test('deletes nothing if one of them does not exist', async () => {
    const { code, json } = await run('tags', 'delete', 'VIP', 'Nobody', '--yes');
    expect([code, json.error?.code]).toEqual([6, 'NOT_FOUND']);
    expect(await tagNames()).toEqual(['Newsletter', 'Trial', 'VIP']);
  });

  test('exits 7 if the outcome of one is unknown, and deletes the others', async () => {
    await cli.control('POST', '/faults', { effect: 'lose-response', action: 'delete-configuration' });
    const { code, json } = await run('tags', 'delete', 'VIP', 'Trial', '--yes', '--retries', '0');
    const outcomes = (json as unknown as { outcome: string }[]).map(({ outcome }) => outcome);
    expect([code, outcomes.sort()]).toEqual([7, ['applied', 'unknown']]);
    expect((await run('ops', 'resume', '--all')).code).toBe(0);
    expect(await tagNames()).toEqual(['Newsletter']);
  });

  test('exits 4 if the key may not write, although the last ones were not started', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Tag ${index}`);
    for (const name of names) await run('tags', 'create', '--name', name, '--color', 'blue');
    const env = { ORGCHAT_API_KEY: 'demo-read-key' };
    const { code, json } = await cli.run(['tags', 'delete', ...names, '--yes', '--json'], { env });
    const outcomes = (json as unknown as { outcome: string }[]).map(({ outcome }) => outcome);
    expect([code, new Set(outcomes)]).toEqual([4, new Set(['refused', 'not-started'])]);
  });

  test('refuses what is about one record, and previews all of them', async () => {
    for (const flag of [
      ['--intent', 'x'],
      ['--expect-label', 'x'],
    ])
      expect((await run('tags', 'delete', 'VIP', 'Trial', '--yes', ...flag)).code).toBe(3);
    const { json } = await run('tags', 'delete', 'VIP', 'Trial', 'VIP', '--dry-run');
    expect(json.changes).toHaveLength(2);
  });

  test('the same record under two names is deleted once', async () => {
    const { id } = (await run('tags', 'get', 'VIP')).json;
    const { code, json } = await run('tags', 'delete', 'VIP', String(id), '--yes');
    expect([code, json]).toMatchObject([0, [{ name: 'VIP', outcome: 'applied' }]]);
  });
});

describe('delete of a record that others use', () => {
  const unread = 'warning: Friends with a deleted tag are not looked at.\n';
  const preview = (...names: string[]) => run('tags', 'delete', ...names, '--dry-run');

  test('names them, and says what it does not look at', async () => {
    for (const names of [['VIP'], ['VIP', 'Trial']]) {
      const { code, stderr } = await preview(...names);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/warning: The tag "VIP" is still used by .*(route|link|broadcast|scenario) "/),
      ]);
      expect(stderr).toContain(unread);
    }
  });

  test('names nothing if nothing uses it', async () => {
    await run('tags', 'create', '--name', 'Free', '--color', 'blue');
    expect((await preview('Free')).stderr).not.toContain('still used');
  });

  test('is possible if the users cannot be read', async () => {
    await cli.control('POST', '/faults', {
      effect: 'respond',
      status: 500,
      operation: 'readChat',
      resource: 'routes',
      times: 'always',
    });
    const { code, stderr } = await run('tags', 'delete', 'Trial', '--dry-run', '--retries', '0');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Cannot find out what uses tag "Trial"')]);
  });

  test('looks at a part of long lists only, once for all names, and says so', async () => {
    const requested: Record<string, number> = {};
    const api = createServer(async (request, response) => {
      const { resource, id, offset = 0 } = JSON.parse(await text(request)) as ListedQuery;
      requested[resource] = (requested[resource] ?? 0) + 1;
      const fields = getFields(resource).map(({ name, kind, nullable }) => [
        name,
        nullable ? null : (values[kind] ?? null),
      ]);
      const record = (number: number) => ({
        ...Object.fromEntries(fields),
        id: id ?? `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
        name: `${resource} ${number}`,
        revision: '0'.repeat(64),
        label: `${resource} ${number}`,
        ...(resource === 'links' && { tagId: vip }),
      });
      const records = Array.from({ length: 50 }, (_, index) => record(offset + index));
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(id ? { record: record(1) } : { records, total: 5000, limited: true }));
    });
    const [vip, other] = ['6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21', '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b22'];
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = api.address() as { port: number };
      const env = { ORGCHAT_BASE_URL: `http://127.0.0.1:${port}/api/v1` };
      const { code, stderr } = await cli.run(['tags', 'delete', vip, other, '--dry-run', '--pacing', 'off'], {
        env,
      });
      expect([code, stderr]).toEqual([0, expect.stringContaining('and 195 more.')]);
      expect(stderr).toContain('Only the first 200 links were looked at for references.');
      const { tags, ...lists } = requested;
      expect([tags, new Set(Object.values(lists))]).toEqual([2, new Set([4])]);
    } finally {
      api.close();
    }
  });

  test.each([[['VIP']], [['VIP', 'Trial']]])('reads no other list with --yes: %j', async (names) => {
    const { code, stderr } = await run('tags', 'delete', ...names, '--yes');
    const read = new Set((await cli.received('readChat')).map(({ resource }) => resource));
    expect([code, stderr, read]).toEqual([0, expect.not.stringContaining('warning'), new Set(['tags'])]);
  });
});
