import type { Mock } from '@orgchat/mock-server';

/** Texts that would be markup, script, long, or written from right to left. */
const hostileTexts = [
  '<img src=x onerror="globalThis.broken=1">',
  '"><script>globalThis.broken=1</script>',
  "javascript:globalThis.broken=1//'",
  '{{constructor.constructor("globalThis.broken=1")()}}',
  '\u202eright to left \u2066 mixed',
  'a\u200bb\ufeffc\u00ad',
  '日本語のとても長い名前'.repeat(8),
  'W'.repeat(100),
] as const;

interface SentRecord {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly revision: string;
  readonly label: string;
}

const headers = { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' };

async function send(mock: Mock, path: string, body: object): Promise<void> {
  // Faults may reset a connection.
  await mock
    .fetch(mock.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    .catch(() => undefined);
}

async function read(mock: Mock, resource: string): Promise<readonly SentRecord[]> {
  const body = JSON.stringify({ resource });
  const answer = await mock.fetch(`${mock.baseUrl}/chat/read`, { method: 'POST', headers, body });
  return ((await answer.json()) as { records: SentRecord[] }).records;
}

const change = (data: object): object => ({ operationId: crypto.randomUUID(), change: data });

/** Fills a mock with hostile texts in every field that a client or the person at the mock can set. */
export async function fillWithHostileTexts(mock: Mock): Promise<void> {
  const [tag] = await read(mock, 'tags');
  const friends = await read(mock, 'friends');
  for (const [n, text] of hostileTexts.entries()) {
    await send(
      mock,
      '/chat/changes',
      change({ action: 'create-tags', data: { name: text.slice(0, 50), color: 'pink' } }),
    );
    await send(mock, '/chat/changes', {
      operationId: text,
      change: { action: text, data: { name: text } },
    });
    await send(mock, `/${encodeURIComponent(text)}?${encodeURIComponent(text)}`, { [text]: text });
    await send(mock, '/sites/demo-site/keywords', {
      keywords: [text.slice(0, 80)],
      group: text.slice(0, 40),
    });
    mock.edit({ resource: 'tags', id: tag?.id ?? '', data: { name: text.slice(0, 50) } });
    mock.sandbox({ name: text });
    const { accountId = '', userId = '' } = friends[n % friends.length] ?? {};
    const data = { displayName: text.slice(0, 100), notes: text };
    mock.edit({ resource: 'friends', id: `${accountId}/${userId}`, data });
  }
  for (const { accountId, userId, revision, label } of await read(mock, 'friends')) {
    const guard = { expectedRevision: revision, expectedLabel: label };
    await send(
      mock,
      '/chat/changes',
      change({ action: 'set-friend-tags', accountId, userId, ...guard, tagIds: [] }),
    );
  }
  mock.faults.arm({
    effect: 'respond',
    operation: 'readChat',
    status: 500,
    error: hostileTexts[0],
    times: 2,
  });
  await send(mock, '/chat/read', { resource: 'tags' });
}
