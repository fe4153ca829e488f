import { expect, test } from 'vitest';
import { json, replayed, scripted } from '../../test-support/servers/scripted.ts';

/* An optional field may be undefined, as in `{ keywords, group: maybe }`. It is not sent. */

const maybe: string | undefined = undefined;

test('a field of an input that is undefined is not sent', async () => {
  const { client, sent } = scripted([
    json({ added: ['summer'], skipped: [] }, 201),
    replayed,
    json({ records: [], total: 0, limited: false }),
  ]);
  await client.keywords.add('site', { keywords: ['summer'], group: maybe });
  await client.friends.update(
    { accountId: 'a', userId: 'U', revision: 'r', label: 'l' },
    { notes: maybe, status: 'resolved' },
  );
  await client.readChat({ resource: 'tags', id: maybe, limit: undefined });
  const bodies = sent.map(({ body }) => body);
  expect(bodies[0]).toBe('{"keywords":["summer"]}');
  expect(JSON.parse(bodies[1] ?? '')).toMatchObject({ change: { data: { status: 'resolved' } } });
  expect(bodies[1]).not.toContain('notes');
  expect(bodies[2]).toBe('{"resource":"tags"}');
});
