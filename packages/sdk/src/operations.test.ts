import { describe, expect, test } from 'vitest';
import {
  applied,
  failure,
  lost,
  refusedConnection,
  replayed,
  type Step,
  scripted,
} from '../test-support/scripted.ts';
import type { OrgChatError } from './index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

/** A client with a write of each kind behind it, oldest first. */
async function withHistory(...next: Step[]) {
  const steps = [applied, failure(403, 'FORBIDDEN'), lost, refusedConnection, lost, ...next];
  const { client, sent } = scripted(steps, { retry: false });
  const ignore = (): undefined => undefined;
  for (let n = 0; n < 4; n++) await client.tags.create(vip).catch(ignore);
  await client.keywords.add('demo-site', { keywords: ['summer'] }).catch(ignore);
  return { client, sent };
}

describe('what the journal knows', () => {
  test('is listed with its state, oldest first', async () => {
    const { client } = await withHistory();
    const entries = await client.operations.list();
    const states = ['applied', 'refused', 'unknown', 'abandoned', 'unknown'];
    expect(entries.map(({ state }) => state)).toEqual(states);
    for (const { operationId, createdAt, kind, change } of entries) {
      expect(operationId).toMatch(/^[0-9a-f-]{36}$/);
      expect(new Date(createdAt).toISOString()).toBe(createdAt);
      expect(change).toEqual(kind === 'change' ? { action: 'create-tags', data: vip } : undefined);
    }
    expect(await client.operations.list({ state: 'unknown' })).toEqual([entries[2], entries[4]]);
    expect(await client.operations.list({ state: 'pending' })).toEqual([]);
  });

  test('and is not settled is asked about once: one outcome for each, and a keyword write is told', async () => {
    const { client, sent } = await withHistory(replayed);
    const [, , change, , keywords] = await client.operations.list();
    expect(await client.operations.resumeAll()).toEqual([
      expect.objectContaining({ operationId: change?.operationId, state: 'applied', replayed: true }),
      {
        operationId: keywords?.operationId,
        kind: 'keywords',
        state: 'unknown',
        error: expect.objectContaining({ code: 'NOT_RESUMABLE' }),
      },
    ]);
    expect(sent.slice(5).map(({ body }) => body)).toEqual([change?.body]);
    expect(await client.operations.resumeAll()).toHaveLength(1);
  });

  test('one refusal does not keep the others from being asked about', async () => {
    const steps = [lost, lost, failure(404, 'NOT_FOUND'), replayed];
    const { client } = scripted(steps, { retry: false });
    for (let n = 0; n < 2; n++) await client.tags.create(vip).catch((error: OrgChatError) => error);
    expect(await client.operations.resumeAll()).toMatchObject([
      { state: 'refused', error: { code: 'NOT_FOUND' } },
      { state: 'applied' },
    ]);
  });
});
